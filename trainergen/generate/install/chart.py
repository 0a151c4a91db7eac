"""The chart of the Trainer as we install it: controllers only, with CRDs and runtimes left to other units."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trainergen.errors import TrainergenError
from trainergen.rules.gitops.helm.chart_facts import CHART, ChartFacts, chart_facts

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.releases import Release

REGISTRY = "ghcr.io/kubeflow/charts"
_RESOURCES: JsonObject = {
    "requests": {"cpu": "100m", "memory": "256Mi"},
    "limits": {"cpu": "1", "memory": "1Gi"},
}


def chart_of(release: Release) -> ChartFacts:
    """What is known of the chart of a release."""
    facts = chart_facts(release.name)
    if facts is None:
        raise TrainergenError(
            f"nothing is known of the chart of Trainer {release.name}", hint="Set install to false, or take 2.3."
        )
    return facts


def chart_values(release: Release) -> JsonObject:
    """The values: CRDs and runtimes off where the chart has them, the image pinned, two replicas for the webhooks."""
    facts = chart_of(release)
    wanted: dict[str, JsonValue] = {
        "crds.enabled": False,
        "dataCache.enabled": False,
        "image.tag": release.tag,
        "jobset.install": True,
        "manager.replicas": 2,
        "manager.resources": _RESOURCES,
        "runtimes.defaultEnabled": False,
    }
    out: JsonObject = {}
    for path, value in wanted.items():
        if facts.knows(path):
            *way, last = path.split(".")
            place = out
            for step in way:
                below = place.setdefault(step, {})
                assert isinstance(below, dict)
                place = below
            place[last] = value
    return out


def values_schema(release: Release) -> str:
    """A JSON Schema of the values of the chart, which ships none: Helm itself ignores what it does not know."""
    facts = chart_of(release)
    root = _closed({})
    for path, kind in sorted(facts.values.items()):
        *way, last = path.split(".")
        place = root
        for step in way:
            place = _property(place, step)
        properties = place["properties"]
        assert isinstance(properties, dict)
        properties[last] = {} if facts.is_open(path) else {"type": _TYPES.get(kind, kind)}
    for name in (*facts.dependencies, "global"):
        properties = root["properties"]
        assert isinstance(properties, dict)
        properties[name] = {"type": "object"}
    title = f"Values of the chart {CHART} {facts.chart}"
    schema: JsonObject = {"$schema": "http://json-schema.org/draft-07/schema#", "title": title, **root}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


_TYPES = {"mapping": "object", "list": "array"}


def _closed(properties: JsonObject) -> JsonObject:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _property(place: JsonObject, name: str) -> JsonObject:
    properties = place["properties"]
    assert isinstance(properties, dict)
    found = properties.setdefault(name, _closed({}))
    assert isinstance(found, dict)
    if "properties" not in found:
        found.update(_closed({}))
    return found
