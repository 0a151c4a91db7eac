"""Values of the chart kubeflow-trainer that do not do what they say: unknown, unread, or text for a boolean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.releases import is_earlier
from trainergen.rules import Findings, fix
from trainergen.rules.gitops.helm.chart_facts import releases_with
from trainergen.source.document import Document
from trainergen.source.edits import replace_key
from trainergen.spelling import nearest

if TYPE_CHECKING:
    from trainergen.rules import Fix, Part, Spot
    from trainergen.rules.found import Found
    from trainergen.rules.gitops.helm.chart_facts import ChartFacts
    from trainergen.rules.gitops.helm.installations import Installation

_LWS = "dataCache.lws."


def ineffective(installation: Installation) -> Findings:
    """Findings on all values that are written for an installation."""
    for values in installation.values:
        yield from _walk(values, "", installation)
    for parameter in installation.parameters:
        path = parameter.text("name").partition("[")[0]
        if path and not installation.facts.knows(path):
            yield _unknown(parameter.at("name"), path, installation.facts, None)
        elif path in installation.facts.dead:
            yield from _dead(parameter.at("name"), path, parameter.part("value"), installation)


def _walk(values: Part, start: str, installation: Installation) -> Findings:
    facts = installation.facts
    for key, value in values.entries():
        path = f"{start}.{key}".strip(".")
        if path in facts.dead:
            yield from _dead(value.at().key, path, value, installation)
        elif facts.values.get(path) == "boolean" and isinstance(value.value, str):
            yield value.at().report(
                f"{path} is the text '{value.value}', which templates take for true, but must be a boolean",
                help="Write true or false without quotes.",
            )
        elif path in facts.values or facts.is_open(path):
            continue
        elif facts.below(path):
            yield from _walk(value, path, installation)
        else:
            yield _unknown(value.at().key, path, facts, value)


def _unknown(spot: Spot, path: str, facts: ChartFacts, value: Part | None) -> Found:
    parent, _, key = path.rpartition(".")
    near = nearest(key, facts.below(parent))
    return spot.report(
        f"'{path}' is no value of the chart kubeflow-trainer {facts.chart}, so Helm ignores it",
        help=_other_release(path, facts) or (f"Did you mean '{near}'?" if near else _elsewhere(key, facts)),
        fix=_renamed(value, near) if near and value is not None else None,
    )


def _renamed(value: Part, name: str) -> Fix | None:
    document = value.root.spot(()).where.document
    if not isinstance(document, Document):
        return None
    return fix(f"write '{name}'", replace_key(document, value.path, name))


def _other_release(path: str, facts: ChartFacts) -> str:
    having = releases_with(path)
    if not having:
        return ""
    before = [name for name in having if is_earlier(name, facts.release)]
    return (
        f"The chart of Trainer {before[-1]} had it last; remove it."
        if before
        else (f"It comes with the chart of Trainer {having[0]}.")
    )


def _elsewhere(key: str, facts: ChartFacts) -> str:
    found = [path for path in (*facts.values, *facts.open) if path.rpartition(".")[2] == key]
    return (
        f"There is '{found[0]}'." if len(set(found)) == 1 else "Remove it; the chart's values.yaml lists what there is."
    )


def _dead(spot: Spot, path: str, value: Part, installation: Installation) -> Findings:
    default = installation.facts.dead[path]
    if value.value in (default, None, "", {}, []):
        return
    if path == f"{_LWS}install" and installation.value("dataCache.enabled") is True:
        yield spot.report(
            f"'{path}' has no effect in chart {installation.facts.chart}: LeaderWorkerSet is installed whenever "
            "dataCache.enabled is true",
            help="Leave the data cache off, or the other LeaderWorkerSet out.",
            severity="warning",
        )
        return
    yield spot.report(
        f"'{path}' has no effect: no template of the chart kubeflow-trainer {installation.facts.chart} reads it",
        help="Set values of the subchart below 'lws'." if path.startswith(_LWS) else "Remove it.",
        severity="warning",
    )
