"""The stream of YAML events, from libyaml when PyYAML was built with it, else from PyYAML's own parser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from yaml.events import ScalarEvent
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError

# NB: types-PyYAML declares marks, anchors and tags of every event optional, so events are untyped here.
Event = Any

_SURROGATE = "[\ud800-\udfff]"

if TYPE_CHECKING:
    from yaml.error import Mark

try:
    from yaml import _yaml as libyaml_binding
except ImportError:  # PyYAML was built without libyaml
    libyaml_binding = None  # type: ignore[assignment]


class PythonParser(Reader, Scanner, Parser):
    """PyYAML's parser in Python: the same events as libyaml, some ten times slower."""

    def __init__(self, text: bytes | str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def scan_to_next_token(self) -> None:
        """Skip what is no token; a byte order mark may start any line, as in libyaml."""
        super().scan_to_next_token()
        while self.column == 0 and self.peek() == "\ufeff":
            self.forward()
            super().scan_to_next_token()

    def get_event(self) -> Event:
        """The next event; half a surrogate pair is an error, as in libyaml."""
        event: Event = super().get_event()  # type: ignore[no-untyped-call]
        if event.__class__ is ScalarEvent and not event.value.isascii() and re.search(_SURROGATE, event.value):
            problem = "found invalid Unicode character escape code"
            raise ScannerError(problem=problem, problem_mark=cast("Mark", event.start_mark))
        return event


def next_event(text: bytes | str, *, libyaml: bool = True) -> Callable[[], Event]:
    """A function that gives the next event of the text at each call, and None after the last.

    Only that function raises: yaml.YAMLError where the text is not YAML.
    """
    if libyaml and libyaml_binding is not None:
        step: Callable[[], Event] = libyaml_binding.CParser(text).get_event
        return step
    return _python_events(text)


def _python_events(text: bytes | str) -> Callable[[], Event]:
    parser: PythonParser | None = None

    def step() -> Event:
        nonlocal parser
        if parser is None:
            parser = PythonParser(text)  # looks at the text at once, and raises for control characters
        return parser.get_event()

    return step
