"""Anchors and aliases of a document: what they stand for, and how far they may blow it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.source.checks import ALIAS_EXPANSION, ALIAS_LOOP, TOO_DEEP, UNKNOWN_ALIAS
from trainergen.source.problems import FaultError, problem_at

if TYPE_CHECKING:
    from trainergen.finding import JsonValue, Path
    from trainergen.source.events import Event
    from trainergen.source.limits import Limits

# The reader's own guard, as go.yaml.in/yaml v2 decode.go (kubernetes-sigs/yaml goyaml.v2 @ v1.4.0): how much of a
# document may come from aliases, falling from 99 % to 10 % between these two node counts.
_RATIO_FROM, _RATIO_TO = 400_000, 4_000_000


def _allowed_ratio(nodes: int) -> float:
    if nodes <= _RATIO_FROM:
        return 0.99
    if nodes >= _RATIO_TO:
        return 0.10
    return 0.99 - 0.89 * (nodes - _RATIO_FROM) / (_RATIO_TO - _RATIO_FROM)


class _Anchored:
    __slots__ = ("depth", "nodes", "open", "value")

    def __init__(self, value: JsonValue, nodes: int, depth: int, *, open: bool = False) -> None:  # noqa: A002
        self.value = value
        self.nodes = nodes
        self.depth = depth
        self.open = open


class Budget:
    """How many nodes aliases may still add to a file."""

    __slots__ = ("nodes",)

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes


class Anchors:
    """The anchors of one document, in the order of reading; a name may be given anew."""

    def __init__(self, limits: Limits, budget: Budget) -> None:
        self._limits = limits
        self._budget = budget
        self._known: dict[str, _Anchored] = {}
        self._document_nodes = 0

    def open(self, name: str) -> None:
        """Note that the value of an anchor begins."""
        self._known[name] = _Anchored(None, 0, 0, open=True)

    def close(self, name: str, value: JsonValue) -> None:
        """Note the value of an anchor."""
        nodes, depth = _measure(value)
        self._known[name] = _Anchored(value, nodes, depth)

    def expand(self, event: Event, *, path: Path, depth: int, nodes: int) -> tuple[JsonValue, int]:
        """A copy of what an alias stands for, and its number of nodes.

        ``depth`` levels enclose the alias and ``nodes`` nodes of the document come before it. Raises FaultError.
        """
        name = event.anchor
        anchored = self._known.get(name)
        if anchored is None:
            message = f"alias '*{name}' has no anchor '&{name}' before it in this document"
            remedy = "Define the anchor first; anchors do not reach from one document into the next."
            raise FaultError(problem_at(event, UNKNOWN_ALIAS, message, remedy=remedy, path=path))
        if anchored.open:
            message = f"alias '*{name}' lies inside the value of '&{name}', so the value never ends"
            raise FaultError(problem_at(event, ALIAS_LOOP, message, remedy="Write the inner value out.", path=path))
        if depth + anchored.depth > self._limits.depth:
            message = f"alias '*{name}' makes the document deeper than {self._limits.depth} levels"
            raise FaultError(problem_at(event, TOO_DEEP, message, remedy="Flatten the document.", path=path))
        if self._excessive(anchored, nodes + anchored.nodes):
            message = f"aliases expand this document to more than {nodes + anchored.nodes:,} values"
            remedy = "Write the values out, or generate the manifest."
            raise FaultError(problem_at(event, ALIAS_EXPANSION, message, remedy=remedy, path=path))
        return _copy(anchored.value), anchored.nodes

    def _excessive(self, anchored: _Anchored, total: int) -> bool:
        self._budget.nodes -= anchored.nodes
        self._document_nodes += anchored.nodes
        aliased = self._document_nodes
        out_of_ratio = aliased > 100 and total > 1000 and aliased / total > _allowed_ratio(total)
        return out_of_ratio or self._budget.nodes < 0


def _measure(value: JsonValue) -> tuple[int, int]:
    """Number of nodes, mapping keys included, and number of nested collections."""
    nodes, deepest = 0, 0
    rest: list[tuple[JsonValue, int]] = [(value, 0)]
    while rest:
        item, depth = rest.pop()
        nodes += 1
        if isinstance(item, dict):
            nodes += len(item)
            rest += [(member, depth + 1) for member in item.values()]
        elif isinstance(item, list):
            rest += [(member, depth + 1) for member in item]
        else:
            continue
        deepest = max(deepest, depth + 1)
    return nodes, deepest


def _copy(value: JsonValue) -> JsonValue:
    """A copy that shares nothing, so that a later change shows in one place only; as deep as the limit at most."""
    if isinstance(value, dict):
        return {key: _copy(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_copy(member) for member in value]
    return value
