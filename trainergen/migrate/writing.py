"""A migrated object as YAML, with the comments that were carried along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.migrate.comments import Comments
from trainergen.source.writing import key_text, scalar_text

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path


def yaml_text(obj: JsonObject, comments: Comments | None = None) -> str:
    """An object as a YAML document without a marker."""
    notes = comments or Comments()
    return "\n".join([*notes.head, *_entries(obj, (), notes), *notes.tail, ""])


def list_lines(value: list[JsonValue]) -> list[str]:
    """The lines of a block list."""
    return list(_items(value, (), Comments()))


def _entries(value: JsonObject, path: Path, notes: Comments) -> Iterator[str]:
    for key, each in value.items():
        place = (*path, key)
        yield from notes.above.get(place, ())
        yield from _value(f"{key_text(key)}:", each, place, notes)


def _items(value: list[JsonValue], path: Path, notes: Comments) -> Iterator[str]:
    for at, each in enumerate(value):
        place = (*path, at)
        yield from notes.above.get(place, ())
        if isinstance(each, dict) and each:
            if place in notes.beside:
                yield notes.beside[place]
            lines = [*_entries(each, place, notes)]
            first = next(number for number, line in enumerate(lines) if not line.startswith("#"))
            # Comments above the first key stand above the dash.
            yield from lines[:first]
            yield f"- {lines[first]}"
            yield from (f"  {line}" for line in lines[first + 1 :])
        else:
            yield from _value("-", each, place, notes)


def _value(head: str, value: JsonValue, path: Path, notes: Comments) -> Iterator[str]:
    beside = f"  {notes.beside[path]}" if path in notes.beside else ""
    if isinstance(value, dict) and value:
        yield head + beside
        yield from (f"  {line}" for line in _entries(value, path, notes))
    elif isinstance(value, list) and value:
        yield head + beside
        yield from (f"  {line}" for line in _items(value, path, notes))
    elif isinstance(value, str) and _fits_block(value):
        yield f"{head} |{'' if value.endswith(chr(10)) else '-'}{beside}"
        yield from (f"  {line}" if line else "" for line in value.removesuffix("\n").split("\n"))
    else:
        # A text full of double quotes reads better between single ones.
        style = "'" if isinstance(value, str) and '"' in value else ""
        yield f"{head} {scalar_text(value, style=style)}{beside}"


def _fits_block(text: str) -> bool:
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < 2 or text.endswith("\n\n") or text[0] in " \n\t":
        return False
    return all(line.isprintable() and line == line.rstrip() for line in lines) and bool(lines[-1])
