"""Who owns which fields of an object: the bookkeeping of updates, and server-side apply itself.

Behaviour: kubernetes-sigs/structured-merge-diff merge/update.go @ v6.3.0 and kubernetes/apimachinery
pkg/util/managedfields/internal @ v0.35.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen_controller.errors import error_of
from trainergen_controller.inprocess import fieldsets
from trainergen_controller.inprocess.merging import Comparison, compare, fields_of, merge, named_members, same, without

if TYPE_CHECKING:
    from trainergen_controller.client import Object
    from trainergen_controller.inprocess.fieldsets import FieldSet
    from trainergen_controller.inprocess.shapes import Shape

APPLY, UPDATE = "Apply", "Update"
BEFORE_FIRST_APPLY = "before-first-apply"
ANCIENT = "ancient-changes"
UPDATERS_LIMIT = 10

_OWN = ("name", "namespace", "creationTimestamp", "selfLink", "uid", "generation", "managedFields", "resourceVersion")
NEVER_OWNED = fieldsets.of(
    ("f:apiVersion",), ("f:kind",), ("f:metadata",), *(("f:metadata", f"f:{name}") for name in _OWN)
)


class Identity(NamedTuple):
    """What tells entries of the managed fields apart; for appliers the API version does not."""

    manager: str
    operation: str
    subresource: str = ""
    api_version: str = ""


@dataclass(frozen=True, slots=True)
class Owned:
    """What one manager owns, and since when."""

    fields: FieldSet
    api_version: str
    time: str


Managers = dict[Identity, Owned]


@dataclass(frozen=True, slots=True)
class Request:
    """Who changes an object, where, and when; ``ignored`` are fields that a change at this place cannot reach."""

    shape: Shape
    manager: str
    api_version: str
    time: str
    subresource: str = ""
    ignored: FieldSet | None = None

    def identity(self, operation: str) -> Identity:
        """The entry of the managed fields that the change goes to."""
        version = "" if operation == APPLY else self.api_version
        return Identity(self.manager, operation, self.subresource, version)

    def compare(self, old: Object, new: Object) -> Comparison:
        """What the change touches."""
        found = compare(old, new, self.shape)
        return found.without(self.ignored) if self.ignored else found


def decode(obj: Object) -> Managers:
    """The managed fields that an object carries."""
    found: Managers = {}
    for entry in (obj.get("metadata") or {}).get("managedFields") or ():
        operation, version = entry.get("operation", ""), entry.get("apiVersion", "")
        identity = Identity(
            entry.get("manager", ""), operation, entry.get("subresource", ""), "" if operation == APPLY else version
        )
        found[identity] = Owned(fieldsets.decode(entry.get("fieldsV1") or {}), version, entry.get("time", ""))
    return found


def encode(managers: Managers) -> list[dict[str, Any]]:
    """As an object carries them: appliers first, then by time and name."""
    entries = sorted(managers.items(), key=lambda item: (item[0].operation, item[1].time, item[0]))
    return [_entry(identity, owned) for identity, owned in entries]


def _entry(identity: Identity, owned: Owned) -> dict[str, Any]:
    entry = {
        "manager": identity.manager,
        "operation": identity.operation,
        "apiVersion": owned.api_version,
        "fieldsType": "FieldsV1",
        "fieldsV1": fieldsets.encode(owned.fields),
    }
    optional = {"time": owned.time, "subresource": identity.subresource}
    return {**entry, **{name: value for name, value in optional.items() if value}}


def bare(obj: Object) -> Object:
    """An object without its managed fields."""
    metadata = {key: value for key, value in (obj.get("metadata") or {}).items() if key != "managedFields"}
    return {**obj, "metadata": metadata}


def with_managers(obj: Object, managers: Managers) -> Object:
    """An object with these managed fields."""
    plain = bare(obj)
    if managers:
        plain["metadata"]["managedFields"] = encode(managers)
    return plain


def updated(live: Object, new: Object, managers: Managers, request: Request) -> Managers:
    """The managers after ``live`` became ``new`` by anything but an apply."""
    old_object, new_object = bare(live), bare(new)
    changes = request.compare(old_object, new_object)
    identity = request.identity(UPDATE)
    kept = _without_changes(managers, changes, of_all_but=None)
    touched = fieldsets.difference(fieldsets.union(changes.modified, changes.added), NEVER_OWNED)
    if touched:
        before = kept[identity].fields if identity in kept else {}
        kept[identity] = Owned(fieldsets.union(touched, before), request.api_version, request.time)
    return _capped(kept)


def _without_changes(managers: Managers, changes: Comparison, *, of_all_but: Identity | None) -> Managers:
    """The managers without what was changed or removed; who is left with nothing goes."""
    gone = fieldsets.union(fieldsets.union(changes.modified, changes.added), changes.removed)
    kept: Managers = {}
    for identity, owned in managers.items():
        fields = owned.fields if identity == of_all_but else fieldsets.difference(owned.fields, gone)
        if fields:
            kept[identity] = replace(owned, fields=fields)
    return kept


def _capped(managers: Managers) -> Managers:
    """At most ten updaters: the oldest of one API version are thrown together."""
    updaters = sorted(
        (identity for identity in managers if identity.operation == UPDATE),
        key=lambda identity: (managers[identity].time, identity),
    )
    result, first = dict(managers), {}
    surplus = len(updaters) - UPDATERS_LIMIT
    for identity in updaters:
        if surplus <= 0:
            break
        version = identity.api_version
        if version not in first:
            first[version] = identity
            continue
        bucket = Identity(ANCIENT, UPDATE, "", version)
        if bucket not in result:
            result[bucket] = result.pop(first[version])
        owned = result.pop(identity)
        result[bucket] = replace(owned, fields=fieldsets.union(owned.fields, result[bucket].fields))
        surplus -= 1
    return result


class Applied(NamedTuple):
    """An object as somebody wants it, and who then owns what."""

    object: Object
    managers: Managers
    faults: Mapping[str, str] = {}
    """What is wrong with it already, by field."""


def applied(live: Object, config: Object, request: Request, *, force: bool) -> Applied:
    """``config`` applied to ``live``; an object of nothing but its identity is one that does not exist yet.

    Raises ConflictError when others own a field that would change, unless ``force``; ValueError for lists that cannot
    be merged.
    """
    managers, old = decode(live), bare(live)
    if not managers:
        managers = _before_first_apply(old, request)
    identity = request.identity(APPLY)
    last = managers[identity].fields if identity in managers else {}
    merged = merge(old, config, request.shape)
    wanted = fields_of(config, request.shape)
    if request.ignored:
        wanted = fieldsets.difference(wanted, request.ignored, recursive=True)
    time = managers[identity].time if identity in managers else ""
    managers = {**managers, identity: Owned(wanted, request.api_version, time)}
    new = _pruned(merged, managers, last, request.shape) if last else merged
    changes = request.compare(old, new)
    if not force:
        _refuse_conflicts(managers, changes, identity)
    managers = _without_changes(managers, changes, of_all_but=identity)
    managers = _stripped(managers, identity)
    if not same(old, new) and identity in managers:
        managers[identity] = replace(managers[identity], time=request.time)
    return Applied(new, managers)


def _before_first_apply(live: Object, request: Request) -> Managers:
    """What was there before anybody's fields were tracked belongs to a manager of its own."""
    if not live["metadata"].get("uid"):
        return {}
    earlier = replace(request, manager=BEFORE_FIRST_APPLY)
    empty = {"apiVersion": live["apiVersion"], "kind": live["kind"], "metadata": {}}
    return updated(empty, live, {}, earlier)


def _stripped(managers: Managers, identity: Identity) -> Managers:
    if identity not in managers:
        return managers
    fields = fieldsets.difference(managers[identity].fields, NEVER_OWNED)
    rest = {other: owned for other, owned in managers.items() if other != identity}
    return {**rest, identity: replace(managers[identity], fields=fields)} if fields else rest


def _pruned(merged: Object, managers: Managers, last: FieldSet, shape: Shape) -> Object:
    """``merged`` without what the manager applied last time, does not apply any more, and nobody else owns."""
    last = named_members(last, shape)
    pruned = without(merged, last, shape) or {}
    owned: FieldSet = {}
    for manager in managers.values():
        owned = fieldsets.union(owned, manager.fields)
    every = named_members(fields_of(merged, shape), shape)
    kept = fieldsets.union(named_members(fields_of(pruned, shape), shape), named_members(owned, shape))
    pruned = without(merged, fieldsets.difference(every, kept), shape) or {}
    left = named_members(fields_of(pruned, shape), shape)
    result: Object = without(merged, fieldsets.intersection(fieldsets.difference(every, left), last), shape) or {}
    return result


def _refuse_conflicts(managers: Managers, changes: Comparison, mine: Identity) -> None:
    changed = fieldsets.union(changes.modified, changes.added)
    found: list[tuple[str, str]] = []
    for identity, owned in sorted(managers.items()):
        if identity != mine:
            shared = fieldsets.intersection(owned.fields, changed)
            found += [(fieldsets.written(steps), _described(identity)) for steps in fieldsets.paths(shared)]
    if not found:
        return
    causes = [
        {"reason": "FieldManagerConflict", "message": f"conflict with {manager}", "field": place}
        for place, manager in found
    ]
    some = ", ".join(f"{place} ({manager})" for place, manager in found[:5])
    message = f"apply would change {len(found)} fields that other managers own: {some}"
    raise error_of(409, "Conflict", message, details={"causes": causes})


def _described(identity: Identity) -> str:
    using = f" using {identity.api_version}" if identity.operation == UPDATE else ""
    part = f" with subresource '{identity.subresource}'" if identity.subresource else ""
    return f"'{identity.manager}'{part}{using}"
