"""One compiled schema node a class: each takes a value and gives back what would be stored, noting faults on the way.

A visit is one pass that does what the API server does in several: unknown fields are noted and left out, nulls of
fields that may not be null are dropped, defaults are set, and the result is checked. Nothing is changed in place: a
value comes back as it is, or as a new container that shares its unchanged parts. Paths are built only where a child
needs more than a look at its type.

Behaviour: kubernetes/apiextensions-apiserver pkg/apiserver/schema/{pruning,defaulting} and kubernetes/kube-openapi
pkg/validation/validate @ v0.35.0.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from trainergen.admission import checks, lists
from trainergen.admission.faults import Fault

if TYPE_CHECKING:
    from trainergen.admission.faults import Faults
    from trainergen.admission.limits import Range, Size, Text
    from trainergen.finding import JsonObject, JsonValue, Path

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
SAFE_INTEGER = float(2**53 - 1)


class Node:
    """A compiled schema node."""

    __slots__ = ("allowed", "default", "nullable", "plain", "wanted")

    def __init__(self, wanted: str) -> None:
        self.wanted = wanted
        self.nullable = False
        self.default: JsonValue = None
        self.allowed: list[JsonValue] | None = None
        self.plain: type | None = None
        """A value of exactly this type is fine as it is, without a visit."""

    def visit(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:
        """What is stored for ``value``; its faults are added to ``faults``."""
        raise NotImplementedError

    def fresh_default(self) -> JsonValue:
        """The default as a value of its own."""
        return deepcopy(self.default) if isinstance(self.default, dict | list) else self.default

    def mismatch(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:
        """Note a value of the wrong type, unless it is a null that may stay."""
        if value is not None or not self.nullable:
            faults.append(Fault(checks.WRONG_TYPE, path, value, self.wanted))
        return value

    def check_allowed(self, value: JsonValue, path: Path, faults: Faults) -> None:
        """Note a value that is not of the enumeration, if there is one; true and 1 are different values."""
        if self.allowed is None:
            return
        if not any(type(a) is type(value) and a == value for a in self.allowed):
            faults.append(Fault(checks.VALUE_NOT_ALLOWED, path, value, self.allowed))


class AnyNode(Node):
    """A node that takes every value (``x-kubernetes-preserve-unknown-fields`` without a type)."""

    __slots__ = ()

    def visit(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:  # noqa: ARG002
        return value


class BooleanNode(Node):
    """``type: boolean``."""

    __slots__ = ()

    def visit(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:
        if not isinstance(value, bool):
            return self.mismatch(value, path, faults)
        self.check_allowed(value, path, faults)
        return value


class StringNode(Node):
    """``type: string``."""

    __slots__ = ("text",)

    def __init__(self, wanted: str, text: Text) -> None:
        super().__init__(wanted)
        self.text = text

    def visit(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:
        if isinstance(value, str):
            self.text.check(value, path, faults)
            self.check_allowed(value, path, faults)
            return value
        if self.text.conforms is not None and isinstance(value, list):
            # NB: the server does not look at the type of a list where a string of some format is wanted.
            return value
        return self.mismatch(value, path, faults)


class IntegerNode(Node):
    """``type: integer``: 2.0 is one, true is none.

    The range of the format ``int32`` is not enforced, as on an API server before Kubernetes 1.36.
    """

    __slots__ = ("range",)

    def __init__(self, wanted: str, bounds: Range) -> None:
        super().__init__(wanted)
        self.range = bounds

    def visit(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:
        number = as_integer(value)
        if number is None:
            return self.mismatch(value, path, faults)
        self.range.check(number, path, faults)
        self.check_allowed(number, path, faults)
        return number


class NumberNode(Node):
    """``type: number``."""

    __slots__ = ("range",)

    def __init__(self, wanted: str, bounds: Range) -> None:
        super().__init__(wanted)
        self.range = bounds

    def visit(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return self.mismatch(value, path, faults)
        self.range.check(value, path, faults)
        self.check_allowed(value, path, faults)
        return value


class IntOrStringNode(Node):
    """``x-kubernetes-int-or-string``; limits of strings bind strings, limits of numbers bind integers."""

    __slots__ = ("range", "text")

    def __init__(self, wanted: str, text: Text, bounds: Range) -> None:
        super().__init__(wanted)
        self.text = text
        self.range = bounds

    def visit(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:
        if isinstance(value, str):
            self.text.check(value, path, faults)
            self.check_allowed(value, path, faults)
            return value
        number = as_integer(value)
        if number is None:
            return self.mismatch(value, path, faults)
        self.range.check(number, path, faults)
        self.check_allowed(number, path, faults)
        return number


def as_integer(value: JsonValue) -> int | None:
    """``value`` as the integer that the server takes it for, None when it is none to it."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if INT64_MIN <= value <= INT64_MAX else None
    if isinstance(value, float) and -SAFE_INTEGER <= value <= SAFE_INTEGER and value.is_integer():
        return int(value)
    return None


class ArrayNode(Node):
    """``type: array``, its entries one by one and their uniqueness."""

    __slots__ = ("item", "keys", "size", "unique")

    def __init__(self, wanted: str, item: Node, size: Size | None) -> None:
        super().__init__(wanted)
        self.item = item
        self.size = size
        self.unique = False
        self.keys: tuple[str, ...] = ()

    def visit(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:
        if not isinstance(value, list):
            return self.mismatch(value, path, faults)
        item, plain = self.item, self.item.plain
        changed: list[JsonValue] | None = None
        for index, child in enumerate(value):
            if type(child) is plain:
                continue
            wanted = item.fresh_default() if child is None and not item.nullable else child
            seen = item.visit(wanted, (*path, index), faults)
            if seen is not child:
                changed = list(value) if changed is None else changed
                changed[index] = seen
        result = value if changed is None else changed
        if self.size is not None:
            self.size.check(result, path, faults)
        if self.unique or self.keys:
            self._check_unique(result, path, faults)
        return result

    def _check_unique(self, value: list[JsonValue], path: Path, faults: Faults) -> None:
        repeats = lists.repeated_keys(value, self.keys) if self.keys else lists.repeated_values(value)
        faults.extend(Fault(checks.DUPLICATE, (*path, repeat.at), value[repeat.at], repeat) for repeat in repeats)


class MapNode(Node):
    """An object with free keys and one schema for every value."""

    __slots__ = ("item", "size")

    def __init__(self, wanted: str, item: Node, size: Size | None) -> None:
        super().__init__(wanted)
        self.item = item
        self.size = size

    def visit(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:
        if not isinstance(value, dict):
            return self.mismatch(value, path, faults)
        item, plain = self.item, self.item.plain
        changed: JsonObject | None = None
        for key, child in value.items():
            if type(child) is plain:
                continue
            if child is None and not item.nullable and item.default is None:
                changed = {k: v for k, v in (changed or value).items() if k != key}
                continue
            wanted = item.fresh_default() if child is None and not item.nullable else child
            seen = item.visit(wanted, (*path, key), faults)
            if seen is not child:
                changed = dict(value) if changed is None else changed
                changed[key] = seen
        result = value if changed is None else changed
        if self.size is not None:
            self.size.check(result, path, faults)
        return result
