"""The proof of an upgrade on a tree: every TrainJob is rendered before and after, and edits that show are held back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.diff.report import JobChanges, NotCompared
from trainergen.engine.job_changes import compare_job
from trainergen.engine.planned_file import PlannedFile, rewritten
from trainergen.engine.rendering import RenderOptions, render_files
from trainergen.releases import RELEASES, Release, get_release
from trainergen.upgrade.checks import PODS_WOULD_CHANGE, PROCESSES_LOST, RESOURCES_ADDED
from trainergen.upgrade.proof import Baseline, Pair
from trainergen.upgrade.reasons import MERGED, reason_of
from trainergen.upgrade.report import Proved
from trainergen.upgrade.work import Surroundings

if TYPE_CHECKING:
    from trainergen.engine.rendering import JobRendering, RenderRun
    from trainergen.finding import Finding
    from trainergen.source.document import Document
    from trainergen.source.files import SourceFile


_BY_RUNTIME = ("runtimeRef", "name")
"""Where it is said of a TrainJob that its runtime no longer gives the number of processes."""


class _Side:
    """All TrainJobs of the files as one release renders them, in their order."""

    def __init__(self, sources: list[SourceFile], release: Release, runtimes: tuple[str, ...]) -> None:
        self.run: RenderRun = render_files(
            sources, RenderOptions(paths=(), release=release.name, runtimes=runtimes, force=True)
        )
        self.jobs = list(self.run)


class Proof:
    """Compares until no edit is left that would change Pods on its own; ``files`` are held back on the way."""

    def __init__(
        self,
        sources: list[SourceFile],
        files: dict[str, PlannedFile],
        *,
        old: Release,
        new: Release,
        runtimes: tuple[str, ...],
    ) -> None:
        self._sources = sources
        self._files = files
        self._from, self._to = old, new
        self._runtimes = runtimes
        self._before: dict[str, _Side] = {}
        self._baseline = Baseline()
        self.findings: list[Finding] = []
        self.proofs: list[Proved] = []
        self.unproved: list[NotCompared] = []
        self.alike: list[str] = []
        """The files of TrainJobs that are the same, one for each."""
        self.refusals: list[Finding] = []
        """Why the target refuses TrainJobs, as they will be, placed where they are now."""

    @property
    def unchanged(self) -> int:
        """How many TrainJobs are the same."""
        return len(self.alike)

    def run(self) -> None:
        """What is held back may take others with it, or let them through: once more then."""
        while self._compare_all():
            self.proofs, self.unproved, self.alike, self.refusals = [], [], [], []

    def _sources_after(self) -> list[SourceFile]:
        return [rewritten(source, self._files) for source in self._sources]

    def _compare_all(self) -> bool:
        after = _Side(self._sources_after(), self._to, self._runtimes)
        as_read = self._side(self._from).jobs
        held = False
        for at, (job, new) in enumerate(zip(as_read, after.jobs, strict=True)):
            self.refusals += [_as_read(finding, job) for finding in new.refusals]
            if _is_of_two_releases(job.document):
                reason = "it has fields of two releases, so that no release renders it as it was"
                self.unproved.append(NotCompared(job.ref, job.file, reason))
                continue
            side = self._side(self._start_of(job.document))
            held = self._compare(side.jobs[at], new, (side.run, after.run)) or held
        return held

    def _side(self, release: Release) -> _Side:
        if release.name not in self._before:
            self._before[release.name] = _Side(self._sources, release, self._runtimes)
        return self._before[release.name]

    def _start_of(self, job: Document) -> Release:
        """The release that a TrainJob is written for: the one upgraded from, unless its fields say otherwise."""
        spec = job.object.get("spec")
        fields = {release.behaviours.overrides_field for release in RELEASES}
        used = next((name for name in sorted(fields) if isinstance(spec, dict) and name in spec), None)
        fitting = [release for release in RELEASES if release.behaviours.overrides_field == used]
        if not fitting or self._from in fitting:
            return self._from
        return fitting[0] if RELEASES.index(self._from) < RELEASES.index(fitting[0]) else fitting[-1]

    def _compare(self, old: JobRendering, new: JobRendering, runs: tuple[RenderRun, RenderRun]) -> bool:
        """Take note of what changes; True when edits had to be held back."""
        result = compare_job(old, new)
        if result is None:
            self.alike.append(old.file)
        elif not isinstance(result, JobChanges):
            self.unproved.append(result)
        elif not self._hold(result, old, new, runs=runs):
            self._note(result, old, new)
        else:
            return True
        return False

    def _hold(
        self, changes: JobChanges, old: JobRendering, new: JobRendering, *, runs: tuple[RenderRun, RenderRun]
    ) -> bool:
        file = self._cause(old, new, runs[0])
        if file is None:
            return False
        sides = [
            Pair(one.document.object, tuple(value for _, value in run.runtimes_near(one)), one.release)
            for one, run in zip((old, new), runs, strict=True)
        ]
        wrong = self._baseline.unintended(changes.objects, *sides)
        places = list(dict.fromkeys(change.place for change in wrong)) or self._lost(file, old)
        if not places:
            return False
        file.held = f"it would change the Pods of {old.job}"
        shown = ", ".join(places[:3]) + (" and more" if len(places) > 3 else "")
        finding = PODS_WOULD_CHANGE.at(
            (),
            f"the edits of {file.name} would change the Pods of '{old.document.name}' in {shown}, so that is left "
            "as it is",
            help="Upgrade it by hand, and compare with trainergen diff.",
        )
        self.findings.append(old.document.place(finding))
        return True

    def _lost(self, cause: PlannedFile, job: JobRendering) -> list[str]:
        """The number of processes, where a runtime stops saying it and its TrainJob cannot say it instead."""
        own = self._files.get(job.file)
        if own is None or cause is own:
            return []
        losses = [loss for plan in own.plans if plan.document.ref == job.ref for loss in plan.losses]
        lost = any(loss.rule == PROCESSES_LOST.id and loss.at[-2:] == _BY_RUNTIME for loss in losses)
        return ["numProcPerNode"] if lost else []

    def _cause(self, old: JobRendering, new: JobRendering, run: RenderRun) -> PlannedFile | None:
        """The file whose edits a TrainJob sees: its own, or that of its runtime."""
        own = self._files.get(new.file)
        if own is not None and not own.held and old.document.object != new.document.object:
            return own
        around = Surroundings(self._from, lambda _: run.runtimes_near(old))
        runtime = around.runtime_of(old.document)
        file = self._files.get(runtime[0]) if runtime is not None else None
        return file if file is not None and file.changed and not file.held else None

    def _note(self, changes: JobChanges, old: JobRendering, new: JobRendering) -> None:
        start = get_release(old.release)
        reasons = [change.reason for change in changes.verdicts]
        reasons += [reason_of(one.ref, change, start, self._to) for one in changes.objects for change in one.changes]
        self.proofs.append(Proved(changes, tuple(reasons)))
        added = [
            str(change.path[-1])
            for change, reason in zip(changes.changes, reasons, strict=True)
            if reason == MERGED and change.old is None and change.path
        ]
        if added:
            names = ", ".join(dict.fromkeys(added))
            finding = RESOURCES_ADDED.at(
                ("spec", "trainer", "resourcesPerNode"),
                f"the Pods get {names} of the runtime too: {self._to.name} lays resourcesPerNode over the runtime's",
                help="Use a runtime without them if the TrainJob is to go without.",
            )
            self.findings.append(new.document.place(finding))


def _as_read(finding: Finding, job: JobRendering) -> Finding:
    """A finding on a TrainJob as it will be, placed in the TrainJob as it is."""
    at = finding.at[len(job.document.prefix) :]
    return job.document.place(replace(finding, at=at))


def _is_of_two_releases(job: Document) -> bool:
    spec = job.object.get("spec")
    fields = {release.behaviours.overrides_field for release in RELEASES}
    return isinstance(spec, dict) and len(fields & spec.keys()) > 1
