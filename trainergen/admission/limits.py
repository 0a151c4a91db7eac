"""The limits of a schema node: how long a text, how large a number, how many entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from trainergen.admission import checks
from trainergen.admission.faults import Fault

if TYPE_CHECKING:
    from trainergen.admission.faults import Faults
    from trainergen.finding import JsonObject, JsonValue, Path

Matcher: TypeAlias = Callable[[str], bool]


class Text:
    """The limits of a string."""

    __slots__ = ("conforms", "format", "matches", "maximum", "minimum", "pattern")

    def __init__(self, minimum: int | None = None, maximum: int | None = None) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.pattern: str | None = None
        self.matches: Matcher | None = None
        self.format: str | None = None
        self.conforms: Matcher | None = None

    @property
    def free(self) -> bool:
        """Any text will do."""
        return self.minimum is None and self.maximum is None and self.matches is None and self.conforms is None

    def check(self, value: str, path: Path, faults: Faults) -> None:
        """Note the first limit that ``value`` breaks, as the server does, and a broken format."""
        if self.maximum is not None and len(value) > self.maximum:
            faults.append(Fault(checks.TOO_LONG, path, value, self.maximum))
        elif self.minimum is not None and len(value) < self.minimum:
            faults.append(Fault(checks.TOO_SHORT, path, value, self.minimum))
        elif self.matches is not None and not self.matches(value):
            faults.append(Fault(checks.PATTERN, path, value, self.pattern))
        if self.conforms is not None and not self.conforms(value):
            faults.append(Fault(checks.FORMAT, path, value, self.format))


class Range:
    """The bounds of a number."""

    __slots__ = ("above", "below", "maximum", "minimum")

    def __init__(self, minimum: float | None = None, maximum: float | None = None) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.above = False
        """The minimum itself is too small."""
        self.below = False
        """The maximum itself is too large."""

    def check(self, value: float, path: Path, faults: Faults) -> None:
        """Note a value out of bounds."""
        low = self.minimum is not None and (value <= self.minimum if self.above else value < self.minimum)
        high = self.maximum is not None and (value >= self.maximum if self.below else value > self.maximum)
        if low or high:
            faults.append(Fault(checks.OUT_OF_RANGE, path, value, self))


class Size:
    """How many entries a container may have."""

    __slots__ = ("maximum", "minimum")

    def __init__(self, minimum: int | None = None, maximum: int | None = None) -> None:
        self.minimum = minimum
        self.maximum = maximum

    def check(self, value: list[JsonValue] | JsonObject, path: Path, faults: Faults) -> None:
        """Note too few or too many entries."""
        if self.minimum is not None and len(value) < self.minimum:
            faults.append(Fault(checks.TOO_FEW, path, value, self.minimum))
        if self.maximum is not None and len(value) > self.maximum:
            faults.append(Fault(checks.TOO_MANY, path, value, self.maximum))
