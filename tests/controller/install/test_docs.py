"""What docs/controller.md names is there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import yaml
from click.testing import CliRunner
from trainergen_controller.cli import main
from trainergen_controller.kinds import MUTATING_WEBHOOKS, VALIDATING_WEBHOOKS
from trainergen_controller.metrics import Metrics

from tests.controller.install.built import CHART, MANIFESTS, container
from tests.overlays.kustomize import build, write
from trainergen import __version__

ROOT = MANIFESTS.parents[1]
PAGE = (ROOT / "docs" / "controller.md").read_text()
FOREIGN = {"server-side", "namespace", "set", "type", "no-deps", "help"}
"""Options of kubectl, helm and pip."""


def test_every_option_exists() -> None:
    known = set(re.findall(r"--([a-z][a-z-]+)", CliRunner().invoke(main, ["audit", "--help"]).output))
    assert set(re.findall(r"--([a-z][a-z-]+)", PAGE)) - FOREIGN <= known


def test_every_component_is_described_and_every_described_one_exists() -> None:
    named = set(re.findall(r"^\| `([a-z-]+)` \| .+ \| .+ \|$", PAGE, re.M)) - {"audit", "reconcile"}
    inner = {"status-endpoint"}
    assert named == {path.name for path in (MANIFESTS / "components").iterdir()} - inner


def test_every_metric_is_described() -> None:
    registered = {
        family.name + ("_total" if family.type == "counter" else "") for family in Metrics().registry.collect()
    }
    assert set(re.findall(r"`(trainergen_[a-z_]+)`", PAGE)) == registered


def test_every_value_of_the_chart_that_is_named_exists() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    for path in re.findall(r"--set ([a-zA-Z.]+)=", PAGE):
        found = values
        for step in path.split("."):
            found = found[step]


def test_paths_exist() -> None:
    for path in re.findall(r"(?<![\w/])(?:controller|schemas|overlays|examples)/[\w./-]+", PAGE):
        assert (ROOT / path).exists(), path
    assert VALIDATING_WEBHOOKS.plural.removesuffix("s") in PAGE
    assert MUTATING_WEBHOOKS.group


def test_the_kustomization_that_is_shown_builds_for_each_overlay(tmp_path: Path) -> None:
    (shown,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
    shutil.copytree(MANIFESTS, tmp_path / "trainergen" / "controller" / "manifests")
    objects = build(write(tmp_path, {"kustomization.yaml": shown}))
    image = container(objects)["image"]
    assert image == f"registry.example.org/trainergen-controller:{__version__}"
    assert {one["kind"] for one in objects} >= {"ValidatingWebhookConfiguration", "ServiceMonitor"}
