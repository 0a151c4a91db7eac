"""Patches written anew: an entry of a kustomization and its text, for what the patched job becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.migrate.comments import comments_of
from trainergen.migrate.placing import RUNTIME
from trainergen.migrate.writing import list_lines, yaml_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.migrate.overlays.changes import Change
    from trainergen.rules.views.patch import Patch


def entry_for(change: Change, *, name: str) -> JsonObject:
    """An item of ``patches`` that makes a change of the object of that name."""
    text = "\n".join([*list_lines(list(change.operations)), ""])
    if change.deletes:
        text = yaml_text({**identity(change), "$patch": "delete"})
    return {"target": {"group": _group(change), "kind": change.kind, "name": name}, "patch": text}


def identity(change: Change) -> JsonObject:
    """What says which object a patch without a target is for."""
    return {"apiVersion": change.api_version, "kind": change.kind, "metadata": {"name": change.name}}


def _group(change: Change) -> str:
    return change.api_version.rpartition("/")[0]


def aimed(target: JsonObject, change: Change) -> JsonObject:
    """The selector of a patch for what the job becomes."""
    group, _, version = change.api_version.rpartition("/")
    out: JsonObject = {"group": group}
    for key, value in target.items():
        out[key] = {"group": group, "version": version, "kind": change.kind}.get(key, value)
    out.setdefault("kind", change.kind)
    if change.kind == RUNTIME:
        out["name"] = change.name
        for key in ("labelSelector", "annotationSelector"):
            out.pop(key, None)
    return out


def content(patch: Patch, change: Change) -> JsonValue:
    """What a patch with a target says, in the form that it has: operations, or an object to be merged."""
    if patch.is_json_patch:
        return list(change.operations)
    return {**identity(change), **merged(change)}


def merged(change: Change) -> JsonObject:
    """What is to be merged, without the identity."""
    return {key: value for key, value in change.merge.items() if key not in ("apiVersion", "kind")}


def object_patch(written: JsonObject, change: Change) -> JsonObject:
    """A patch that names its object, for what the job becomes; ``written`` is the one for the job."""
    old = written.get("metadata")
    metadata: JsonObject = dict(old) if isinstance(old, dict) else {}
    kept = {key: value for key, value in metadata.items() if key in ("name", "namespace")}
    if change.kind == RUNTIME and written.get("kind") != RUNTIME:
        kept = {**kept, "name": change.name}
    out: JsonObject = {**identity(change), "metadata": kept}
    if change.deletes:
        return {**out, "$patch": "delete"}
    more = merged(change)
    inner = more.pop("metadata", None)
    if isinstance(inner, dict):
        out["metadata"] = {**inner, **kept}
    return {**out, **more}


def inline(values: Iterable[JsonValue], text: str) -> str:
    """The text of a patch within a kustomization, with the comments of the one that it takes the place of."""
    comments = comments_of(text)
    parts = [
        yaml_text(value) if isinstance(value, dict) else "\n".join([*list_lines(_items(value)), ""]) for value in values
    ]
    return "".join(f"{line}\n" for line in comments) + "---\n".join(parts)


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]
