"""YAML lines that every reader takes for what was written."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trainergen.api.yamltext import from_yaml
from trainergen.output.rendered.lines import yaml_lines, yaml_text

TEXTS = st.text(max_size=40) | st.text(alphabet="ab:# \n-'\"|>[]{}%&*!1.eE~", max_size=20)
# As in Go, what is beyond 64 bits is read as a float.
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


def storable(value: Any) -> bool:
    """Whether a manifest can hold it: UTF-8 has no lone surrogates, and YAML some characters only as escapes."""
    try:
        str(value).encode()
    except UnicodeEncodeError:
        return False
    return True


@given(st.dictionaries(TEXTS, VALUES, max_size=4).filter(storable))
def test_every_reader_reads_what_was_written(value: dict[str, Any]) -> None:
    text = yaml_text(value)
    assert yaml.load(text, Loader=yaml.CSafeLoader) == value
    if not any("\n" in key or len(key) > 1000 for key in value):
        assert from_yaml(text) == value


@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4).filter(storable))
def test_the_path_of_a_line_leads_to_what_it_writes(value: dict[str, Any]) -> None:
    for line in yaml_lines(value):
        found: Any = value
        for step in line.path:
            found = found[step]
        if not isinstance(found, dict | list | str) and not line.inside:
            assert line.text.endswith(str(found) if isinstance(found, int) and not isinstance(found, bool) else "")


FORMS: dict[str, tuple[Any, str]] = {
    "words stay bare": ("torchrun", "a: torchrun\n"),
    "flags stay bare": ("--epochs=10", "a: --epochs=10\n"),
    "amounts stay bare": ("32Gi", "a: 32Gi\n"),
    "sentences stay bare": ("mpirun -n 4 python", "a: mpirun -n 4 python\n"),
    "numbers in text are quoted": ("10", 'a: "10"\n'),
    "octal-looking text is quoted": ("0o10", 'a: "0o10"\n'),
    "booleans in text are quoted": ("yes", 'a: "yes"\n'),
    "the empty text is quoted": ("", 'a: ""\n'),
    "text with a colon and a blank is quoted": ("a: b", 'a: "a: b"\n'),
    "text with a comment is quoted": ("a #b", 'a: "a #b"\n'),
    "lines are a block": ("x\n  y\n\nz\n", "a: |\n  x\n    y\n\n  z\n"),
    "lines without an end are a block": ("x\ny", "a: |-\n  x\n  y\n"),
    "lines with blanks at the end are quoted": ("x \ny\n", 'a: "x \\ny\\n"\n'),
    "lines that begin with a blank are quoted": (" x\ny\n", 'a: " x\\ny\\n"\n'),
    "empty collections are flow": ({"b": {}, "c": []}, "a:\n  b: {}\n  c: []\n"),
    "lists stand below their key": ([1, [2, {"b": None}]], "a:\n- 1\n- - 2\n  - b: null\n"),
    "blocks in lists": (["x\ny\n"], "a:\n- |\n  x\n  y\n"),
}


@pytest.mark.parametrize(("value", "text"), FORMS.values(), ids=FORMS.keys())
def test_forms(value: Any, text: str) -> None:
    assert yaml_text({"a": value}) == text
    assert yaml.safe_load(text) == {"a": value}
