"""From a path to the place where it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.source.reading import only, read, values
from trainergen.source.checks import DUPLICATE_KEY

if TYPE_CHECKING:
    from trainergen.finding import Path
    from trainergen.source import Document

JOB = """\
# a job
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
spec:
  trainer:
    env:
      - name: A
        value: "1"   # one
      - {name: B, value: zwei}
    command: &cmd [python, t.py]
    args: *cmd
    image:
    script: |
      echo 1
      echo 2

  # end
  labels: {é: ü, "a b": c}
"""

LINES = JOB.splitlines()


def written(document: Document, path: Path, *, on_key: bool = False) -> str:
    """The text at the place of a path, in one line."""
    where = document.locate(path, on_key=on_key)
    lines = document.span.source.text.splitlines()[where.line - 1 : where.end_line]
    lines[-1] = lines[-1][: where.end_column - 1]
    lines[0] = lines[0][where.column - 1 :]
    return "⏎".join(lines)


ENV: Path = ("spec", "trainer", "env")

PLACES: dict[str, tuple[Path, bool, str]] = {
    "a value": (("kind",), False, "TrainJob"),
    "a key": (("kind",), True, "kind"),
    "a quoted value": ((*ENV, 0, "value"), False, '"1"'),
    "a value in braces": ((*ENV, 1, "value"), False, "zwei"),
    "a key in braces": ((*ENV, 1, "value"), True, "value"),
    "an item in braces": ((*ENV, 1), False, "{name: B, value: zwei}"),
    "the key of a list item is its first key": ((*ENV, 0), True, "name"),
    "a list": (ENV, False, '- name: A⏎        value: "1"   # one⏎      - {name: B, value: zwei}'),
    "an anchored value": (("spec", "trainer", "command"), False, "&cmd [python, t.py]"),
    "a value through an alias is at the anchor": (("spec", "trainer", "args", 1), False, "t.py"),
    "an alias is at the anchor": (("spec", "trainer", "args"), False, "&cmd [python, t.py]"),
    "the key of an alias is its own": (("spec", "trainer", "args"), True, "args"),
    "an empty value is at its key": (("spec", "trainer", "image"), False, "image"),
    "a missing field is at its parent's key": (("spec", "trainer", "numNodes"), False, "trainer"),
    "a missing field far below": (("spec", "x", "y", 0, "z"), False, "spec"),
    "a missing list item": ((*ENV, 7), False, "env"),
    "a field of a list item": ((*ENV, 0, "valueFrom"), False, "name"),
    "a field of a scalar": (("kind", "x"), False, "kind"),
    "an index into a mapping": (("spec", 0), False, "spec"),
    "a missing field of the document": (("metadata",), False, "apiVersion"),
    "a block scalar without trailing lines": (("spec", "trainer", "script"), False, "|⏎      echo 1⏎      echo 2"),
    "a value beyond ASCII": (("spec", "labels", "é"), False, "ü"),
    "a key with a space": (("spec", "labels", "a b"), True, '"a b"'),
}


@pytest.mark.parametrize(("path", "on_key", "expected"), PLACES.values(), ids=PLACES)
def test_a_path_leads_to_its_place(path: Path, on_key: bool, expected: str) -> None:
    assert written(only(JOB), path, on_key=on_key) == expected


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_do_not_matter(line_end: str) -> None:
    crlf = only(JOB.replace("\n", line_end))
    assert all(crlf.locate(path) == only(JOB).locate(path) for path, _, _ in PLACES.values())


def test_a_byte_order_mark_is_no_column() -> None:
    document = only("\ufeffkind: K\n")
    assert (document.locate(("kind",)).line, document.locate(("kind",)).column) == (1, 7)
    assert document.byte_range(("kind",)) == (9, 10)


def test_a_later_document_counts_lines_from_the_start_of_the_file() -> None:
    documents = read("a: 1\n---\n# two\n  b: ü\n  c: x\n").documents
    where = documents[1].locate(("c",))
    assert (where.line, where.column, where.end_line, where.end_column) == (5, 6, 5, 7)


MERGED = "base: &b {x: 1, v: 2}\nmore: &m {x: 7, z: 3}\njob:\n  <<: [*b, *m]\n  w: 4\nother: {<<: *b, x: 9}\n"


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        (("job", "w"), 5, 6), (("job", "v"), 1, 20), (("job", "z"), 2, 20), (("job", "x"), 1, 14),
        (("other", "x"), 6, 20), (("other", "v"), 1, 20),
    ],
)  # fmt: skip
def test_a_merged_value_is_where_it_is_written(path: Path, line: int, column: int) -> None:
    where = only(MERGED).locate(path)
    assert (where.line, where.column) == (line, column)


def test_keys_that_are_no_text_are_found_by_their_text() -> None:
    document = only("0x10: a\non: b\n1.50: c\n!!int '0x7': d\n&k e: e\nf: {*k : g}\n'<<': h\n!!int x: i\n")
    assert list(document.object) == ["16", "true", "1.5", "7", "e", "f", "<<", "x"]
    assert [document.locate((key,)).line for key in document.object] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert written(document, ("f", "e")) == "g"
    assert written(document, ("f", "e"), on_key=True) == "*k"


def test_json_that_is_no_yaml_has_places() -> None:
    document = only('{"a": "\\ud83d\\ude00", "b": {"c": 5}}')
    where = document.locate(("b", "c"))
    assert (where.line, where.column) == (1, 34)
    assert document.locate(("a",)).end_column == 21


def test_json_beyond_yaml_is_placed_at_its_start() -> None:
    second = read('{"a": 1}\n  {"' + "k" * 1100 + '": {"b": 1}}\n').documents[1]
    assert second.node_at(("k" * 1100,)) is None
    where = second.locate(("k" * 1100, "b"))
    assert (where.line, where.column) == (2, 3)


def test_nodes_and_bytes_of_a_path() -> None:
    document = only(JOB)
    node = document.node_at((*ENV, 0, "value"))
    assert node is not None
    assert (node.text, node.style) == ("1", '"')
    begin, end = document.byte_range(("spec", "labels", "é")) or (0, 0)
    assert JOB.encode()[begin:end].decode() == "ü"
    assert document.node_at(("spec", "no")) is None
    assert document.byte_range(("spec", "no")) is None
    alias = document.node_at(("spec", "trainer", "args"))
    assert alias is not None
    assert (JOB[alias.start : alias.end], alias.target.is_list) == ("*cmd", True)


def test_nodes_come_back_after_they_were_dropped() -> None:
    document = only(JOB)
    before = document.locate(("kind",))
    document.release_nodes()
    assert document.locate(("kind",)) == before


def test_a_finding_is_placed() -> None:
    document = read("---\n---\n" + JOB).documents[0]
    finding = document.place(DUPLICATE_KEY.at((*ENV, 0), "x", on_key=True))
    assert (finding.file, finding.line, finding.column, finding.end_line, finding.end_column) == (
        "job.yaml",
        9,
        9,
        9,
        13,
    )
    assert finding.document == 1
    assert finding.object == document.ref
    assert finding.path == "spec.trainer.env[0]"


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.text(max_size=12),
    st.sampled_from(["yes", "1", "~", "a: b"]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


def paths(value: Any, path: Path = ()) -> list[tuple[Path, Any]]:
    found = [(path, value)]
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, member in steps:
        found += paths(member, (*path, step))
    return found


@given(VALUES, st.sampled_from([True, False, None]), st.integers(2, 5), st.booleans())
def test_the_text_at_a_place_reads_as_the_value(value: Any, flow: bool | None, indent: int, unicode: bool) -> None:
    text = yaml.dump(
        [value], Dumper=SafeDumper, default_flow_style=flow, indent=indent, allow_unicode=unicode, sort_keys=False
    )
    (read_value,) = values(text)
    assert read_value == [value]
    document = only(text)
    for path, expected in paths([value]):
        where = document.locate(path)
        lines = document.span.source.text.splitlines(keepends=True)
        begin = sum(map(len, lines[: where.line - 1])) + where.column - 1
        end = sum(map(len, lines[: where.end_line - 1])) + where.end_column - 1
        assert values(" " * (where.column - 1) + document.span.source.text[begin:end]) == (
            [] if expected is None else [expected]
        )


class SafeDumper(yaml.SafeDumper):
    """Quotes what YAML 1.1 readers other than PyYAML would not take for text."""

    def represent_text(self, text: str) -> yaml.ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:str", text, style='"')

    def ignore_aliases(self, data: Any) -> bool:
        return True


SafeDumper.add_representer(str, SafeDumper.represent_text)
