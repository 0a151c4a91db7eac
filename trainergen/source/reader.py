"""Bytes to documents and findings; a broken document does not hide the others of its file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import yaml
from yaml.error import MarkedYAMLError

from trainergen.source import checks
from trainergen.source.anchors import Budget
from trainergen.source.build import Builder, Built
from trainergen.source.dialect import dialect_problems, may_differ
from trainergen.source.document import Document, Span
from trainergen.source.encoding import encoding_finding
from trainergen.source.events import next_event
from trainergen.source.limits import DEFAULT_LIMITS, Limits
from trainergen.source.problems import FaultError, Problem
from trainergen.source.syntax import syntax_problem
from trainergen.source.text import SourceText
from trainergen.source.tree import trail

if TYPE_CHECKING:
    from trainergen.finding import Finding, Path

_SEPARATOR = r"^---(?=[ \t\r\n]|\Z)"


class Failure:
    """A document that could not be read, with its text for whoever has to guess what it was meant to be."""

    __slots__ = ("finding", "index", "text")

    def __init__(self, finding: Finding, index: int, text: str) -> None:
        self.finding = finding
        self.index = index
        self.text = text


@dataclass(slots=True)
class ReadResult:
    """The documents of a file that hold something, the findings of reading it, and what could not be read.

    ``findings`` has places already and includes those of ``failures``.
    """

    documents: list[Document] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def read_documents(data: bytes, *, file: str, limits: Limits = DEFAULT_LIMITS, libyaml: bool = True) -> ReadResult:
    """Read every YAML or JSON document of a file as the API server reads it; never raises for any bytes.

    Documents that are empty, comments only or null are left out but counted in ``Document.index``.
    ``libyaml=False`` takes PyYAML's Python parser, which gives the same values.
    """
    return _Reading(data, file=file, limits=limits, libyaml=libyaml).read()


class _Reading:
    def __init__(self, data: bytes, *, file: str, limits: Limits, libyaml: bool) -> None:
        self._source = SourceText(data, file=file)
        self._limits = limits
        self._libyaml = libyaml
        self._budget = Budget(limits.alias_nodes)
        self._budget_left = limits.alias_nodes
        self._result = ReadResult()
        self._may_differ = may_differ(data)
        self._seen = 0
        self._end = 0

    def read(self) -> ReadResult:
        data = self._source.data
        if len(data) > self._limits.file_bytes:
            self._result.findings.append(too_large(self._source.file, len(data), self._limits))
        elif (finding := encoding_finding(data, file=self._source.file)) is not None:
            self._fail(finding, data.decode("utf-8", "replace"))
        else:
            self._read_text(data[self._source.bom :])
        return self._result

    def _read_text(self, data: bytes) -> None:
        try:
            complete = self._take(self._builder(data).documents(), 0)
        except (yaml.YAMLError, FaultError) as error:
            complete = self._recover(error)
        if not complete:
            problem = Problem(
                checks.TOO_MANY_DOCUMENTS,
                f"the file holds more than {self._limits.documents:,} documents",
                "Split the file.",
                self._end,
                self._end,
            )
            self._result.findings.append(self._finding(problem))

    def _builder(self, text: bytes | str) -> Builder:
        self._budget.nodes = self._budget_left  # what a broken document used up does not count
        return Builder(next_event(text, libyaml=self._libyaml), self._limits, self._budget)

    def _take(self, built: Iterator[Built], base: int) -> bool:
        """Keep documents; False once there are too many."""
        for one in built:
            if self._seen >= self._limits.documents:
                return False
            self._keep(one, base)
        return True

    def _keep(self, built: Built, base: int) -> None:
        self._end = base + built.after
        self._budget_left = self._budget.nodes
        span = Span(self._source, base + built.start, base + built.end)
        document = Document(built.value, span, index=self._seen)
        if built.value is not None or built.problems:
            self._result.documents.append(document)
            problems = [_with_first_place(_moved(problem, base), document) for problem in built.problems]
            if self._may_differ:
                problems += dialect_problems(document)
            self._result.findings += [self._finding(problem) for problem in problems]
        self._seen += 1

    def _recover(self, error: Exception) -> bool:
        """Read the rest of the file piece by piece, cut where a line starts with the document separator."""
        pieces = list(self._pieces())
        if isinstance(error, MarkedYAMLError) and "document start" in str(error.problem):
            # The rest of a document that is over already; by itself it may well be valid.
            start, end = pieces.pop(0)
            problem = syntax_problem(error, self._source.text, first_line=1)
            self._fall_back(problem, self._source.text[start:end], start=start)
        for start, end in pieces:
            if self._seen >= self._limits.documents:
                return False
            if not self._take_piece(self._source.text[start:end], start):
                return False
        return True

    def _take_piece(self, text: str, start: int) -> bool:
        builder = self._builder(text)
        try:
            return self._take(builder.documents(), start)
        except FaultError as error:
            problem = error.problem
        except yaml.YAMLError as error:
            problem = syntax_problem(error, text, first_line=self._source.place(start)[0])
        self._fall_back(_moved(problem, start), text, start=start, before=builder.problems)
        return True

    def _pieces(self) -> Iterator[tuple[int, int]]:
        text = self._source.text
        start = self._end
        for separator in re.compile(_SEPARATOR, re.MULTILINE).finditer(text, start + 1):
            cut = _before_directives(text, start, separator.start())
            if cut > start:
                yield start, cut
                start = cut
        yield start, len(text)

    def _fall_back(self, problem: Problem, text: str, *, start: int, before: Sequence[Problem] = ()) -> None:
        """Take a piece that is no YAML for JSON, or else for the failure that it is."""
        from trainergen.source.jsontext import read_json

        values = read_json(text, self._limits)
        if values is not None:
            for value, begin, end in values:
                self._keep(Built(value, begin, end, end), start)
            return
        for earlier in before:
            self._result.findings.append(self._finding(_moved(earlier, start)))
        self._fail(self._finding(problem), text)

    def _fail(self, finding: Finding, text: str) -> None:
        self._result.findings.append(finding)
        self._result.failures.append(Failure(finding, self._seen, text))
        self._seen += 1

    def _finding(self, problem: Problem) -> Finding:
        line, column = self._source.place(problem.start)
        end_line, end_column = self._source.place(problem.end)
        return replace(
            problem.check.at(problem.path, problem.message, help=problem.help, on_key=problem.on_key),
            file=self._source.file,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            document=self._seen,
        )


def _before_directives(text: str, start: int, separator: int) -> int:
    """Where a document ends: directives before a separator, and comments between them, belong to the one after it."""
    cut = line = separator
    while line > start:
        end, line = line, max(start, text.rfind("\n", start, line - 1) + 1)
        content = text[line:end].strip()
        if text[line] == "%":
            cut = line
        elif content and not content.startswith("#"):
            break
    return cut


def _moved(problem: Problem, by: int) -> Problem:
    return problem._replace(start=problem.start + by, end=problem.end + by)


def _with_first_place(problem: Problem, document: Document) -> Problem:
    """A duplicate key names both places."""
    if problem.check is not checks.DUPLICATE_KEY or document.span.root is None:
        return problem
    *parents, name = problem.path
    parent: Path = tuple(parents)
    steps = trail(document.span.root, parent)
    mapping = steps[-1][1].target if steps else document.span.root.target
    first = next((key for key, _ in mapping.pairs if key.key == name and not key.merges), None)
    if first is None:
        return problem
    line = document.span.position(first.start, first.end).line
    return problem._replace(message=f"{problem.message}, first in line {line}")


def too_large(file: str, size: int, limits: Limits) -> Finding:
    """The finding of a file that is over the size limit."""
    mib = 1024 * 1024
    message = f"the file has {size / mib:.1f} MiB, more than the {limits.file_bytes / mib:g} MiB that are read"
    remedy = "Exclude the file, or split it if it does hold manifests."
    return replace(checks.FILE_TOO_LARGE.at((), message, help=remedy), file=file, line=1, column=1)
