"""The text of a runtime snapshot: block YAML with sorted keys, as the controller writes it.

Only what JSON can hold is written, and every text that YAML could take for something else is quoted.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonValue

_PLAIN = re.compile(r"[A-Za-z/][\w./@$-]*(?::[\w./@$-]+)*", re.ASCII)
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


def yaml_text(value: JsonValue) -> str:
    """``value`` as a YAML document."""
    lines: list[str] = []
    _write(value, "", lines, "")
    return "\n".join(lines) + "\n"


def _write(value: JsonValue, indent: str, lines: list[str], lead: str) -> None:
    """Add the lines of ``value``; ``lead`` is what stands before its first line already."""
    if isinstance(value, dict) and value:
        for key in sorted(value):
            _write_item(value[key], indent, lines, f"{lead}{_text(key)}:")
            lead = indent
    elif isinstance(value, list) and value:
        for item in value:
            if isinstance(item, dict | list) and item:
                _write(item, indent + "  ", lines, f"{lead}- ")
            else:
                lines.append(f"{lead}- {_scalar(item)}")
            lead = indent
    else:
        lines.append(lead + _scalar(value))


def _write_item(value: JsonValue, indent: str, lines: list[str], start: str) -> None:
    if not isinstance(value, dict | list) or not value:
        lines.append(f"{start} {_scalar(value)}")
        return
    lines.append(start)
    # The items of a list stand as far in as the key that holds it.
    inner = indent if isinstance(value, list) else indent + "  "
    _write(value, inner, lines, inner)


def _scalar(value: JsonValue) -> str:
    if isinstance(value, str):
        return _text(value)
    return json.dumps(value)


@lru_cache(maxsize=4096)
def _text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
