"""One run of ``upgrade``: plan every object, prove the edits by rendering both sides, and put the report together."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import trainergen
from trainergen.admission.admit import admit
from trainergen.diff.report import NotCompared
from trainergen.engine.planned_file import PlannedFile, hold_patches
from trainergen.engine.upgrade_planning import Planning
from trainergen.engine.upgrade_proof import Proof
from trainergen.finding import ObjectRef, Severity
from trainergen.fixing.unified import diff
from trainergen.releases import get_release
from trainergen.source import kustomizations
from trainergen.source.checks import INPUT_CHECKS
from trainergen.source.discovery import discover
from trainergen.source.files import SourceFile
from trainergen.upgrade import DEFAULT_MANAGER
from trainergen.upgrade.checks import NOT_EDITED, STILL_REFUSED
from trainergen.upgrade.report import FileUpgrade, ObjectUpgrade, UpgradeReport
from trainergen.upgrade.work import RUNTIMES

if TYPE_CHECKING:
    from trainergen.engine.upgrade_builds import BuildProof
    from trainergen.finding import Finding, JsonObject
    from trainergen.upgrade.audit import Audit
    from trainergen.upgrade.live import ClusterReader
    from trainergen.upgrade.report import Proved

JOB = "TrainJob"
_PATCHES = "runtimePatches"


@dataclass(frozen=True, slots=True)
class UpgradeOptions:
    """The settled settings of a run; ``manager`` names the patches that are made, other fields as in CheckOptions.

    ``texts`` count in place of what the files of these real paths hold. With ``build``, kustomizations and charts are
    built before and after, charts with the ``values`` in these files.
    """

    paths: tuple[str, ...]
    from_release: str
    to_release: str
    release_reason: str = ""
    manager: str = DEFAULT_MANAGER
    exclude: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    build: bool = False
    values: tuple[str, ...] = ()
    texts: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    stdin: bytes | None = None
    stdin_filename: str = "<stdin>"


def run_upgrade(options: UpgradeOptions, cluster: ClusterReader | None = None) -> UpgradeReport:
    """Plan and prove; nothing is written. Raises TrainergenError for what the user must mend first.

    With a ``cluster`` the report has what the upgrade meets there, too.
    """
    kustomizations.forget()
    stdin = None
    if options.stdin is not None:
        stdin = SourceFile(options.stdin_filename, explicit=True, data=options.stdin)
    found = discover(options.paths, excludes=options.exclude, stdin=stdin)
    files = [_with_text(one, options.texts) for one in found.files]
    run = _Upgrade(options, files, list(found.findings))
    report = run.report()
    if cluster is None:
        return report
    from trainergen.engine.live_audit import audit_cluster

    alone = replace(options, build=False, runtimes=(), texts={}, stdin=None)
    live = audit_cluster(
        cluster,
        (get_release(options.from_release), get_release(options.to_release)),
        in_git=run.objects,
        upgrade=lambda sources: _Upgrade(alone, sources, []).report(audited=False),
    )
    return replace(report, live=live)


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

    @property
    def objects(self) -> list[JsonObject]:
        """The Trainer's objects that were planned for, as they are read."""
        return [plan.document.object for file in self._files.values() if not file.is_patch for plan in file.plans]

    def report(self, *, audited: bool = True) -> UpgradeReport:
        self._plan()
        proof = self._proof()
        proof.run()
        hold_patches(self._files.values())
        proofs, unproved, unchanged = proof.proofs, proof.unproved, proof.unchanged
        if self._options.build:
            proof, builds = self._with_builds(proof)
            proofs, unproved, unchanged = _merged(proof, builds)
        else:
            unproved = [*unproved, *self._unbuilt()]
        self._findings += proof.findings
        self._judge(proof.refusals)
        return UpgradeReport(
            from_release=self._old.name,
            to_release=self._new.name,
            release_reason=self._options.release_reason,
            files=tuple(_as_upgrade(file) for file in self._files.values() if file.changed),
            findings=tuple(sorted(self._all_findings(), key=lambda one: (one.file, one.line, one.rule, one.message))),
            proofs=tuple(proofs),
            unproved=tuple(unproved),
            unchanged=unchanged,
            audit=self._audit() if audited else None,
            version=trainergen.__version__,
        )

    def _proof(self) -> Proof:
        return Proof(self._sources, self._files, old=self._old, new=self._new, runtimes=self._options.runtimes)

    def _with_builds(self, proof: Proof) -> tuple[Proof, BuildProof]:
        """The proof over builds, and that of single files, made anew where the builds hold more of them back."""
        from trainergen.engine.upgrade_builds import BuildProof

        builds = BuildProof(
            self._sources,
            self._files.values(),
            (self._old, self._new),
            values=self._options.values,
            texts=self._options.texts,
        )
        if builds.run():
            again = self._proof()
            again.run()
            again.findings = [*proof.findings, *again.findings]
            hold_patches(self._files.values())
            proof = again
        self._findings += builds.findings
        return proof, builds

    def _unbuilt(self) -> list[NotCompared]:
        """What is edited in patches and templates, where no build tells what comes of it."""
        files = self._files.values()
        edited = [file.name for file in files if not file.held and any(part.edits for part in file.fragments)]
        if not edited:
            return []
        more = f" and {len(edited) - 1} more" if len(edited) > 1 else ""
        reason = "what is built with it is not compared, as no build was asked for"
        return [NotCompared(ObjectRef(kind="fragment"), edited[0] + more, reason, "Give --build.")]

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
        whole = {
            (loss.file, loss.document, loss.object) for loss in losses if loss.rule == NOT_EDITED.id and not loss.at
        }
        for one in found:
            # What an object as a whole is left with was said with it, and so was what to write.
            if (one.file, one.line) not in said and (one.file, one.document, one.object) not in whole:
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
        from trainergen.engine.install_audit import Scope, audit_tree

        written = {file.real_path: file.new for file in self._files.values() if file.changed and not file.held}
        scope = Scope(self._options.paths, self._options.exclude, {**self._options.texts, **written})
        return audit_tree(self._sources, scope, (self._old, self._new))


def _merged(proof: Proof, builds: BuildProof) -> tuple[list[Proved], list[NotCompared], int]:
    """What is known of all TrainJobs: of those that builds read, as they are built."""
    proofs = [one for one in proof.proofs if not _is_in(one.changes.file, builds.inputs)]
    unproved = [one for one in proof.unproved if not _is_in(one.file, builds.inputs)]
    unchanged = sum(not _is_in(name, builds.inputs) for name in proof.alike)
    return [*proofs, *builds.proofs], [*unproved, *builds.unproved], unchanged + builds.unchanged


def _is_in(name: str, paths: frozenset[Path]) -> bool:
    return Path(os.path.realpath(name)) in paths


def _as_upgrade(file: PlannedFile) -> FileUpgrade:
    changed = [plan for plan in file.plans if plan.changed]
    objects = [ObjectUpgrade(one.document.ref, one.document.locate(()).line, one.notes) for one in changed]
    objects += [ObjectUpgrade(one.ref, one.line, one.notes) for one in file.fragments if one.edits]
    location = file.source.location or file.source.path
    patch = diff(file.source.path, file.data, file.new).decode("utf-8", "replace")
    return FileUpgrade(file.source.path, location, file.data, file.new, tuple(objects), patch, file.held, file.after)
