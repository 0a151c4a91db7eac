"""One run of ``upgrade``: plan every object, prove the edits by rendering both sides, and put the report together."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import trainergen
from trainergen.admission.admit import admit
from trainergen.engine.upgrade_planning import Planning
from trainergen.engine.upgrade_proof import PlannedFile, Proof, hold_patches
from trainergen.finding import Severity
from trainergen.fixing.unified import diff
from trainergen.releases import get_release
from trainergen.source import kustomizations
from trainergen.source.checks import INPUT_CHECKS
from trainergen.source.discovery import discover
from trainergen.source.files import SourceFile
from trainergen.upgrade import DEFAULT_MANAGER
from trainergen.upgrade.checks import STILL_REFUSED
from trainergen.upgrade.report import FileUpgrade, ObjectUpgrade, UpgradeReport
from trainergen.upgrade.work import RUNTIMES

if TYPE_CHECKING:
    from trainergen.finding import Finding
    from trainergen.upgrade.audit import Audit

JOB = "TrainJob"
_PATCHES = "runtimePatches"


@dataclass(frozen=True, slots=True)
class UpgradeOptions:
    """The settled settings of a run; ``manager`` names the patches that are made, other fields as in CheckOptions.

    ``texts`` count in place of what the files of these real paths hold.
    """

    paths: tuple[str, ...]
    from_release: str
    to_release: str
    release_reason: str = ""
    manager: str = DEFAULT_MANAGER
    exclude: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    texts: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    stdin: bytes | None = None
    stdin_filename: str = "<stdin>"


def run_upgrade(options: UpgradeOptions) -> UpgradeReport:
    """Plan and prove; nothing is written. Raises TrainergenError for what the user must mend first."""
    kustomizations.forget()
    stdin = None
    if options.stdin is not None:
        stdin = SourceFile(options.stdin_filename, explicit=True, data=options.stdin)
    found = discover(options.paths, excludes=options.exclude, stdin=stdin)
    files = [_with_text(one, options.texts) for one in found.files]
    return _Upgrade(options, files, list(found.findings)).report()


def _with_text(file: SourceFile, texts: Mapping[str, bytes]) -> SourceFile:
    text = texts.get(os.path.realpath(file.location or file.path)) if texts else None
    return file if text is None else replace(file, data=text)


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
        hold_patches(self._files.values())
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
            *(loss for file in self._files.values() for loss in file.losses),
        ]
        return list({(one.file, one.line, one.column, one.rule, one.message): one for one in found}.values())

    def _plan(self) -> None:
        planning = Planning(
            self._sources,
            (self._old, self._new),
            manager=self._options.manager,
            runtimes=self._options.runtimes,
            texts=self._options.texts,
        )
        planning.plan()
        self._files = planning.files
        self._findings += planning.findings

    def _judge(self, jobs: list[Finding]) -> None:
        """What the target still refuses, unless a step said so already; ``jobs`` are its refusals of TrainJobs."""
        found = [*jobs, *(one for file in self._files.values() if not file.is_patch for one in self._refusals(file))]
        losses = [loss for file in self._files.values() for loss in file.losses]
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


def _as_upgrade(file: PlannedFile) -> FileUpgrade:
    changed = [plan for plan in file.plans if plan.changed]
    objects = [ObjectUpgrade(one.document.ref, one.document.locate(()).line, one.notes) for one in changed]
    objects += [ObjectUpgrade(one.ref, one.line, one.notes) for one in file.fragments if one.edits]
    location = file.source.location or file.source.path
    patch = diff(file.source.path, file.data, file.new).decode("utf-8", "replace")
    return FileUpgrade(file.source.path, location, file.data, file.new, tuple(objects), patch, file.held)
