"""What asks for too much is a finding, at once and without a crash."""

from __future__ import annotations

import pytest

from tests.source.reading import places, read, values
from trainergen.source import INPUT_CHECKS, Limits

BOTH = pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "python"])

DEEP = {
    "lists in brackets": "[" * 10_000 + "]" * 10_000,
    "brackets never closed": "[" * 10_000,
    "mappings in braces": "{a: " * 10_000 + "}" * 10_000,
    "JSON": '{"a":' * 10_000 + "1" + "}" * 10_000,
    "list items in a line": "- " * 10_000 + "x",
    "explicit keys in a line": "? " * 2_000 + "x",
    "indentation": "".join(f"{' ' * depth}a:\n" for depth in range(1_500)),
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_deep_nesting_is_one_finding(text: str) -> None:
    result = read(text)
    assert [finding.name for finding in result.findings] in (["too-deep"], ["invalid-key"])
    assert result.documents == []


@pytest.mark.parametrize("case", ["indentation", "list items in a line"])
def test_deep_nesting_is_found_by_the_parser_in_python(case: str) -> None:
    assert [finding.name for finding in read(DEEP[case], libyaml=False).findings] == ["too-deep"]


@BOTH
def test_depth_is_counted_in_collections(libyaml: bool) -> None:
    assert values("a: [[b]]\n", limits=Limits(depth=3), libyaml=libyaml) == [{"a": [["b"]]}]
    result = read("a: [[[b]]]\n", limits=Limits(depth=3), libyaml=libyaml)
    assert places(result.findings) == [("too-deep", 1, 6, "")]


def test_json_that_is_no_yaml_is_limited_too() -> None:
    text = '{"\\ud83d\\ude00": [[[1]]]}'
    assert values(text, limits=Limits(depth=4)) == [{"😀": [[[1]]]}]
    assert [finding.name for finding in read(text, limits=Limits(depth=3)).findings] == ["yaml-syntax"]


@BOTH
def test_documents_are_counted(libyaml: bool) -> None:
    text = "a: 1\n---\n" * 5
    result = read(text, limits=Limits(documents=3), libyaml=libyaml)
    assert len(result.documents) == 3
    (finding,) = result.findings
    assert (finding.name, finding.line) == ("too-many-documents", 6)
    assert finding.message == "the file holds more than 3 documents"


def test_documents_are_counted_after_a_broken_one() -> None:
    result = read("a: [\n---\n" + "a: 1\n---\n" * 5, limits=Limits(documents=3))
    assert [finding.name for finding in result.findings] == ["yaml-syntax", "too-many-documents"]
    assert len(result.documents) == 2


def test_as_many_documents_as_allowed_are_fine() -> None:
    assert len(values("a: 1\n---\n" * 2 + "a: 1\n", limits=Limits(documents=3))) == 3


def test_a_large_file_is_refused_without_being_parsed() -> None:
    result = read(b"[" * 2_000_000, limits=Limits(file_bytes=1024 * 1024))
    (finding,) = result.findings
    assert finding.message == "the file has 1.9 MiB, more than the 1 MiB that are read"
    assert finding.rule in INPUT_CHECKS
    assert result.documents == []


def test_thousands_of_broken_documents_are_read_in_one_go() -> None:
    result = read("---\na: [\n" * 3_000)
    assert len(result.failures) == 3_000


def test_a_long_chain_of_merges_is_read_and_located() -> None:
    text = "k0: &k0 {x: 1}\n" + "".join(f"k{at}: &k{at} {{<<: *k{at - 1}}}\n" for at in range(1, 3_000))
    document = read(text).documents[0]
    assert document.value["k2999"] == {"x": 1}  # type: ignore[index, call-overload]
    assert document.locate(("k2999", "x")).line == 1


def test_a_document_with_thousands_of_faults_is_given_up() -> None:
    result = read("a: 1\n" * 5_000 + "---\nb: 1\n")
    assert len(result.findings) == 1_001
    assert [document.value for document in result.documents] == [{"b": 1}]
    assert len(read("a: [" + "x?y, " * 5_000 + "z]\n").findings) == 1_000
