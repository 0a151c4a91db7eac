"""What in a kustomization sets a value that the object's own file has otherwise: a patch, or one of its fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from trainergen.built.alignment import aligned, value_at
from trainergen.rules.objects import Entry

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, JsonValue, Path
    from trainergen.rules import Kustomization, Part
    from trainergen.rules.found import Spot
    from trainergen.rules.views.patch import Patch
    from trainergen.source import Document

_IDENTITY = (("metadata", "name"), ("metadata", "namespace"), ("kind",), ("apiVersion",))


class _Found(NamedTuple):
    spot: Spot
    steps: int
    """How many steps of the path it sets."""


def change_place(
    kustomization: Kustomization, finding: Finding, *, value: JsonObject, document: Document
) -> Finding | None:
    """The finding at what sets the value it is about, None when nothing seen does.

    ``value`` is the built object, ``document`` the one it was before.
    """
    at = finding.at
    entry = Entry(document)
    built = entry.with_value(value)
    best: _Found | None = None
    for one in kustomization.closure:
        for patch in reversed(one.patches):
            if not (patch.selects(entry) or patch.selects(built)):
                continue
            for found in _in_patch(patch, value, at):
                if best is None or found.steps > best.steps:
                    best = found
    for one in kustomization.closure if best is None else ():
        best = _in_field(one, value, at)
        if best is not None:
            break
    if best is None:
        return None
    spot, whole = best.spot, best.steps == len(at)
    on_key = finding.on_key or spot.on_key or not whole
    return spot.where.document.place(replace(finding, at=spot.path, on_key=on_key))


def _in_patch(patch: Patch, value: JsonObject, at: Path) -> Iterator[_Found]:
    if at in _IDENTITY:
        return
    for part in patch.documents:
        there = aligned(value, part.value, at).path
        whole = len(there) == len(at)
        # NB: a patch that goes part of the way has to do with it when a list is on the way, which it may replace.
        in_list = isinstance(value_at(part.value, there), list) or any(isinstance(step, int) for step in there)
        set_there = value_at(part.value, there)
        is_it = isinstance(set_there, dict) or set_there == value_at(value, at)
        if (whole and is_it) or (not whole and in_list):
            yield _Found(part.at("", *there), len(there))
    for operation in patch.operations:
        yield from _in_operation(operation, at)


def _in_operation(operation: Part, at: Path) -> Iterator[_Found]:
    target = _steps(operation.text("path"), at)
    if len(target) > len(at) > 1 and target[: len(at)] == at:
        yield _Found(operation.at("path"), len(at))
        return
    if not target or at[: len(target)] != target:
        return
    if operation.text("op") not in ("add", "replace", "copy", "move"):
        yield _Found(operation.at("path"), len(target))
        return
    rest = at[len(target) :]
    there = aligned(operation.get("value"), operation.get("value"), rest).path
    yield _Found(operation.at("value", *there), len(target) + len(there))


def _steps(pointer: str, at: Path) -> Path:
    """The steps of a JSON pointer, numbers where ``at`` has numbers; ``-`` is whatever number ``at`` has."""
    found: list[str | int] = []
    for index, written in enumerate(pointer.split("/")[1:]):
        step = written.replace("~1", "/").replace("~0", "~")
        there = at[index] if index < len(at) else ""
        if isinstance(there, int) and (step == "-" or step == str(there)):
            found.append(there)
        else:
            found.append(step)
    return tuple(found)


def _in_field(one: Kustomization, value: JsonObject, at: Path) -> _Found | None:
    """The field of a kustomization that changes such values."""
    fields: list[tuple[str | int, ...]] = []
    if at == ("metadata", "namespace"):
        fields = [("namespace",)]
    elif at == ("metadata", "name"):
        fields = [("namePrefix",), ("nameSuffix",)]
    elif at[:1] == ("metadata",) and len(at) > 2:
        common = {"labels": "commonLabels", "annotations": "commonAnnotations"}.get(str(at[1]), "")
        listed = range(len(one.values("labels"))) if at[1] == "labels" else range(0)
        fields = [(common, at[2]), *(("labels", index, "pairs", at[2]) for index in listed)]
    elif at[-1:] == ("image",):
        fields = list(_images(one, value_at(value, at)))
    for field in fields:
        if one.get("", *field) is not None:
            return _Found(one.at("", *field), len(at))
    return None


def _images(one: Kustomization, image: JsonValue) -> Iterator[tuple[str | int, ...]]:
    """The entries of ``images`` that can have made an image's name what it is."""
    for index, part in enumerate(one.parts("images")):
        name = part.text("newName") or part.text("name")
        if not isinstance(image, str) or not name or not image.startswith(name):
            continue
        rest = image[len(name) :]
        for key, sign in (("newTag", ":"), ("digest", "@"), ("newName", "")):
            if (given := part.text(key)) and rest.startswith((sign + given) if sign else (":", "@")):
                yield "images", index, key
                break
