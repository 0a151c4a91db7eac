"""Where suppressions stand, what they hold for, and how they are taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.fix import apply_edits
from trainergen.suppress.search import suppressions

if TYPE_CHECKING:
    from trainergen.suppress.written import Written

JOB = """\
# trainergen: ignore-file[TG7] -- generated
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: mnist
spec:
  trainer:
    # trainergen: ignore[TG301, TG302] -- above

    # another comment
    numNodes: 0
    image: x:latest  # trainergen: ignore[TG610] -- behind
"""


def found(text: str) -> list[Written]:
    return suppressions(text.encode(), "job.yaml")


def held(text: str) -> list[tuple[tuple[str, ...], int | None]]:
    return [(one.parsed.words, one.line) for one in found(text)]


def test_a_comment_holds_for_its_line_the_next_one_or_the_file() -> None:
    assert held(JOB) == [(("TG7",), 0), (("TG301", "TG302"), 11), (("TG610",), 12)]


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends_and_byte_order_marks_do_not_matter(newline: str) -> None:
    assert held("\ufeff" + JOB.replace("\n", newline)) == held(JOB)


def test_text_that_looks_like_a_comment_is_none() -> None:
    text = """\
a: |  # trainergen: ignore[TG301] -- behind the head of a block
  # trainergen: ignore[TG302] -- in a script
  x
b: "x # trainergen: ignore[TG303]"
c: x#trainergen ignore[TG304]
d: >-
  x
# trainergen: ignore[TG305] -- behind a block
e: 'x

  # trainergen: ignore[TG306] -- in quotes'
"""
    assert held(text) == [(("TG301",), 1), (("TG305",), 9)]


def test_json_has_no_comments() -> None:
    assert held('{"a": "x # trainergen: ignore[TG301]",\n"b":\t1}') == []


def test_every_document_of_a_file_is_looked_at() -> None:
    text = "a: 1\n--- # trainergen: ignore[TG301]\nb: 1\n# trainergen: ignore[TG302]\n---\n"
    text += "c: |\n  # trainergen: ignore[TG303]\n"
    assert held(text) == [(("TG301",), 3), (("TG302",), 6)]
    assert [one.document for one in found(text)] == [1, 1]


def test_what_is_no_yaml_has_comments_all_the_same() -> None:
    assert held("a: {{ .Values.x }}  # trainergen: ignore[TG731]\n") == [(("TG731",), 1)]


def test_bytes_that_are_no_text_have_no_suppressions() -> None:
    assert suppressions(b"\xff # trainergen: ignore[TG301]\n", "x") == []


def test_an_annotation_holds_for_its_object_alone() -> None:
    text = """\
apiVersion: v1
kind: List
items:
  - kind: A
    metadata: {name: a, annotations: {trainergen.io/ignore: "TG301, TG302 -- why"}}
  - kind: B
    metadata: {name: b}
"""
    (one,) = found(text)
    assert (one.line, one.prefix, one.parsed.reason) == (None, ("items", 0), "why")
    assert (one.object and one.object.name, one.where.line) == ("a", 5)


TAKEN_OUT = {
    "a comment of its own with its line": ("a: 1\n  # trainergen: ignore[TG301]\nb: 2\n", "a: 1\nb: 2\n"),
    "a comment behind a value": ("a: 1  # trainergen: ignore[TG301] -- x\nb: 2\n", "a: 1\nb: 2\n"),
    "a comment behind another": ("a: 1  # one # trainergen: ignore[TG301]\n", "a: 1  # one\n"),
    "carriage returns": ("a: 1\r\n# trainergen: ignore[TG301]\r\nb: 2\r\n", "a: 1\r\nb: 2\r\n"),
    "a last line without an end": ("é: 1\n# trainergen: ignore[TG301]", "é: 1\n"),
    "an annotation": (
        "metadata:\n  annotations:\n    x: y\n    trainergen.io/ignore: TG301\n  name: a\n",
        "metadata:\n  annotations:\n    x: y\n  name: a\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), TAKEN_OUT.values(), ids=TAKEN_OUT)
def test_it_is_taken_out(before: str, after: str) -> None:
    (one,) = found(before)
    fix = one.without(("TG301",))
    assert fix is not None
    assert apply_edits(before.encode(), fix.edits).decode() == after


@pytest.mark.parametrize(
    ("before", "after"),
    {
        "of a comment": ("é: 1 # trainergen: ignore[TG301,TG302] -- x\n", "é: 1 # trainergen: ignore[TG302] -- x\n"),
        "of an annotation": (
            "metadata: {annotations: {trainergen.io/ignore: 'TG301, TG302 -- x'}}\n",
            "metadata: {annotations: {trainergen.io/ignore: 'TG302 -- x'}}\n",
        ),
    }.values(),
)
def test_one_word_is_taken_out(before: str, after: str) -> None:
    (one,) = found(before)
    fix = one.without(("TG301",))
    assert fix is not None
    assert apply_edits(before.encode(), fix.edits).decode() == after


@given(st.binary(max_size=80))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    suppressions(b"a: 1 # trainergen: ignore[TG301]\n" + data, "x")
    suppressions(data + b"\n# trainergen: ignore[TG301]", "x")
