"""Faults of expressions before they are evaluated, by their offsets."""

from __future__ import annotations

import pytest

from trainergen.cel.checking import check, free_names, functions
from trainergen.cel.library import FUNCTIONS
from trainergen.cel.syntax import parse

FAULTS: dict[str, list[tuple[str, int]]] = {
    "self.a": [],
    "self.a +": [("the end is not expected", 8)],
    "a + b": [("there is no variable 'a'", 0), ("there is no variable 'b'", 4)],
    "self.all(x, x) && x": [("there is no variable 'x'", 18)],
    "self.x()": [("Kubernetes has no function 'x'", 5)],
    "x(self)": [("Kubernetes has no function 'x'", 0)],
    "sets.nothing(self)": [("Kubernetes has no function 'sets.nothing'", 5)],
    "cel.bind(x, 1, x)": [("Kubernetes has no function 'cel.bind'", 4)],
    "has(self)": [("has() takes a field", 0)],
    "T{}": [("there is no type 'T'", 1)],
    "Object.spec{}": [],
    "self.map(x, x.f()).g()": [("Kubernetes has no function 'f'", 14), ("Kubernetes has no function 'g'", 19)],
}


@pytest.mark.parametrize("text", FAULTS)
def test_fault(text: str) -> None:
    found = check(text, {"self"})
    assert [(fault.message.partition(",")[0], fault.at) for fault in found] == FAULTS[text]


FREE: dict[str, list[str]] = {
    "a.b[c] + d(e)": ["a", "c", "e"],
    "l.map(x, x + y)": ["l", "y"],
    "m.all(k, v, k == v && w)": ["m", "w"],
    "l.exists(x, l.all(y, x == y))": ["l", "l"],
    "optional.of(a).optMap(x, x + b)": ["a", "b"],
    "[a, {b: c}].size()": ["a", "b", "c"],
}


@pytest.mark.parametrize("text", FREE)
def test_free_names(text: str) -> None:
    assert [name.name for name in free_names(parse(text))] == FREE[text]


def test_every_function_of_the_library_is_known_but_the_inner_ones() -> None:
    names = {function.name for function in FUNCTIONS}
    assert {name for name in names if name not in functions()} == {name for name in names if name.startswith("__")}
