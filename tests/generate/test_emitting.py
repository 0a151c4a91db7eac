"""Manifests as YAML are read as the same values, by us as by other readers."""

from __future__ import annotations

from io import StringIO

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from trainergen.generate.emitting import items, manifest, text
from trainergen.source import read_documents

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    ["yes", "0o10", "1e3", "1:30", "2026-01-01", "~", "- a", "# a", "a: b", "'", "64Gi", "5.", ".5", "0x1", "=", "<<"]
)
SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)


@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_what_is_written_is_read_as_the_same(value: dict[str, object]) -> None:
    written = manifest({"kind": "X", **value})  # type: ignore[dict-item]
    (document,) = read_documents(written.encode(), file="x.yaml").documents
    assert document.value == {"kind": "X", **value}
    assert yaml.safe_load(written) == {"kind": "X", **value}
    assert YAML(typ="safe", pure=True).load(StringIO(written)) == {"kind": "X", **value}


@pytest.mark.parametrize(
    "bare",
    [
        "--lr=0.1",
        "64Gi",
        "pytorch/pytorch:2.13.0-cuda13.0",
        "hf://org/name",
        "torchrun",
        "a b",
        "-c",
        "1.36.2",
    ],
)
def test_everyday_words_are_written_without_quotes(bare: str) -> None:
    assert text(bare) == bare


@pytest.mark.parametrize("typed", ["1", "1.5", "true", "off", "y", "null", "", "1_000", "0b1", "12:30:00", "- x", "@a"])
def test_texts_that_readers_would_type_are_quoted(typed: str) -> None:
    assert text(typed).startswith('"')


def test_programs_are_written_as_they_are() -> None:
    program = "import os\n\nif os.environ:\n\tprint('x')\n"
    assert manifest({"data": {"a.py": program}}) == (
        "data:\n  a.py: |\n    import os\n\n    if os.environ:\n    \tprint('x')\n"
    )


@pytest.mark.parametrize("ending", ["", "\n", "\n\n"])
def test_the_end_of_a_program_is_kept(ending: str) -> None:
    value = {"a": f"first\nsecond{ending}"}
    assert yaml.safe_load(manifest(value)) == value  # type: ignore[arg-type]


def test_lists_stand_below_their_key_without_indent() -> None:
    value = {"spec": {"args": ["--a", "1"], "empty": [], "none": {}, "nested": [["a"], [{"b": 1}]]}}
    assert manifest(value) == (  # type: ignore[arg-type]
        'spec:\n  args:\n  - --a\n  - "1"\n  empty: []\n  none: {}\n  nested:\n  - - a\n  - - b: 1\n'
    )


def test_a_list_is_a_document_as_well() -> None:
    assert items([{"op": "remove", "path": "/a"}]) == "- op: remove\n  path: /a\n"
