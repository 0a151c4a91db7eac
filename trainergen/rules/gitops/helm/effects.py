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
            yield _unknown(parameter.at("name"), path, installation.facts)
        elif path in installation.facts.dead:
            yield from _dead(parameter.at("name"), path, parameter.part("value"), installation)


def _walk(values: Part, start: str, installation: Installation) -> Findings:
    facts = installation.facts
    for key, value in values.entries():
        path = f"{start}.{key}".strip(".")
        if path in facts.dead:
            yield from _dead(value.at().key, path, value, installation)
        elif facts.values.get(path) == "boolean" and isinstance(value.value, str):
            if not _is_filled_in(value.value):
                yield value.at().report(
                    f"{path} is the text '{value.value}', which templates take for true, but must be a boolean",
                    help="Write true or false without quotes.",
                )
        elif path in facts.values or facts.is_open(path):
            continue
        elif facts.below(path):
            yield from _walk(value, path, installation)
        else:
            near = _near(path, facts)
            fixing = _renamed(value, near) if near and near not in values.mapping() else None
            yield _unknown(value.at().key, path, facts)._replace(fix=fixing)


def _is_filled_in(text: str) -> bool:
    """Whether an ApplicationSet or Flux puts a value in the place of the text."""
    return "{{" in text or "${" in text


def _unknown(spot: Spot, path: str, facts: ChartFacts) -> Found:
    near = _near(path, facts)
    return spot.report(
        f"'{path}' is no value of the chart kubeflow-trainer {facts.chart}, so Helm ignores it",
        help=f"Did you mean '{near}'?" if near else _other_release(path, facts) or _elsewhere(path, facts),
    )


def _near(path: str, facts: ChartFacts) -> str:
    """The known key that was probably meant; none for a value that another release has."""
    parent, _, key = path.rpartition(".")
    return "" if releases_with(path) else nearest(key, facts.below(parent))


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
    if before:
        return f"The chart of Trainer {before[-1]} had it last; remove it."
    return f"It comes with the chart of Trainer {having[0]}."


def _elsewhere(path: str, facts: ChartFacts) -> str:
    key = path.rpartition(".")[2]
    found = [other for other in facts.values if other.rpartition(".")[2] == key]
    return f"There is '{found[0]}'." if len(found) == 1 else "Remove it; values.yaml of the chart lists what there is."


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
