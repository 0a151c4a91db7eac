"""When there is colour."""

from __future__ import annotations

import pytest

from trainergen.output import wants_colour


class Stream:
    def __init__(self, terminal):
        self.terminal = terminal

    def isatty(self):
        return self.terminal


CASES = {
    "a terminal": (True, {}, "linux", True),
    "a pipe": (False, {}, "linux", False),
    "NO_COLOR": (True, {"NO_COLOR": "1"}, "linux", False),
    "an empty NO_COLOR says nothing": (True, {"NO_COLOR": ""}, "linux", True),
    "FORCE_COLOR into a pipe": (False, {"FORCE_COLOR": "1"}, "linux", True),
    "FORCE_COLOR=0 says nothing": (False, {"FORCE_COLOR": "0"}, "linux", False),
    "NO_COLOR against FORCE_COLOR": (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, "linux", False),
    "a dumb terminal": (True, {"TERM": "dumb"}, "linux", False),
    "an old Windows console": (True, {}, "win32", False),
    "Windows Terminal": (True, {"WT_SESSION": "guid"}, "win32", True),
}


@pytest.mark.parametrize("sentence", CASES)
def test_colour_for(sentence):
    terminal, environ, platform, expected = CASES[sentence]
    assert wants_colour(Stream(terminal), environ, platform=platform) is expected
