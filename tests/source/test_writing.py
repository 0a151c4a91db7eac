"""What is written into a manifest is read back as it was meant."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trainergen.source.reader import read_documents
from trainergen.source.writing import flow_text, scalar_text

# Lone surrogates are in no file, and a NUL is refused even as an escape.
TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=20)


@given(TEXTS, st.sampled_from(("", "'", '"')))
def test_a_text_is_read_back_whatever_it_holds(text: str, style: str) -> None:
    (document,) = read_documents(f"a: {scalar_text(text, style=style)}\n".encode(), file="a.yaml").documents
    assert document.value == {"a": text}


@given(st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS, max_size=3), max_size=3))
def test_a_value_on_one_line_is_read_back(value: dict[str, object]) -> None:
    (document,) = read_documents(f"a: {flow_text(value)}\n".encode(), file="a.yaml").documents
    assert document.value == {"a": value}
