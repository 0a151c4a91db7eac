"""Whatever the bytes: no exception, the same answer each time, and places inside the text."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from trainergen.source import Limits, SourceFile, load, read_documents

SMALL = Limits(file_bytes=10_000, documents=5, depth=6, alias_nodes=50)

PIECES = st.sampled_from(
    [
        "a", "b: ", "- ", "? ", ": ", "\n", "  ", "\t", "---\n", "...\n", "[", "]", "{", "}", ",", "&x ", "*x", "<<: ",
        "'", '"', "|\n", ">-\n", "#", "%YAML 1.1\n", "!!int ", "!", "1", "~", "é", "\ufeff", "\r\n", "\\", "\\ud83d",
        ".inf", "\x00", "\x85", "{{ .x }}", "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\n",
        "kind: List\napiVersion: v1\nitems:\n", '{"a": 1}', "sops:\n  mac: x\n", "metadata: {name: x}\n",
        "apiVersion: v1\n",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join).map(str.encode)


@given(st.binary(max_size=200) | TEXTS)
@example(b"")
@example(b"\xef\xbb\xbf")
@example(b"a: &a {<<: *a}")
@example(b"&a [*a, *a]: *a")
def test_any_bytes_give_documents_and_findings(data: bytes) -> None:
    for libyaml in (True, False):
        result = read_documents(data, file="x", limits=SMALL, libyaml=libyaml)
        again = read_documents(data, file="x", limits=SMALL, libyaml=libyaml)
        assert result.findings == again.findings
        assert repr([one.value for one in result.documents]) == repr([one.value for one in again.documents])
        lines = data.decode("utf-8", "replace").splitlines() or [""]
        for finding in result.findings:
            assert 1 <= finding.line <= len(lines) + 1
            assert finding.column >= 1
            assert (finding.end_line, finding.end_column) >= (finding.line, finding.column) or finding.rule == "TG004"


@given(TEXTS, st.booleans())
def test_any_text_is_classified_and_located(data: bytes, explicit: bool) -> None:
    loaded = load(SourceFile("x.yaml", explicit=explicit, data=data), limits=SMALL, everything=True)
    for _, document in loaded.objects:
        for path in ((), ("metadata", "name"), ("spec", 0), ("items", 0, "kind")):
            assert document.locate(path).line >= 1
            assert document.locate(path, on_key=True).line >= 1
    assert all(finding.file == "x.yaml" and finding.line >= 1 for finding in loaded.findings)
