"""Documents of a file: separators, encodings, JSON, and how one broken document leaves the others alone."""

from __future__ import annotations

import pytest

from tests.source.reading import only, places, read, values
from trainergen.finding import Layer, Severity

BOTH = pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "python"])

GOOD = {
    "one document": ("a: 1\n", [{"a": 1}]),
    "several documents": ("a: 1\n---\nb: 2\n--- # comment\nc: 3\n", [{"a": 1}, {"b": 2}, {"c": 3}]),
    "nothing": ("", []),
    "only blank lines": ("\n  \n", []),
    "only a comment": ("# nothing here\n", []),
    "documents without content": ("---\n---\n# c\n---\na: 1\n---\n~\n---\n", [{"a": 1}]),
    "end markers": ("a: 1\n...\n---\nb: 2\n...\n", [{"a": 1}, {"b": 2}]),
    "CRLF": ("a: 1\r\nb:\r\n  - c\r\n---\r\nd: |\r\n  e\r\n", [{"a": 1, "b": ["c"]}, {"d": "e\n"}]),
    "byte order mark": ("\ufeffa: 1\n", [{"a": 1}]),
    "byte order mark of an appended file": ("a: 1\n---\n\ufeffb: 2\n", [{"a": 1}, {"b": 2}]),
    "no line end at the end": ("a: 1\n---\nb: 2", [{"a": 1}, {"b": 2}]),
    "%YAML 1.1 directive": ("%YAML 1.1\n---\na: 1\n", [{"a": 1}]),
    "%TAG directive": ("%TAG !y! tag:yaml.org,2002:\n---\na: !y!int '3'\n", [{"a": 3}]),
    "JSON": ('{"a": [1, 2.5, "x", null, true], "b": {}}', [{"a": [1, 2.5, "x", None, True], "b": {}}]),
    "JSON indented with tabs": ('{\n\t"a":\t1,\n\t"b": {\n\t\t"c": 2}\n}\n', [{"a": 1, "b": {"c": 2}}]),
    "JSON without spaces": ('{"a":1,"b":["c","d"]}', [{"a": 1, "b": ["c", "d"]}]),
    "JSON escapes": (r'{"a": "\/\u00e9\n\"", "b": "\\/"}', [{"a": '/é\n"', "b": "\\/"}]),
    "JSON with a surrogate pair": (r'{"a": "\ud83d\ude00"}', [{"a": "😀"}]),
    "JSON with half a surrogate pair": (
        r'{"\ud83d": "é\ud83d!", "b": ["\ude00"]}', [{"\ufffd": "é\ufffd!", "b": ["\ufffd"]}],
    ),
    "JSON objects in a row": ('{"a": 1}\n{"b": 2.0} ', [{"a": 1}, {"b": 2}]),
    "JSON with a key of 1,100 characters": ('{"' + "k" * 1100 + '": 1}', [{"k" * 1100: 1}]),
    "explicit key": ("? a\n: b\n", [{"a": "b"}]),
    "tags of collections": ("!!map {a: !!seq [1], b: !!set {c}}", [{"a": [1], "b": {"c": None}}]),
    "block scalars": ("a: |\n  x\n  y\nb: >-\n  x\n  y\n", [{"a": "x\ny\n", "b": "x y"}]),
    "keys that are no text": ("1: a\ntrue: b\n1.5: c\n0x10: d\n", [{"1": "a", "true": "b", "1.5": "c", "16": "d"}]),
    "lists and scalars": ("- 1\n- [a, b]\n---\nhello\n", [[1, ["a", "b"]], "hello"]),
    "a separator inside a block scalar": ("a: |\n  ---\n  b\n", [{"a": "---\nb\n"}]),
}  # fmt: skip


@BOTH
@pytest.mark.parametrize(("text", "expected"), GOOD.values(), ids=GOOD)
def test_documents_are_read(text: str, expected: list[object], libyaml: bool) -> None:
    assert values(text, libyaml=libyaml) == expected


def test_documents_know_where_they_are() -> None:
    documents = read("# first\na: 1\n---\n---\n# third\nb: 2\n--- {c: 3}\n").documents
    assert [(document.index, document.line) for document in documents] == [(0, 2), (2, 4), (3, 7)]
    assert [document.file for document in documents] == ["job.yaml"] * 3
    assert documents[2].text == "--- {c: 3}\n"


def test_an_object_names_itself() -> None:
    job = only("apiVersion: g.io/v1\nkind: K\nmetadata: {name: m, namespace: s}\n")
    assert (job.api_version, job.group, job.kind, job.name, job.namespace) == ("g.io/v1", "g.io", "K", "m", "s")
    assert (job.ref.api_version, job.ref.kind, job.ref.name, job.ref.namespace) == ("g.io/v1", "K", "m", "s")


@pytest.mark.parametrize(
    "text", ["- a\n", "apiVersion: 1\nkind: [a]\nmetadata: x\n", "metadata: {name: 5, namespace: yes}\n"]
)
def test_an_object_of_wrong_types_has_no_name(text: str) -> None:
    document = only(text)
    assert (document.api_version, document.group, document.kind) == ("", "", "")
    assert (document.name, document.namespace) == ("", "")


BROKEN = {
    "colon in a plain value": ("a: b: c\n", [("yaml-syntax", 1, 5, "")]),
    "tab indentation": ("a:\n\tb: 1\n", [("yaml-syntax", 2, 1, "")]),
    "reserved character": ("a: @home\n", [("yaml-syntax", 1, 4, "")]),
    "open quote": ('a: 1\nb: "x\nc: 2\n', [("yaml-syntax", 2, 4, "")]),
    "open bracket": ("a: [1,\nb: 2\n", [("yaml-syntax", 3, 1, "")]),
    "truncated JSON": ('{"a": {"b": [1, 2', [("yaml-syntax", 1, 18, "")]),
    "unknown escape": ('a: "\\q"\n', [("yaml-syntax", 1, 5, "")]),
    "escaped slash outside JSON": ('a: "x\\/y"\nb: "\\\\/"\n', [("yaml-syntax", 1, 6, "a")]),
    "half a surrogate pair outside JSON": ('a: "\\ud83d"\n', [("yaml-syntax", 1, 7, "")]),
    "wrong indentation": ("a:\n  - b\n c: d\n", [("yaml-syntax", 3, 2, "")]),
    "unknown tag handle": ("a: !x!y z\n", [("yaml-syntax", 1, 4, "")]),
    "YAML 1.2 directive": ("%YAML 1.2\n---\na: 1\n", [("yaml-syntax", 1, 1, "")]),
    "control character": ("a: 1\nb: \x07\n", [("not-text", 2, 4, "")]),
    "control character and a high plane": ("a: 😀\x01\n", [("not-text", 1, 5, "")]),
    "infinity": ("a: [1, .inf]\n", [("not-a-json-number", 1, 8, "a[1]")]),
    "not a number": ("a:\n  b: .NaN\n", [("not-a-json-number", 2, 6, "a.b")]),
    "tag mismatch": ("a: !!int x\n", [("tag-mismatch", 1, 4, "a")]),
    "mapping as key": ("a: {{b: c}: d}\n", [("invalid-key", 1, 5, "a")]),
    "list as key": ("? [a]\n: b\n", [("invalid-key", 1, 3, "")]),
    "null as key": ("a:\n  ~: b\n", [("invalid-key", 2, 3, "a")]),
    "empty key": ("?\n: b\n", [("invalid-key", 1, 2, "")]),
    "64-bit key": ("18446744073709551615: b\n", [("invalid-key", 1, 1, "")]),
    "text after the object": ("{a: 1}\nb\n", [("yaml-syntax", 2, 1, "")]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_a_fault_has_its_place(text: str, expected: list[tuple[str, int, int, str]]) -> None:
    findings = read(text).findings
    assert places(findings) == expected
    assert all(one.layer is Layer.YAML and one.severity is Severity.ERROR and one.refuses for one in findings)
    assert all(one.help.endswith(".") and not one.message.endswith(".") for one in findings)


@pytest.mark.parametrize("text", ["a: [x?y]\n", "a: {b: ?c}\n", "a: {b?: c}\n"])
def test_a_question_mark_in_brackets_is_refused_as_by_the_api_server(text: str) -> None:
    assert "yaml-syntax" in {finding.name for finding in read(text).findings}


def test_a_question_mark_elsewhere_is_fine() -> None:
    assert values("a: x?y\nb: ['x?y', \"?\"]\nc: |\n  [?]\n") == [{"a": "x?y", "b": ["x?y", "?"], "c": "[?]\n"}]


SAME_IN_BOTH = [
    "tab indentation", "reserved character", "open quote", "control character", "infinity", "tag mismatch",
    "mapping as key", "null as key", "YAML 1.2 directive", "escaped slash outside JSON", "open bracket",
]  # fmt: skip


@pytest.mark.parametrize("case", SAME_IN_BOTH)
def test_both_parsers_find_the_same_fault(case: str) -> None:
    text, expected = BROKEN[case]
    assert places(read(text, libyaml=False).findings) == expected


@BOTH
def test_a_broken_document_leaves_the_others_alone(libyaml: bool) -> None:
    text = "a: 1\n---\nb: [\n---\nc: 3\n---\nd: 'x\n--- # last\ne: 5\ne: 6\n"
    result = read(text, libyaml=libyaml)
    assert [(one.index, one.line, one.value) for one in result.documents] == [
        (0, 1, {"a": 1}),
        (2, 4, {"c": 3}),
        (4, 8, {"e": 6}),
    ]
    assert [(one.document, one.name, one.line) for one in result.findings] == [
        (1, "yaml-syntax", 4),
        (3, "yaml-syntax", 7),
        (4, "duplicate-key", 10),
    ]
    assert [(one.index, one.text) for one in result.failures] == [(1, "---\nb: [\n"), (3, "---\nd: 'x\n")]


def test_a_control_character_far_behind_leaves_the_documents_before_it_alone() -> None:
    result = read("a: 1\n---\nb: \x00c\n".replace("\x00", "\x01") + "---\nd: 1\n")
    assert [one.value for one in result.documents] == [{"a": 1}, {"d": 1}]
    assert places(result.findings) == [("not-text", 3, 4, "")]


def test_directives_stay_with_the_document_after_them() -> None:
    result = read("a: [\n---\nb: 1\n...\n# text\n%TAG !e! tag:yaml.org,2002:\n---\nc: !e!str 1\n")
    assert [one.value for one in result.documents] == [{"b": 1}, {"c": "1"}]
    assert len(result.failures) == 1


def test_faults_before_the_one_that_ends_a_document_are_kept() -> None:
    result = read("a: .inf\na: 1\nb: *nope\n")
    assert places(result.findings) == [
        ("not-a-json-number", 1, 4, "a"),
        ("duplicate-key", 2, 1, "a"),
        ("unknown-alias", 3, 4, "b"),
    ]
    assert result.documents == []


def test_an_open_bracket_is_named() -> None:
    (finding,) = read("x: 1\n---\na: [1,\n  2\nb: 3\n").findings
    assert finding.message == "not valid YAML: a comma or a closing bracket is missing, in the '[' of line 3"


@pytest.mark.parametrize("text", ["a: [", "a: [\n\n", "a: {b: [}\n"])
def test_a_value_that_is_missing_is_not_said_to_be_in_a_bracket_that_is_none(text: str) -> None:
    (finding,) = read(text).findings
    assert finding.message == "not valid YAML: a value or a closing bracket is missing"


@pytest.mark.parametrize(
    ("data", "name", "line", "column"),
    [
        (b"a: 1\nb: \xe9\n", "not-utf-8", 2, 4),
        (b"\xef\xbb\xbf\xff", "not-utf-8", 1, 1),
        ("a: 1\n".encode("utf-16"), "not-utf-8", 1, 1),
        ("apiVersion: 1\n".encode("utf-16-le"), "not-utf-8", 1, 1),
        ("apiVersion: 1\n".encode("utf-16-be"), "not-utf-8", 1, 1),
        (b"\x7fELF\x02\x01\x01\x00\x00", "not-text", 1, 8),
        (b"a: 1\n\xc3\xa9: \x00", "not-text", 2, 4),
    ],
    ids=["Latin-1", "after the mark", "UTF-16 with mark", "UTF-16 little", "UTF-16 big", "ELF", "NUL"],
)
def test_what_is_no_text_is_a_finding(data: bytes, name: str, line: int, column: int) -> None:
    result = read(data)
    assert places(result.findings) == [(name, line, column, "")]
    assert result.documents == []
    assert len(result.failures) == 1
