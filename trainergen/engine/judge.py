"""The verdict on one file: load it, admit its Trainer objects, and put every finding in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from trainergen.admission.admit import admit
from trainergen.finding import Finding, Layer, NotEvaluated, format_path
from trainergen.releases import get_release
from trainergen.report import LocatedNotEvaluated
from trainergen.source.classify import Category
from trainergen.source.load import load

if TYPE_CHECKING:
    from trainergen.engine.base import GitBase
    from trainergen.engine.lint import Linter
    from trainergen.engine.options import CheckOptions
    from trainergen.engine.policing import Policing
    from trainergen.engine.workspace import Workspace
    from trainergen.finding import JsonObject
    from trainergen.rules.objects import Entry
    from trainergen.source import Document, SourceFile
    from trainergen.suppress.written import Written

# Objects that are recognised and counted, and that other commands or other tools are for.
_LEFT_ALONE = (Category.OTHER, Category.KUSTOMIZATION)


@dataclass(slots=True)
class FileVerdict:
    """What one file contributes to the report."""

    judged: bool = False
    documents: int = 0
    findings: list[Finding] = field(default_factory=list)
    not_evaluated: list[LocatedNotEvaluated] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    entries: list[Entry] = field(default_factory=list)
    """The objects, for the rules that run once all files are judged."""
    changes: list[tuple[Entry, JsonObject]] = field(default_factory=list)
    """Those of them that ``--base`` has in another form, with that form."""
    suppressions: list[Written] | None = None
    """What comments and annotations ignore; None when the file was passed over."""


class Judge(NamedTuple):
    """Judges files one after the other; everything it needs to know of other files is in it."""

    options: CheckOptions
    workspace: Workspace
    base: GitBase | None = None
    linter: Linter | None = None
    policing: Policing | None = None

    def judge(self, file: SourceFile) -> FileVerdict:
        """The verdict on one file; faults of the file become findings, whatever it holds."""
        loaded = load(file) if self.linter is None else load(file, wanted=self.linter.wants)
        verdict = FileVerdict(findings=[each for each in loaded.findings if self._wanted(each)])
        for category, count in loaded.skipped.items():
            verdict.skipped[category.value] += count
        for category, document in loaded.objects:
            if category is Category.TRAINER:
                self._admit(document, file, verdict)
            elif category is Category.LEGACY:
                self._admit_legacy(document, file, verdict)
            elif category in _LEFT_ALONE:
                verdict.skipped[category.value] += 1
                if self.linter is not None:
                    self.linter.lint(document, file, verdict)
        if loaded.data:
            verdict.suppressions = _suppressions(loaded.data, file)
        verdict.judged = bool(verdict.documents or verdict.findings or file.explicit)
        return verdict

    def _admit(self, document: Document, file: SourceFile, verdict: FileVerdict) -> None:
        verdict.documents += 1
        old = None if self.base is None else self.base.find(document, file)
        admission = admit(
            document.object,
            release=get_release(self.options.release),
            old=old,
            objects=self.workspace.cluster_for(document.file),
            webhooks=Layer.WEBHOOK in self.options.layers,
        )
        self._place(document, admission.findings, verdict)
        verdict.not_evaluated += [
            _located(item, document) for item in admission.not_evaluated if item.layer in self.options.layers
        ]
        if self.policing is not None:
            review = self.policing.review(document, admission, old)
            self._place(document, review.findings, verdict)
            verdict.not_evaluated += [_located(item, document) for item in review.not_evaluated]
        if self.linter is not None:
            self.linter.lint(document, file, verdict, admission=admission, old=old)

    def _admit_legacy(self, document: Document, file: SourceFile, verdict: FileVerdict) -> None:
        """A job of the Training Operator, by the rules of its last release; these are loaded for nobody else."""
        from trainergen.admission.legacy import judge_legacy

        verdict.documents += 1
        webhooks = Layer.WEBHOOK in self.options.layers
        self._place(document, judge_legacy(document.object, webhooks=webhooks), verdict)
        if self.linter is not None:
            self.linter.lint(document, file, verdict)

    def _place(self, document: Document, findings: Iterable[Finding], verdict: FileVerdict) -> None:
        verdict.findings += [document.place(finding) for finding in findings if self._wanted(finding)]

    def _wanted(self, finding: Finding) -> bool:
        return finding.layer in self.options.layers and self.options.wants(finding.rule, finding.name)


def _suppressions(data: bytes, file: SourceFile) -> list[Written]:
    if b"trainergen" not in data:
        return []
    from trainergen.suppress.search import suppressions

    return suppressions(data, file.path)


def _located(item: NotEvaluated, document: Document) -> LocatedNotEvaluated:
    where = document.locate(item.at)
    return LocatedNotEvaluated(
        check=item.check,
        reason=item.reason,
        layer=item.layer,
        file=document.file,
        line=where.line,
        column=where.column,
        document=document.index,
        object=document.ref,
        path=format_path(document.prefix + item.at),
    )
