"""How a function of the library is declared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

UNSUPPORTED = "is not supported here"
"""In the message of an error: the function has a value there, and only this implementation cannot give it."""


@dataclass(frozen=True, slots=True)
class Function:
    """One overload: its name, the CEL types it takes and gives, and whether it is called as ``first.name(rest)``."""

    name: str
    parameters: tuple[str, ...]
    result: str
    implementation: Callable[..., Any]
    member: bool = True
