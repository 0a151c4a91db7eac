"""What the tests of reading share: text in, values and findings out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.source import DEFAULT_LIMITS, Document, Limits, ReadResult, read_documents

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonValue


def read(text: str | bytes, *, limits: Limits = DEFAULT_LIMITS, libyaml: bool = True) -> ReadResult:
    data = text.encode() if isinstance(text, str) else text
    return read_documents(data, file="job.yaml", limits=limits, libyaml=libyaml)


def values(text: str | bytes, **options: object) -> list[JsonValue]:
    """The values of a text that has nothing wrong with it."""
    result = read(text, **options)  # type: ignore[arg-type]
    assert result.findings == []
    return [document.value for document in result.documents]


def only(text: str | bytes) -> Document:
    (document,) = read(text).documents
    return document


def places(findings: list[Finding]) -> list[tuple[str, int, int, str]]:
    return [(finding.name, finding.line, finding.column, finding.path) for finding in findings]
