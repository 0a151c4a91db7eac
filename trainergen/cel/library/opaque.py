"""Values of the types that Kubernetes adds to CEL (quantity, IP address, …), as the engines can carry them.

Neither engine takes foreign objects, so such a value is a map with one key that names its type; the entry is written
in one way only, so that equal values are equal maps.
"""

from __future__ import annotations

from typing import Any

_MARK = "@"


def wrap(kind: str, content: str) -> dict[str, str]:
    """A value of the type ``kind``."""
    return {_MARK + kind: content}


def unwrap(value: Any, *kinds: str) -> tuple[str, str]:
    """The type and content of ``value``; ValueError when it is of none of the types."""
    for kind in kinds:
        if isinstance(value, dict) and len(value) == 1 and _MARK + kind in value:
            return kind, str(value[_MARK + kind])
    raise ValueError("no such overload")


def accepts(convert: Any, *arguments: Any) -> bool:
    """Does a conversion succeed?"""
    try:
        convert(*arguments)
    except ValueError:
        return False
    return True
