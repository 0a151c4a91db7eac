"""Manifests as YAML: byte for byte the same each time, and read as the same values by every reader.

An emitter of its own, since objects are plain and there are thousands of them: no anchors, no tags, no line folding.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from trainergen.source.scalars import plain
from trainergen.source.writing import scalar_text

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue

_STRING = "tag:yaml.org,2002:str"
# No character that means something to YAML where it stands; a colon only inside of a word.
_BARE = re.compile(
    r"(?:[A-Za-z0-9/._]|-{1,2}[A-Za-z])(?:[A-Za-z0-9/._@=+,${}%~-]| (?=[A-Za-z0-9/._@=+$-])|:(?=[A-Za-z0-9/._@=+$-]))*"
)


def manifest(value: JsonObject) -> str:
    """An object as a YAML document."""
    lines: list[str] = []
    _mapping(value, "", lines, first="")
    lines.append("")
    return "\n".join(lines)


def items(values: list[JsonValue]) -> str:
    """A list as a YAML document, such as the operations of a JSON patch."""
    lines: list[str] = []
    _sequence(values, "", lines)
    lines.append("")
    return "\n".join(lines)


def _mapping(value: JsonObject, indent: str, lines: list[str], *, first: str) -> None:
    """The entries of a mapping; ``first`` is what the first line begins with in place of the indent."""
    start = first or indent
    for key, each in value.items():
        _entry(f"{start}{text(key)}:", each, indent, lines)
        start = indent


def _sequence(value: list[JsonValue], indent: str, lines: list[str]) -> None:
    for each in value:
        if isinstance(each, dict) and each:
            _mapping(each, indent + "  ", lines, first=f"{indent}- ")
        elif isinstance(each, list) and each:
            inner: list[str] = []
            _sequence(each, indent + "  ", inner)
            inner[0] = f"{indent}- {inner[0].lstrip()}"
            lines += inner
        else:
            _scalar(f"{indent}-", each, indent, lines)


def _entry(head: str, value: JsonValue, indent: str, lines: list[str]) -> None:
    if isinstance(value, dict) and value:
        lines.append(head)
        _mapping(value, indent + "  ", lines, first="")
    elif isinstance(value, list) and value:
        lines.append(head)
        # The dashes of a list stand below its key, as in the manifests that people know.
        _sequence(value, indent, lines)
    else:
        _scalar(head, value, indent, lines)


def _scalar(head: str, value: JsonValue, indent: str, lines: list[str]) -> None:
    if isinstance(value, str):
        if "\n" in value and _is_block(value):
            lines.append(f"{head} {_block_head(value)}")
            lines += [f"{indent}  {line}" if line else "" for line in _block_lines(value)]
        else:
            lines.append(f"{head} {text(value)}")
    else:
        lines.append(f"{head} {json.dumps(value)}")


def _block_head(value: str) -> str:
    if not value.endswith("\n"):
        return "|-"
    return "|+" if value.endswith("\n\n") else "|"


def _block_lines(value: str) -> list[str]:
    return value.split("\n")[:-1] if value.endswith("\n") else value.split("\n")


def _is_block(value: str) -> bool:
    """Whether a text of several lines can be written as it is."""
    if value[0].isspace() or not value.strip():
        return False
    return all(line.replace("\t", " ").isprintable() and line == line.rstrip() for line in value.split("\n"))


@lru_cache(maxsize=1 << 14)
def text(value: str) -> str:
    """A string on one line: bare where every reader takes it for a string, else in double quotes."""
    if _BARE.fullmatch(value) and isinstance(plain(value), str) and _is_string(value):
        return value
    return scalar_text(value, style='"')


@cache
def _resolver() -> Resolver:
    return Resolver()


def _is_string(value: str) -> bool:
    """Whether readers of YAML 1.1 take the bare text for a string."""
    tag: str = _resolver().resolve(ScalarNode, value, (True, False))  # type: ignore[no-untyped-call]
    return tag == _STRING
