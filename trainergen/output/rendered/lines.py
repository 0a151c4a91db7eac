"""Block YAML line by line, each line with the document path of what it writes.

Quick, plain and stable: keys in their order, and every text that a reader could take for something else in quotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path

# What needs no quotes: words and file names, with single blanks between, and amounts such as 32Gi.
_WORD = r"[\w./@$+~%-]+(?:[:=][\w./@$+~%-]+)*"
_PLAIN = re.compile(rf"-{{0,2}}[A-Za-z/](?:[\w./@$+~%-]*)(?:[:=][\w./@$+~%-]+)*(?: {_WORD})*|\d+[KMGTP]i", re.ASCII)
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_BLOCK_LINE = re.compile(r"[^\s](?:.*\S)?|[ ]+\S(?:.*\S)?|", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of YAML without its end; ``inside`` for the lines of a text, where no comment can stand."""

    text: str
    path: Path
    inside: bool = False


def yaml_lines(value: JsonObject) -> Iterator[Line]:
    """The lines of one document."""
    yield from _lines(value, "", "", ())


def yaml_text(value: JsonObject) -> str:
    """One document as text, without a leading ``---``."""
    return "".join(f"{line.text}\n" for line in yaml_lines(value))


def _lines(value: JsonValue, indent: str, lead: str, path: Path) -> Iterator[Line]:
    """The lines of ``value``; ``lead`` is what stands before its first line already."""
    if isinstance(value, dict) and value:
        for key, child in value.items():
            yield from _entry(child, indent, f"{lead}{scalar(key)}:", (*path, key))
            lead = indent
    elif isinstance(value, list) and value:
        for number, item in enumerate(value):
            place = (*path, number)
            if isinstance(item, dict | list) and item:
                yield from _lines(item, indent + "  ", f"{lead}- ", place)
            else:
                yield from _entry(item, indent, f"{lead}-", place)
            lead = indent
    else:
        yield Line(f"{lead}{scalar(value)}", path)


def _entry(value: JsonValue, indent: str, start: str, path: Path) -> Iterator[Line]:
    if isinstance(value, dict | list) and value:
        yield Line(start, path)
        # The items of a list stand as far in as the key that holds it.
        inner = indent if isinstance(value, list) else indent + "  "
        yield from _lines(value, inner, inner, path)
    elif isinstance(value, str) and _is_block(value):
        yield Line(f"{start} |{_chomping(value)}", path)
        for line in value.removesuffix("\n").split("\n"):
            yield Line(f"{indent}  {line}" if line else "", path, inside=True)
    else:
        yield Line(f"{start} {scalar(value)}", path)


def _is_block(text: str) -> bool:
    """True for a text of several lines that reads back the same from an indented block."""
    if "\n" not in text or text[0] in " \n" or _UNPRINTABLE.search(text):
        return False
    lines = text.removesuffix("\n").split("\n")
    # A block that ends in empty lines would need them counted.
    return bool(lines[-1]) and all(_BLOCK_LINE.fullmatch(line) and line.isprintable() for line in lines)


def _chomping(text: str) -> str:
    return "" if text.endswith("\n") else "-"


def scalar(value: JsonValue) -> str:
    """A value on one line: empty collections, numbers, words, and texts in double quotes as JSON writes them."""
    if isinstance(value, str):
        return _text(value)
    return json.dumps(value)


@lru_cache(maxsize=4096)
def _text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
