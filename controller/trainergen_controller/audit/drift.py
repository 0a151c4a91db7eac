"""Where a live JobSet is not what is rendered for its TrainJob."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen.api.access import object_at, text_at
from trainergen.diff.change import Impact, Kind
from trainergen.diff.compare import differences
from trainergen.diff.effect import Situation
from trainergen.diff.jobset import jobset_effect
from trainergen.diff.lists import keys_of
from trainergen.finding import format_path
from trainergen_controller.managed_fields import applied_fields, managers_of, owned_part
from trainergen_controller.passes.applying import MANAGER, shared_part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.diff.change import Difference
    from trainergen.finding import JsonObject, JsonValue, Path

OPERATORS: frozenset[str] = frozenset({"jobset", "kueue", "manager"})
"""Managers of fields that change JobSets as a part of their work, also with a suffix such as ``kueue-admission``.

Kueue, JobSet's own controller, and what either is called where it says no more than the name of its program."""
_SECTIONS = ("metadata", "spec")
_WRITTEN = ("labels", "annotations")
# The controller sets it when it next looks at the TrainJob; until then it is on its way.
_TRANSIENT = ("spec", "suspend")
_AS_IT_IS = Situation()


class Drift(NamedTuple):
    """A place in the JobSet; an empty path is the JobSet as a whole, which is missing.

    ``found`` and ``rendered`` are None where there is nothing. ``managers`` own the place now, where that is known.
    """

    path: str
    impact: Impact
    reason: str
    found: Any = None
    rendered: Any = None
    managers: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.path:
            return self.reason
        by = f" (by {', '.join(self.managers)})" if self.managers else ""
        return f"{self.path}{by}: {self.reason}"


def drift_of(live: JsonObject, rendered: JsonObject, *, operators: Collection[str] = OPERATORS) -> tuple[Drift, ...]:
    """Where ``live`` differs from ``rendered``, in the order of the latter.

    Only what is rendered counts, and what the Trainer applied that is no longer rendered. What JobSet defaults, what
    others add, and what the ``operators`` own is no drift.
    """
    wanted = _compared(rendered)
    seen = _compared(live)
    found = [*differences(shared_part(seen, wanted), wanted), *_left_over(live, wanted)]
    drifts = (_drift(one, live, (seen, wanted), operators) for one in found if one.path[:2] != _TRANSIENT)
    return tuple(each for each in drifts if each is not None)


def _compared(found: JsonObject) -> JsonObject:
    metadata = {key: part for key, part in object_at(found, "metadata").items() if key in _WRITTEN}
    return {"metadata": metadata, "spec": object_at(found, "spec")}


def _left_over(live: JsonObject, wanted: JsonObject) -> list[Difference]:
    """What the Trainer owns in the JobSet and does not render any more."""
    fields = applied_fields(live, MANAGER)
    own = owned_part({**live}, fields) if fields else None
    if not isinstance(own, dict):
        return []
    return [one for one in differences(_compared(own), wanted) if one.kind is Kind.REMOVED]


def _drift(
    difference: Difference, live: JsonObject, sides: tuple[JsonObject, JsonObject], operators: Collection[str]
) -> Drift | None:
    effect = jobset_effect(difference, *sides, _AS_IT_IS)
    if effect.impact is Impact.COSMETIC:
        return None
    managers = managers_of(live, _positions(live, difference.path))
    if any(_is_one_of(manager, operators) for manager in managers):
        return None
    others = tuple(sorted(managers - {MANAGER}))
    path = format_path(difference.path)
    return Drift(path, effect.impact, effect.reason, difference.old, difference.new, others)


def _is_one_of(manager: str, operators: Collection[str]) -> bool:
    return any(manager == operator or manager.startswith(f"{operator}-") for operator in operators)


def _positions(value: JsonValue, path: Path) -> Path:
    """The place at ``path``, which names items by their keys, by positions; as far as there is something."""
    out: list[str | int] = []
    name = ""
    for step in path:
        if isinstance(value, dict) and step in value:
            value, name = value[str(step)], str(step)
            out.append(name)
        elif isinstance(value, list) and (at := _position(value, name, step)) is not None:
            value = value[at]
            out.append(at)
        else:
            break
    return tuple(out)


def _position(items: list[JsonValue], name: str, step: str | int) -> int | None:
    if isinstance(step, int):
        return step if step < len(items) else None
    keys: Iterable[str] = keys_of(name, items) or ()
    return next((at for at, key in enumerate(keys) if key == step), None)


def is_going(job_set: Mapping[str, Any]) -> bool:
    """Whether a JobSet is being deleted."""
    return bool(text_at({**job_set}, "metadata", "deletionTimestamp"))
