"""One run of ``upgrade``: plan every object, prove the edits by rendering both sides, and put the report together."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import trainergen
from trainergen.admission.admit import admit
from trainergen.api.access import object_at
from trainergen.engine.run import index
from trainergen.engine.upgrade_proof import PlannedFile, Proof
from trainergen.finding import Severity
from trainergen.fixing.unified import diff
from trainergen.releases import get_release
from trainergen.source import kustomizations
from trainergen.source.checks import INPUT_CHECKS
from trainergen.source.classify import Category
from trainergen.source.discovery import discover
from trainergen.source.files import SourceFile, UnreadableError
from trainergen.source.load import load
from trainergen.source.reader import read_documents
from trainergen.upgrade import DEFAULT_MANAGER, Surroundings, upgrade
from trainergen.upgrade.checks import LIST_REPLACED, STILL_REFUSED
from trainergen.upgrade.elsewhere import KINDS, Elsewhere, may_hold_fragments
from trainergen.upgrade.positions import moved_positions
from trainergen.upgrade.report import FileUpgrade, ObjectUpgrade, UpgradeReport
from trainergen.upgrade.work import RUNTIMES

if TYPE_CHECKING:
    from trainergen.finding import Finding
    from trainergen.source.document import Document
    from trainergen.upgrade import UpgradePlan
    from trainergen.upgrade.audit import Audit

JOB = "TrainJob"
_PATCHES = "runtimePatches"


@dataclass(frozen=True, slots=True)
class UpgradeOptions:
    """The settled settings of a run; ``manager`` names the patches that are made, other fields as in CheckOptions."""

    paths: tuple[str, ...]
    from_release: str
    to_release: str
    release_reason: str = ""
    manager: str = DEFAULT_MANAGER
    exclude: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    stdin: bytes | None = None
    stdin_filename: str = "<stdin>"


def run_upgrade(options: UpgradeOptions) -> UpgradeReport:
    """Plan and prove; nothing is written. Raises TrainergenError for what the user must mend first."""
    kustomizations.forget()
    stdin = None
    if options.stdin is not None:
        stdin = SourceFile(options.stdin_filename, explicit=True, data=options.stdin)
    found = discover(options.paths, excludes=options.exclude, stdin=stdin)
    return _Upgrade(options, found.files, list(found.findings)).report()


def unreadable(report: UpgradeReport) -> bool:
    """True when some input could not be read at all."""
    return any(finding.rule in INPUT_CHECKS for finding in report.findings)


class _Upgrade:
    def __init__(self, options: UpgradeOptions, sources: list[SourceFile], findings: list[Finding]) -> None:
        self._options = options
        self._old, self._new = get_release(options.from_release), get_release(options.to_release)
        self._sources = sources
        self._findings = findings
        self._files: dict[str, PlannedFile] = {}

    def report(self) -> UpgradeReport:
        self._plan()
        proof = Proof(self._sources, self._files, old=self._old, new=self._new, runtimes=self._options.runtimes)
        proof.run()
        self._findings += proof.findings
        self._judge(proof.refusals)
        return UpgradeReport(
            from_release=self._old.name,
            to_release=self._new.name,
            release_reason=self._options.release_reason,
            files=tuple(_as_upgrade(file) for file in self._files.values() if file.changed),
            findings=tuple(sorted(self._all_findings(), key=lambda one: (one.file, one.line, one.rule, one.message))),
            proofs=tuple(proof.proofs),
            unproved=tuple(proof.unproved),
            unchanged=proof.unchanged,
            audit=self._audit(),
            version=trainergen.__version__,
        )

    def _all_findings(self) -> list[Finding]:
        found = [
            *self._findings,
            *(loss for file in self._files.values() for plan in file.plans for loss in plan.losses),
        ]
        return list({(one.file, one.line, one.column, one.rule, one.message): one for one in found}.values())

    def _plan(self) -> None:
        loaded: list[tuple[PlannedFile, list[Document]]] = []
        others: list[tuple[str, bytes]] = []
        for source in self._sources:
            try:
                data = source.read_bytes()
            except UnreadableError as error:
                self._findings.append(error.finding)
                continue
            if not may_hold_fragments(data):
                continue
            result = load(source)
            self._findings += [one for one in result.findings if one.refuses or one.rule in INPUT_CHECKS]
            documents = result.of(Category.TRAINER)
            loaded.append((PlannedFile(source, data), documents))
            if not documents or len(documents) != result.documents:
                others.append((source.path, data))
        nearest = index(self._sources, self._options.runtimes).nearest
        jobs = tuple(one for _, documents in loaded for one in documents if one.kind == JOB)
        around = Surroundings(self._old, nearest, jobs, self._options.manager)
        for file, documents in loaded:
            file.plans = [upgrade(one, to_release=self._new, around=around) for one in documents]
            file.plans += self._patch_plans(file, documents, around)
            self._files[file.source.path] = file
        elsewhere = Elsewhere(self._new, around)
        for name, data in others:
            planned = frozenset(plan.document.index for plan in self._files[name].plans)
            self._findings += elsewhere.findings(name, data, planned=planned)
        self._findings += self._moved_positions()

    def _moved_positions(self) -> Iterator[Finding]:
        for source in self._sources:
            name = source.location or source.path
            if posixpath.basename(name) in kustomizations.NAMES:
                for document in read_documents(_beside(name)(posixpath.basename(name)), file=source.path).documents:
                    yield from moved_positions(document, _beside(name), self._old, self._new)

    def _patch_plans(self, file: PlannedFile, known: list[Document], around: Surroundings) -> Iterator[UpgradePlan]:
        """Strategic-merge patches in files of their own, which are edited like what they patch."""
        if known or not file.is_patch:
            return
        for document in read_documents(file.data, file=file.source.path).documents:
            if document.kind not in KINDS or not document.api_version.startswith("trainer.kubeflow.org/"):
                continue
            plan = upgrade(document, to_release=self._new, around=around)
            yield replace(plan, losses=(*plan.losses, *_replaced_lists(plan)))

    def _judge(self, jobs: list[Finding]) -> None:
        """What the target still refuses, unless a step said so already; ``jobs`` are its refusals of TrainJobs."""
        found = [*jobs, *(one for file in self._files.values() if not file.is_patch for one in self._refusals(file))]
        losses = [loss for file in self._files.values() for plan in file.plans for loss in plan.losses]
        said = {(loss.file, loss.line) for loss in losses if loss.severity is Severity.ERROR}
        for one in found:
            if (one.file, one.line) not in said:
                text = f"Trainer {self._new.name} refuses it: {one.message}"
                check = STILL_REFUSED.at(one.at, text, help=one.help or "Correct it by hand.")
                self._findings.append(
                    replace(one, rule=check.rule, name=check.name, layer=check.layer, message=text, help=check.help)
                )

    def _refusals(self, file: PlannedFile) -> Iterator[Finding]:
        """Why the target refuses the runtimes of a file."""
        for plan in file.plans:
            if plan.document.kind in RUNTIMES:
                value = plan.document.object if file.held else plan.object
                yield from (plan.document.place(one) for one in admit(value, release=self._new).findings if one.refuses)

    def _audit(self) -> Audit:
        from trainergen.engine.install_audit import audit_tree

        return audit_tree(self._sources, self._options.paths, self._options.exclude, old=self._old, new=self._new)


def _beside(name: str) -> Callable[[str], bytes]:
    """Reads files by their paths from the folder of one; what cannot be read is empty."""

    def read(path: str) -> bytes:
        try:
            return SourceFile(posixpath.join(posixpath.dirname(name), path)).read_bytes()
        except UnreadableError:
            return b""

    return read


def _replaced_lists(plan: UpgradePlan) -> Iterable[Finding]:
    old, new = object_at(plan.document.object, "spec"), object_at(plan.object, "spec")
    if plan.changed and _PATCHES in new:
        gone = next((key for key in old if key not in new), _PATCHES)
        finding = LIST_REPLACED.at(
            ("spec", gone),
            f"the patch brings spec.{_PATCHES}, which replaces that of the base as a whole",
            help="Give kustomize the schema of trainergen schema kustomize-openapi, or repeat the base's entries here.",
            on_key=True,
        )
        yield plan.document.place(finding)


def _as_upgrade(file: PlannedFile) -> FileUpgrade:
    changed = [plan for plan in file.plans if plan.changed]
    objects = tuple(ObjectUpgrade(one.document.ref, one.document.locate(()).line, one.notes) for one in changed)
    location = file.source.location or file.source.path
    patch = diff(file.source.path, file.data, file.new).decode("utf-8", "replace")
    return FileUpgrade(file.source.path, location, file.data, file.new, objects, patch, file.held)
