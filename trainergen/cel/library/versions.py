"""Semantic versions in CEL, and the comparisons that they share with quantities.

Behaviour: kubernetes/apiserver pkg/cel/library/{semverlib.go,quantity.go} @ v0.35.0.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from trainergen.cel.library.function import Function
from trainergen.cel.library.opaque import accepts, unwrap, wrap
from trainergen.cel.library.quantities import nano_of

_NUMBER = r"(0|[1-9][0-9]*)"
_PARTS = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_PARTS}(?:\.{_PARTS})*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"


def semver(text: str, normalize: bool = False) -> dict[str, str]:
    """``text`` as a version; with ``normalize`` a leading v, leading zeros and missing parts are put right first."""
    written = _normal(str(text)) if normalize else str(text)
    if re.fullmatch(_VERSION, written) is None:
        raise ValueError(f"'{text}' is no semantic version")
    return wrap("semver", written)


def _normal(text: str) -> str:
    parts = text.removeprefix("v").split(".", 2)
    if len(parts) < 3 and re.search(r"[+-]", parts[-1]):
        raise ValueError("short version cannot contain PreRelease/Build meta data")
    parts += ["0"] * (3 - len(parts))
    return ".".join(re.sub(r"^0+(?=[0-9])", "", part) for part in parts)


def is_semver(text: str, normalize: bool = False) -> bool:
    """Is ``text`` a version?"""
    return accepts(semver, text, normalize)


def _match(value: Any) -> re.Match[str]:
    match = re.fullmatch(_VERSION, unwrap(value, "semver")[1])
    assert match is not None
    return match


def major(value: Any) -> int:
    """The first number."""
    return int(_match(value)[1])


def minor(value: Any) -> int:
    """The second number."""
    return int(_match(value)[2])


def patch(value: Any) -> int:
    """The third number."""
    return int(_match(value)[3])


def _precedence(value: Any) -> tuple[Any, ...]:
    """A version's place in the order: pre-releases before the release, numbers in them before words, builds ignored."""
    match = _match(value)
    words = match[4].split(".") if match[4] else []
    ranked = [(0, int(word), "") if word.isdigit() else (1, 0, word) for word in words]
    return int(match[1]), int(match[2]), int(match[3]), not words, ranked


def compare(value: Any, other: Any) -> int:
    """-1, 0 or 1 for two versions or two quantities."""
    kind, _ = unwrap(value, "semver", "quantity")
    key: Callable[[Any], Any] = _precedence if kind == "semver" else nano_of
    left, right = key(value), key(other)
    return bool(left > right) - bool(left < right)


def is_greater(value: Any, other: Any) -> bool:
    """Is the first the greater?"""
    return compare(value, other) > 0


def is_less(value: Any, other: Any) -> bool:
    """Is the first the smaller?"""
    return compare(value, other) < 0


VERSIONS = (
    Function("semver", ("string",), "map", semver, member=False),
    Function("semver", ("string", "bool"), "map", semver, member=False),
    Function("isSemver", ("string",), "bool", is_semver, member=False),
    Function("isSemver", ("string", "bool"), "bool", is_semver, member=False),
    Function("major", ("map",), "int", major),
    Function("minor", ("map",), "int", minor),
    Function("patch", ("map",), "int", patch),
    Function("compareTo", ("map", "map"), "int", compare),
    Function("isGreaterThan", ("map", "map"), "bool", is_greater),
    Function("isLessThan", ("map", "map"), "bool", is_less),
)
