"""The dashboard and the alerts ask for metrics and labels that the controller has."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import pytest
import yaml
from trainergen_controller.metrics import Metrics

from tests.overlays.kustomize import OVERLAYS, build, the

FOLDER = OVERLAYS / "grafana"
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "trainergen-controller.json").read_text())
ALERTS: list[dict[str, Any]] = yaml.safe_load((FOLDER / "alerts.yaml").read_text())["spec"]["groups"][0]["rules"]
SCRAPED = {"namespace", "pod", "service", "le", "exported_namespace"}
"""Labels that Prometheus adds; ``namespace`` of ours becomes the last one."""


def known() -> dict[str, set[str]]:
    """Names of series with their own labels."""
    found: dict[str, set[str]] = {}
    metrics = Metrics()
    for value in vars(metrics).values():
        for family in getattr(value, "collect", list)() if value is not metrics.registry else ():
            endings = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}.get(family.type, [""])
            for ending in endings:
                found[family.name + ending] = set(value._labelnames)
    return found


def expressions() -> list[str]:
    asked = [target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", ())]
    asked += [each["query"]["query"] for each in DASHBOARD["templating"]["list"] if each["type"] == "query"]
    return asked + [alert["expr"] for alert in ALERTS]


@pytest.mark.parametrize("expression", expressions())
def test_every_expression_names_metrics_and_labels_that_exist(expression: str) -> None:
    names = re.findall(r"\btrainergen_\w+", expression)
    assert names
    assert set(names) <= known().keys()
    labels = {label for name in names for label in known()[name]} | SCRAPED
    used = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"", expression))
    for group in re.findall(r"by \(([^)]*)\)", expression):
        used |= {label.strip() for label in group.split(",")}
    assert used <= labels, used - labels
    assert expression.count("(") == expression.count(")")


def test_every_metric_is_on_the_dashboard() -> None:
    shown = " ".join(target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", ()))
    families = {name.removesuffix("_bucket").removesuffix("_sum").removesuffix("_count") for name in known()}
    assert {name for name in families if name not in shown} == set()


def test_legends_name_labels_that_are_left_by_the_expression() -> None:
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            wanted = set(re.findall(r"{{(\w+)}}", target["legendFormat"]))
            groups = re.findall(r"by \(([^)]*)\)", target["expr"])
            left = {label.strip() for label in groups[0].split(",")} if groups else SCRAPED
            assert wanted <= left, panel["title"]


def test_panels_have_numbers_of_their_own_and_do_not_overlap() -> None:
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    for one, other in itertools.combinations([panel["gridPos"] for panel in panels], 2):
        apart = (
            one["x"] + one["w"] <= other["x"]
            or other["x"] + other["w"] <= one["x"]
            or one["y"] + one["h"] <= other["y"]
            or other["y"] + other["h"] <= one["y"]
        )
        assert apart, (one, other)
    assert all(panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24 for panel in panels)


def test_every_variable_is_defined_and_used() -> None:
    defined = {each["name"] for each in DASHBOARD["templating"]["list"]}
    text = json.dumps(DASHBOARD["panels"]) + json.dumps(DASHBOARD["templating"])
    used = set(re.findall(r"\$\{?(\w+)\}?", text)) - {"__rate_interval"}
    assert used == defined


def test_alerts_say_how_bad_it_is_and_what_to_do() -> None:
    assert len({alert["alert"] for alert in ALERTS}) == len(ALERTS)
    for alert in ALERTS:
        assert alert["labels"]["severity"] in ("warning", "critical")
        assert alert["for"]
        assert alert["annotations"].keys() == {"summary", "description"}


def test_labels_in_the_texts_of_alerts_are_left_by_their_expressions() -> None:
    for alert in ALERTS:
        wanted = set(re.findall(r"\$labels\.(\w+)", json.dumps(alert["annotations"])))
        groups = re.findall(r"by \(([^)]*)\)", alert["expr"])
        left = {label.strip() for label in groups[0].split(",")} if groups else SCRAPED
        assert wanted <= left, alert["alert"]


def test_the_overlay_builds_into_a_rule_and_a_dashboard_that_grafana_finds() -> None:
    objects = build(FOLDER)
    board = the(objects, "ConfigMap")
    assert board["metadata"]["labels"] == {"grafana_dashboard": "1"}
    assert json.loads(board["data"]["trainergen-controller.json"]) == DASHBOARD
    assert the(objects, "PrometheusRule")["spec"]["groups"]
