"""Helm: one chart for all environments, computed from their objects; what differs between them becomes values.

``differing`` finds what is the same and what is not, ``naming`` gives the values names, ``template`` writes the
templates, ``values`` and ``schema`` what goes with them. A chart with the values of an environment renders to the
objects of that environment, no more and no less.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from trainergen.generate.emitting import manifest
from trainergen.generate.helm.chart import IGNORED, TEST_IMAGE, chart_text, notes_text, test_text
from trainergen.generate.helm.differing import Slot
from trainergen.generate.helm.schema import schema_text
from trainergen.generate.helm.template import reference, template
from trainergen.generate.helm.things import Thing, things
from trainergen.generate.helm.values import default_values, environment_values
from trainergen.generate.layout import CHARTS
from trainergen.generate.workspace_files import GeneratedFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.generate.resolved import Resolved

__all__ = ["files", "values_file"]


def values_file(environment: str) -> str:
    """The name of the values file of an environment, inside the chart."""
    return f"values-{environment}.yaml"


def files(resolved: Resolved) -> Iterator[GeneratedFile]:
    """The files of the chart."""
    found = things(resolved)
    for path, text in _files(resolved, found):
        yield GeneratedFile(CHARTS / resolved.name / PurePosixPath(path), text)


def _files(resolved: Resolved, found: list[Thing]) -> Iterator[tuple[str, str]]:
    environments = resolved.environments
    image = TEST_IMAGE.format(kubernetes=resolved.companions.get("kubernetes", resolved.release.kubernetes))
    yield "Chart.yaml", chart_text(resolved)
    yield ".helmignore", IGNORED
    yield "values.yaml", manifest(default_values(environments, found, test_image=image))
    for environment in environments:
        yield (
            values_file(environment.name),
            manifest(environment_values(environment, found, first=environments[0].name)),
        )
    yield (
        "values.schema.json",
        schema_text(found, [each.name for each in environments], title=f"Values of the chart {resolved.name}"),
    )
    yield "templates/NOTES.txt", notes_text(resolved)
    jobs = [_name_of(thing) for thing in found if _is_job(thing)]
    if jobs:
        yield "templates/tests/jobs.yaml", test_text(jobs)
    for thing in found:
        text = template(thing.shape, thing.names, part=thing.part, key=thing.key, conditional=not thing.everywhere)
        yield f"templates/{thing.part}/{thing.key}.yaml", text


def _is_job(thing: Thing) -> bool:
    return isinstance(thing.shape, dict) and thing.shape.get("kind") == "TrainJob" and thing.part == "jobs"


def _name_of(thing: Thing) -> str:
    """An expression for the name of a TrainJob; without effect where the environment does not have it."""
    assert isinstance(thing.shape, dict)
    metadata = thing.shape["metadata"]
    assert isinstance(metadata, dict)
    name = metadata["name"]
    own = f'(index .Values "{thing.part}" "{thing.key}")'
    text = f'"{name}"'
    if isinstance(name, Slot):
        text = reference(thing.names[id(name)], own=own)
    return text if thing.everywhere else f"(ternary {text} nil {own}.enabled)"
