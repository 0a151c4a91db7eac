"""What is known of the chart kubeflow-trainer in each release, as ``tools/chart_values.py`` reads it from the chart."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from trainergen.datafiles import data_dir
from trainergen.errors import TrainergenError
from trainergen.releases import RELEASES, get_release

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trainergen.finding import JsonValue

CHART = "kubeflow-trainer"
_RANGE = "~=v^ "


@dataclass(frozen=True, slots=True)
class ChartFacts:
    """The chart of one release."""

    release: str
    chart: str
    """Its version."""
    dependencies: Mapping[str, str]
    """The versions of its subcharts by name."""
    crds_in_templates: bool
    """Whether the CRDs are templates, which Helm deletes with the release."""
    installer: bool
    """Whether runtimes are applied by a hook, not as objects of the release."""
    needs_app_version: bool
    """Whether the image needs a tag from the packaged chart, which the chart in Git lacks."""
    image: str
    """The repository of the controller's image, with its tag where the chart sets one."""
    values: Mapping[str, str]
    """The types of the values by dotted path."""
    on: frozenset[str]
    """The booleans that are true without being set."""
    open: frozenset[str]
    """Mappings and lists that take any content."""
    dead: Mapping[str, JsonValue]
    """The values that no template reads, with their defaults."""
    runtimes: Mapping[str, str]
    """The value that enables each runtime, by the runtime's name."""
    untagged: Mapping[str, list[str]]
    """The images without tag of each runtime."""

    def knows(self, path: str) -> bool:
        """Whether a value, or a mapping of values, is known."""
        return path in self.values or self.is_open(path) or bool(self.below(path))

    def is_open(self, path: str) -> bool:
        """Whether a path is or lies in a mapping that takes any content, or belongs to a subchart."""
        steps = path.split(".")
        if steps[0] in self.dependencies or steps[0] in ("global", "tags"):
            return True
        return any(".".join(steps[:n]) in self.open for n in range(1, len(steps) + 1))

    def below(self, path: str) -> list[str]:
        """The keys of the mapping at a path; those of the whole values for an empty path."""
        start = f"{path}." if path else ""
        return sorted({leaf[len(start) :].partition(".")[0] for leaf in self.values if leaf.startswith(start)})


@cache
def chart_facts(release: str) -> ChartFacts | None:
    """The chart of the release called ``release`` (``2.3``), None when there is none."""
    path = data_dir("schemas") / release / "chart-values.json"
    if not path.is_file():
        return None
    raw = json.loads(path.read_bytes())
    raw["crds_in_templates"] = raw.pop("crdsInTemplates")
    raw["needs_app_version"] = raw.pop("needsAppVersion")
    return ChartFacts(**{**raw, "on": frozenset(raw["on"]), "open": frozenset(raw["open"])})


def facts_of_version(version: str) -> ChartFacts | None:
    """The chart of a version, or of a range within one release (``~2.3``); None when it is not known."""
    try:
        return chart_facts(get_release(version.lstrip(_RANGE)).name)
    except TrainergenError:
        return None


def releases_with(path: str) -> list[str]:
    """The names of the releases whose charts know a value or a mapping of values, the oldest first."""
    found = [(release.name, chart_facts(release.name)) for release in RELEASES]
    return [name for name, facts in found if facts is not None and facts.knows(path)]
