"""JSON patches of kustomize: operations on what an upgrade moves, as operations on where it moves to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trainergen.fix import Edit, apply_edits
from trainergen.policies.json_patch import PatchError, patched
from trainergen.source.edits import delete_entry, replace_value
from trainergen.source.reader import read_documents
from trainergen.source.writing import flow_text, item_lines
from trainergen.upgrade.comments import comments_in, trailing_comment

if TYPE_CHECKING:
    from collections.abc import Callable

    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.source.document import Document
    from trainergen.source.tree import Node

Operation = dict[str, "JsonValue"]
_POINTER = re.compile(r"/[A-Za-z0-9/._~-]+")
_PROBE = "-trainergen"


def is_operations(value: JsonValue) -> bool:
    """Whether a value is a JSON patch."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) and "op" in one for one in value)


def carried_out(value: JsonObject, operation: Operation) -> JsonObject:
    """A copy of an object after an operation, as kustomize does it; raises PatchError."""
    if operation.get("op") == "replace":
        try:
            return patched(value, [operation])
        except PatchError:
            # A leaf that is not there is written, a list item is not.
            return patched(value, [{**operation, "op": "add"}])
    return patched(value, [operation])


def rewritten(
    operations: Sequence[Operation], value: JsonObject, upgraded: Callable[[JsonObject], JsonObject]
) -> list[list[Operation]] | None:
    """For each operation on an object those that do the same to the object as ``upgraded``.

    None where that cannot be said: an operation that does not suit the object, or a test of what has no place of its
    own any more.
    """
    found: list[list[Operation]] = []
    before, after = value, upgraded(value)
    for operation in operations:
        try:
            value = carried_out(before, operation)
        except PatchError:
            return None
        wanted = upgraded(value)
        if _does(operation, after, wanted):
            found.append([operation])
        elif operation.get("op") == "test":
            moved = _test(operation, before, upgraded)
            if moved is None or not _does(moved, after, wanted):
                return None
            found.append([moved])
        else:
            found.append(list(differences(after, wanted)))
        before, after = value, wanted
    return found


def _does(operation: Operation, before: JsonObject, wanted: JsonObject) -> bool:
    try:
        return carried_out(before, operation) == wanted
    except PatchError:
        return False


def _test(operation: Operation, value: JsonObject, upgraded: Callable[[JsonObject], JsonObject]) -> Operation | None:
    """The same test of a text where an upgrade puts it: another text there shows up in one place."""
    wanted = operation.get("value")
    if not isinstance(wanted, str):
        return None
    other = patched(value, [{**operation, "op": "replace", "value": wanted + _PROBE}])
    moves = list(differences(upgraded(value), upgraded(other)))
    if len(moves) != 1 or moves[0].get("value") != wanted + _PROBE:
        return None
    return {**operation, "path": moves[0]["path"]}


def differences(old: JsonValue, new: JsonValue, path: str = "") -> Iterator[Operation]:
    """The operations that make one value of another, as deep in it as they can be."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old:
            if key not in new:
                yield {"op": "remove", "path": _below(path, key)}
        for key, value in new.items():
            if key not in old:
                yield {"op": "add", "path": _below(path, key), "value": value}
            else:
                yield from differences(old[key], value, _below(path, key))
    elif isinstance(old, list) and isinstance(new, list) and old and len(new) >= len(old):
        for at, item in enumerate(old):
            yield from differences(item, new[at], f"{path}/{at}")
        for item in new[len(old) :]:
            yield {"op": "add", "path": f"{path}/-", "value": item}
    elif old != new:
        yield {"op": "replace", "path": path, "value": new}


def _below(path: str, key: str) -> str:
    return f"{path}/{key.replace('~', '~0').replace('/', '~1')}"


def operation_edits(document: Document, operations: Sequence[Sequence[Operation]]) -> tuple[Edit, ...] | None:
    """The edits of a JSON patch that write these operations in the place of each of its own.

    None where it cannot be edited in place, or where nothing would be left.
    """
    value = document.value
    if not isinstance(value, list) or not any(operations):
        return None
    edits: list[Edit] = []
    for at, (old, new) in enumerate(zip(value, operations, strict=True)):
        if isinstance(old, dict) and list(new) != [old]:
            made = _edits(document, at, old, new)
            if made is None:
                return None
            edits += made
    wanted = [one for found in operations for one in found]
    return tuple(edits) if _gives(document, edits, wanted) else None


def _gives(document: Document, edits: Sequence[Edit], wanted: list[Operation]) -> bool:
    try:
        data = apply_edits(document.span.source.data, edits)
    except ValueError:
        return False
    read = read_documents(data, file=document.file).documents
    return [one.value for one in read if one.index == document.index] == [wanted]


def _edits(document: Document, at: int, old: Operation, new: Sequence[Operation]) -> list[Edit] | None:
    if not new:
        return _all([delete_entry(document, (at,))])
    if len(new) == 1 and old.keys() == new[0].keys():
        # What is the same keeps its text.
        places: list[Path] = [(at, key) for key in old if old[key] != new[0][key]]
        if all(not isinstance(new[0][str(place[-1])], dict | list) for place in places):
            return _all([_put(document, place, new[0][str(place[-1])]) for place in places])
    node, root = document.node_at((at,)), document.span.root
    if node is None or root is None or root.alias_of is not None:
        return None
    return _all([_anew(document, node, root, new)])


def _put(document: Document, place: Path, value: JsonValue) -> Edit | None:
    """Another value in its place; a pointer that was plain stays so."""
    node, source = document.node_at(place), document.span.source
    if node is not None and isinstance(value, str) and _POINTER.fullmatch(value):
        written = source.text[node.start : node.end]
        if written == node.text and _POINTER.fullmatch(written):
            return Edit(source.byte_offset(node.start), source.byte_offset(node.end), value.encode())
    return replace_value(document, place, value)


def _all(edits: Sequence[Edit | None]) -> list[Edit] | None:
    made = [edit for edit in edits if edit is not None]
    return made if len(made) == len(edits) else None


def _anew(document: Document, node: Node, root: Node, operations: Sequence[Operation]) -> Edit | None:
    """Operations in the place of one, its comments above them."""
    source = document.span.source
    text = source.text
    if root.flow:
        write = json.dumps if text[root.start : root.end].count('"') else flow_text
        written = ", ".join(write(operation) for operation in operations)
        return Edit(source.byte_offset(node.start), source.byte_offset(node.end), written.encode())
    line = max(text.rfind("\n", 0, node.start), text.rfind("\r", 0, node.start)) + 1
    dash = text.find("-", line, node.start)
    if dash < 0 or text[line:dash].strip():
        return None
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [line for operation in operations for line in item_lines(operation)]
    end = node.end + len(trailing_comment(text, node.end))
    kept = comments_in(text, dash, end, root)
    written = (newline + " " * (dash - line)).join([*kept, *lines])
    return Edit(source.byte_offset(dash), source.byte_offset(end), written.encode())
