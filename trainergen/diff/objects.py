"""Two lists of objects to the changes of each object, with their impacts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from trainergen.api.access import text_at
from trainergen.diff.change import Change, Difference, Impact, Kind, ObjectChanges, hidden
from trainergen.diff.companions import companion_effect
from trainergen.diff.compare import differences
from trainergen.diff.effect import RECREATE, Effect, Situation
from trainergen.diff.footprint import footprint_of
from trainergen.diff.jobset import jobset_effect
from trainergen.finding import ObjectRef

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path

Origins: TypeAlias = Callable[["JsonObject", "Path"], tuple[str, str]]
"""Says in words whose the value at a path of a rendered object is, and at which path of that; empty if not known."""

_Identity: TypeAlias = tuple[str, str, str, str]


_UNTOUCHED = Situation()


def unknown_origin(_rendered: JsonObject, _path: Path) -> tuple[str, str]:
    """For objects of which nothing is known."""
    return "", ""


def compare_objects(
    old: Iterable[JsonObject],
    new: Iterable[JsonObject],
    situation: Situation = _UNTOUCHED,
    *,
    origins: tuple[Origins, Origins] = (unknown_origin, unknown_origin),
) -> tuple[ObjectChanges, ...]:
    """The changes between what was and what would be rendered for one TrainJob; objects without any are left out.

    Objects are matched by group, kind, namespace and name. ``origins`` belong to the old and the new side. What Secrets
    hold is hidden.
    """
    before = {_identity(obj): obj for obj in old}
    after = {_identity(obj): obj for obj in new}
    found = []
    for key in [*before, *(key for key in after if key not in before)]:
        if key in before and key in after:
            changes = _changes(before[key], after[key], situation, origins)
            if changes:
                found.append(ObjectChanges(_ref(after[key]), Kind.CHANGED, changes))
        else:
            kind = Kind.REMOVED if key in before else Kind.ADDED
            obj = before.get(key) or after[key]
            found.append(ObjectChanges(_ref(obj), kind, (_whole(obj, kind, alone=not before or not after),)))
    return tuple(found)


def _changes(
    old: JsonObject, new: JsonObject, situation: Situation, origins: tuple[Origins, Origins]
) -> tuple[Change, ...]:
    is_secret = text_at(new, "kind") == "Secret"
    changes = []
    for difference in differences(hidden(old), hidden(new)) if is_secret else differences(old, new):
        effect = _effect(difference, old, new, situation)
        if difference.kind is Kind.REMOVED:
            origin = origins[0](old, difference.old_at)
        else:
            origin = origins[1](new, difference.new_at)
        changes.append(_change(difference, effect, origin))
    return tuple(changes)


def _effect(difference: Difference, old: JsonObject, new: JsonObject, situation: Situation) -> Effect:
    if text_at(new, "kind") == "JobSet":
        return jobset_effect(difference, old, new, situation)
    return companion_effect(difference, new)


def _whole(obj: JsonObject, kind: Kind, *, alone: bool) -> Change:
    """An object that one side lacks; ``alone`` when that side has nothing at all."""
    difference = Difference((), kind)
    if text_at(obj, "kind") == "JobSet":
        pods = footprint_of([obj]).pods
        effect = Effect(Impact.PROCESSES, f"{pods} {'Pod' if pods == 1 else 'Pods'} in all")
    elif alone:
        effect = Effect(Impact.NOTHING, "it comes and goes with the TrainJob")
    else:
        effect = companion_effect(difference, obj)
    return _change(difference, effect)


def _change(difference: Difference, effect: Effect, origin: tuple[str, str] = ("", "")) -> Change:
    return Change(
        path=difference.path,
        kind=difference.kind,
        impacts=effect.impacts,
        reason=effect.reason,
        refusal=effect.refusal,
        remedy=RECREATE if effect.refusal else "",
        old=difference.old,
        new=difference.new,
        origin=origin[0],
        origin_path=origin[1],
    )


def _identity(obj: JsonObject) -> _Identity:
    ref = _ref(obj)
    return ref.api_version.rpartition("/")[0], ref.kind, ref.namespace, ref.name


def _ref(obj: JsonObject) -> ObjectRef:
    return ObjectRef(
        text_at(obj, "apiVersion"),
        text_at(obj, "kind"),
        text_at(obj, "metadata", "namespace"),
        text_at(obj, "metadata", "name"),
    )
