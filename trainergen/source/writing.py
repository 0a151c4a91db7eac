"""Values as they are written into a manifest: plain where every reader takes them for what they are, else quoted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.source.scalars import plain

if TYPE_CHECKING:
    from trainergen.finding import JsonValue

# Starts with a letter, a slash or a dot; no character that means something to YAML, in flow style neither.
_PLAIN = r"[A-Za-z/._](?:[A-Za-z0-9/._@=+-]| (?=[A-Za-z0-9/._@=+-])|:(?=[A-Za-z0-9/._@=+-]))*"
_STEP = 2


def scalar_text(value: JsonValue, *, style: str = "") -> str:
    """A value that is no collection, or an empty one, on one line; ``style`` is the quotes to keep for text."""
    if isinstance(value, str):
        return _string(value, style)
    return json.dumps(value, ensure_ascii=False)


def _string(text: str, style: str) -> str:
    one_line = text.isprintable()
    if style == "'" and one_line:
        return "'" + text.replace("'", "''") + "'"
    if style != '"' and one_line and re.fullmatch(_PLAIN, text) and isinstance(plain(text), str):
        return text
    return "".join(map(_visible, json.dumps(text, ensure_ascii=False)))


def _visible(character: str) -> str:
    """A character of a text in double quotes, as an escape of YAML when it would not show; JSON has no such escapes
    beyond 16 bits, so that its surrogates will not do."""
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}" if character < "\U00010000" else f"\\U{ord(character):08x}"


def key_text(key: str) -> str:
    """A mapping key."""
    return _string(key, "")


def flow_text(value: JsonValue) -> str:
    """A value on one line, whatever it holds."""
    if isinstance(value, dict) and value:
        return "{" + ", ".join(f"{key_text(key)}: {flow_text(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list) and value:
        return "[" + ", ".join(map(flow_text, value)) + "]"
    return scalar_text(value)


def entry_lines(key: str, value: JsonValue) -> list[str]:
    """``key: value`` as the lines of a block mapping, the first one not indented."""
    if not value or not isinstance(value, dict | list):
        return [f"{key_text(key)}: {scalar_text(value)}"]
    return [f"{key_text(key)}:", *(" " * _STEP + line for line in block_lines(value))]


def item_lines(value: JsonValue) -> list[str]:
    """``- value`` as the lines of a block list, the first one not indented."""
    first, *others = block_lines(value)
    return [f"- {first}", *(" " * _STEP + line for line in others)]


def block_lines(value: JsonValue) -> list[str]:
    """A value in block style."""
    return list(_block(value))


def _block(value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from entry_lines(key, each)
    elif isinstance(value, list) and value:
        for each in value:
            yield from item_lines(each)
    else:
        yield scalar_text(value)
