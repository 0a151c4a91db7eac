"""Values straight from YAML events, with the API server's scalar rules, duplicate keys and merge keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from trainergen.source import checks
from trainergen.source.anchors import Anchors, Budget
from trainergen.source.problems import MOST_PROBLEMS, FaultError, Problem, problem_at
from trainergen.source.scalars import (
    LITERALS,
    MERGE_TAG,
    NUMBER_STARTS,
    Scalar,
    TagMismatchError,
    key_text,
    number,
    plain_key,
    tagged,
)

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.source.events import Event
    from trainergen.source.limits import Limits


class _MergeKey(str):
    """The key ``<<`` where it merges; told from a quoted ``<<`` by identity."""

    __slots__ = ()


_MERGE = _MergeKey("<<")
Container: TypeAlias = "list[JsonValue] | JsonObject"


class Built(NamedTuple):
    """The value of one document, with the characters it spans; ``after`` lies behind its end marker."""

    value: JsonValue
    start: int
    end: int
    after: int
    problems: Sequence[Problem] = ()


class Builder:
    """Turns the events of a stream into values, one document after the other.

    ``problems`` are those of the current document, which stay when it cannot be read to its end.
    """

    def __init__(self, next_event: Callable[[], Event], limits: Limits, budget: Budget) -> None:
        self._next = next_event
        self._limits = limits
        self.problems: list[Problem] = []
        self._stack: list[tuple[Any, Any, str | None]] = []
        self._budget = budget
        self._anchors = Anchors(limits, budget)
        self._merged: dict[int, set[str]] = {}

    def documents(self) -> Iterator[Built]:
        """The documents up to the end of the stream.

        Raises FaultError for a document that cannot be read on, and yaml.YAMLError where the text is not YAML.
        """
        while True:
            event: Event = self._next()
            kind = event.__class__
            if event is None or kind is StreamEndEvent:
                return
            if kind is DocumentStartEvent:
                start = event.start_mark.index - event.start_mark.column
                self._anchors = Anchors(self._limits, self._budget)
                self.problems, self._stack, self._merged = [], [], {}
                if event.version not in {None, (1, 1)}:
                    self.problems = [_wrong_version(event)]
                value = self._read_value()
                end: Event = self._next()
                ending = end.__class__
                assert ending is DocumentEndEvent
                yield Built(value, start, end.start_mark.index, end.end_mark.index, self.problems)

    def _read_value(self) -> JsonValue:  # noqa: C901, PLR0912, PLR0915 - one loop: every call here is paid per scalar
        get = self._next
        stack, limit = self._stack, self._limits.depth
        root: list[Any] = []
        into: Any = root
        key: Any = None
        is_map, nodes = False, 1
        while not root:
            event = get()
            kind = event.__class__
            if kind is ScalarEvent:
                nodes += 1
                value = event.value
                plain = event.implicit[0]
                if event.tag is not None:
                    value = self._tagged(event, into, key)
                elif plain:
                    if value in LITERALS:
                        value = LITERALS[value]
                    elif value[0] in NUMBER_STARTS:
                        value = number(value)
                        if value.__class__ is float and value - value != 0:
                            value = self._not_finite(event, value, into=into, key=key)
                if event.anchor is not None:
                    self._anchors.close(event.anchor, value)
                if is_map and key is None:
                    if value.__class__ is not str or value == "<<":
                        key = self._key(event, value, into)
                    else:
                        if value in into:
                            self._set_twice(event, into, value)
                        key = value
                    continue
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                nodes += 1
                if (is_map and key is None) or len(stack) >= limit:
                    self._refuse_collection(event, into, key)
                if event.anchor is not None:
                    self._anchors.open(event.anchor)
                stack.append((into, key, event.anchor))
                is_map = kind is MappingStartEvent
                into, key = {} if is_map else [], None
                continue
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                value = into
                into, key, anchor = stack.pop()
                is_map = into.__class__ is dict
                if anchor is not None:
                    self._anchors.close(anchor, value)
            else:
                assert kind is AliasEvent
                value, added = self._anchors.expand(
                    event, path=self._path(into, key), depth=len(stack), nodes=nodes + 1
                )
                nodes += added + 1
                if is_map and key is None:
                    key = self._alias_key(event, value, into)
                    continue
            if not is_map:
                into.append(value)
            elif key is _MERGE:
                self._merge(event, value, into)
                key = None
            else:
                into[key] = value
                key = None
        result: JsonValue = root[0]
        return result

    def _path(self, into: Container, key: str | None) -> Path:
        """Where in the document the next value goes."""
        steps: list[str | int] = []
        for container, at, _ in [*self._stack[1:], (into, key, None)] if self._stack else ():
            if isinstance(container, list):
                steps.append(len(container))
            elif at is not None:
                steps.append(str(at))
        return tuple(steps)

    def _report(self, problem: Problem) -> None:
        if len(self.problems) >= MOST_PROBLEMS:
            raise FaultError(problem)
        self.problems.append(problem)

    def _tagged(self, event: Event, into: Container, key: str | None) -> Scalar:
        try:
            return tagged(event.tag, event.value)
        except TagMismatchError:
            message = f"'{event.value}' is tagged '!!{event.tag.rpartition(':')[2]}' and is none"
            remedy = "Correct the value or drop the tag."
            path = self._path(into, key)
            self._report(problem_at(event, checks.TAG_MISMATCH, message, remedy=remedy, path=path))
            return str(event.value)

    def _not_finite(self, event: Event, value: float, *, into: Container, key: str | None) -> Scalar:
        if isinstance(into, dict) and key is None:
            return value  # a key; written as a string
        message = f"'{event.value}' is a number that JSON, and so the API server, cannot hold"
        remedy = "Quote it if it is meant as text."
        path = self._path(into, key)
        self._report(problem_at(event, checks.NOT_A_JSON_NUMBER, message, remedy=remedy, path=path))
        return str(event.value)

    def _key(self, event: Event, value: Scalar, into: JsonObject) -> str:
        if event.value == "<<" and (event.implicit[0] or event.tag == MERGE_TAG):
            return _MERGE
        key = plain_key(event.value) if event.tag is None and event.implicit[0] else key_text(value)
        if key is None:
            raise self._invalid_key(
                event, into, f"'{event.value}' cannot be a key" if event.value else "a key is empty"
            )
        if key in into:
            self._set_twice(event, into, key)
        return key

    def _alias_key(self, event: Event, value: JsonValue, into: JsonObject) -> str:
        key = None if isinstance(value, dict | list) else key_text(value)
        if key is None:
            raise self._invalid_key(event, into, f"alias '*{event.anchor}' stands for no text and so cannot be a key")
        if key in into:
            self._set_twice(event, into, key)
        return key

    def _invalid_key(self, event: Event, into: Container, message: str) -> FaultError:
        remedy = "Use text as key; quote a value that starts with '{' or '['."
        return FaultError(
            problem_at(event, checks.INVALID_KEY, message, remedy=remedy, path=self._path(into, None), on_key=True)
        )

    def _refuse_collection(self, event: Event, into: Container, key: str | None) -> NoReturn:
        if isinstance(into, dict) and key is None:
            what = "mapping" if event.__class__ is MappingStartEvent else "list"
            raise self._invalid_key(event, into, f"a {what} cannot be a key")
        message = f"nesting is deeper than {self._limits.depth} levels"
        remedy = "Flatten the document; no Trainer object nests this deep."
        raise FaultError(problem_at(event, checks.TOO_DEEP, message, remedy=remedy, path=()))

    def _set_twice(self, event: Event, into: JsonObject, key: str) -> None:
        check, message = checks.DUPLICATE_KEY, f"key '{key}' is set twice"
        if key in self._merged.get(id(into), ()):
            check = checks.MERGE_CONFLICT
            message = f"key '{key}' is set by the merge key before it too, which the API server's strict reader refuses"
        path = (*self._path(into, None), key)
        problem = problem_at(event, check, message, remedy="Keep one of the two.", path=path, on_key=True)
        self._report(problem)

    def _merge(self, event: Event, value: JsonValue, into: JsonObject) -> None:
        """Lay mappings into ``into``: what is written last stays, as in Go; of a list, the first mapping wins."""
        merged = self._merged.setdefault(id(into), set())
        for mapping in reversed(value if isinstance(value, list) else [value]):
            if not isinstance(mapping, dict):
                message = "the value of the merge key '<<' is neither a mapping nor a list of mappings"
                remedy, path = "Merge an alias of a mapping.", self._path(into, _MERGE)
                self._report(problem_at(event, checks.INVALID_MERGE, message, remedy=remedy, path=path))
                return
            for key in mapping:
                if key in into:
                    message = f"the merge key sets '{key}' again, which the API server's strict reader refuses"
                    remedy, path = "Keep one of the two.", (*self._path(into, None), key)
                    problem = problem_at(event, checks.MERGE_CONFLICT, message, remedy=remedy, path=path, on_key=True)
                    self._report(problem)
            into.update(mapping)
            merged.update(mapping)


def _wrong_version(event: Event) -> Problem:
    version = ".".join(str(part) for part in event.version)
    message = f"the document says it is YAML {version}, but the API server's reader takes only 1.1"
    return problem_at(event, checks.YAML_SYNTAX, message, remedy="Drop the line '%YAML'.", path=())
