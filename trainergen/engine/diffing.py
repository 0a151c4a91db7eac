"""One run of ``diff``: render both sides, pair their TrainJobs, and put together what changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

import trainergen
from trainergen.diff.report import DiffReport, JobChanges, NotCompared, Side
from trainergen.engine.checkout import Checkout, checked_out, relative_name
from trainergen.engine.job_changes import compare_job
from trainergen.engine.rendering import JobRendering, RenderOptions, RenderRun, render_files
from trainergen.engine.runtime_changes import RuntimeLedger
from trainergen.errors import TrainergenError
from trainergen.releases import get_release
from trainergen.source.checks import INPUT_CHECKS, NO_SUCH_PATH
from trainergen.source.discovery import Discovery, discover
from trainergen.source.files import SourceFile

if TYPE_CHECKING:
    from trainergen.finding import Finding

_Pair: TypeAlias = tuple[JobRendering | None, JobRendering | None]


@dataclass(frozen=True, slots=True)
class DiffOptions:
    """The settled settings of a run.

    ``base`` is the git revision that the old side's manifests are from; without one both sides have the same. Other
    fields as in RenderOptions.
    """

    paths: tuple[str, ...]
    old_release: str
    new_release: str
    release_reason: str = ""
    base: str | None = None
    exclude: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    features: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    build: bool = False
    values: tuple[str, ...] = ()
    stdin: bytes | None = None
    stdin_filename: str = "<stdin>"


def run_diff(options: DiffOptions) -> DiffReport:
    """Compare the two sides that ``options`` name; raises TrainergenError for what the user must mend first."""
    get_release(options.old_release)
    get_release(options.new_release)
    if options.base is not None and options.stdin is not None:
        raise TrainergenError(
            "standard input has no base revision", hint="Name files, or compare two releases with --from-release."
        )
    with ExitStack() as stack:
        checkout = None
        if options.base is not None:
            inside = [path for path in options.runtimes if _is_inside(path)]
            checkout = stack.enter_context(checked_out(options.base, [*options.paths, *inside], whole=options.build))
        return _Comparison(options, checkout).report()


def _is_inside(path: str) -> bool:
    from trainergen.engine.git import find_revision

    try:
        relative_name(path, find_revision("HEAD", Path()).top)
    except TrainergenError:
        return False
    return True


class _Comparison:
    """Both sides of a comparison, and what was found so far."""

    def __init__(self, options: DiffOptions, checkout: Checkout | None) -> None:
        self._options = options
        self._checkout = checkout
        stdin = None
        if options.stdin is not None:
            stdin = SourceFile(options.stdin_filename, explicit=True, data=options.stdin)
        found = discover(options.paths, excludes=options.exclude, stdin=stdin)
        old_found = found if checkout is None else checkout.discover(options.paths, excludes=options.exclude)
        if options.build:
            from trainergen.engine.building import built

            same = old_found is found
            found = built(found, release=options.new_release, values=options.values)
            old_found = found if same else built(old_found, release=options.old_release, values=options.values)
        self._new = self._run(found, options.new_release, options.runtimes)
        self._old = self._run(old_found, options.old_release, self._old_runtimes())
        self._findings = _missing_on_both(found.findings, old_found.findings)
        self._ledger = RuntimeLedger(self._old, self._new)

    def _run(self, found: Discovery, release: str, runtimes: tuple[str, ...]) -> RenderRun:
        options = RenderOptions(
            paths=(), release=release, runtimes=runtimes, features=self._options.features, force=True
        )
        return render_files(found.files, options)

    def _old_runtimes(self) -> tuple[str, ...]:
        checkout, runtimes = self._checkout, self._options.runtimes
        if checkout is None:
            return runtimes
        places = (checkout.place(path) if _is_inside(path) else path for path in runtimes)
        return tuple(place for place in places if Path(place).exists())

    def report(self) -> DiffReport:
        """The finished report."""
        options = self._options
        jobs: list[JobChanges] = []
        not_compared: list[NotCompared] = []
        unchanged = 0
        for old, new in self._pairs():
            result = compare_job(old, new, update=self._ledger.refused_update(old, new))
            if isinstance(result, JobChanges):
                jobs.append(result)
            elif isinstance(result, NotCompared):
                not_compared.append(result)
            else:
                unchanged += 1
        return DiffReport(
            old=Side(options.old_release, options.base or ""),
            new=Side(options.new_release),
            jobs=tuple(sorted(jobs, key=lambda job: (job.file, job.ref.namespace, job.ref.name))),
            runtimes=self._ledger.changes(),
            not_compared=tuple(sorted(not_compared, key=lambda one: (one.file, one.ref.namespace, one.ref.name))),
            unchanged=unchanged,
            findings=(*self._findings, *self._new.findings),
            version=trainergen.__version__,
            release_reason=options.release_reason,
        )

    def _pairs(self) -> Iterator[_Pair]:
        if self._checkout is None:
            # The same files give the same TrainJobs in the same order.
            yield from zip(self._old, self._new, strict=True)
        else:
            yield from _paired(self._old, self._new, self._checkout)


def _missing_on_both(new: list[Finding], old: list[Finding]) -> list[Finding]:
    """What is wrong with the paths; one that only one side has is none of it."""
    missing = {finding.file for finding in old if finding.rule == NO_SUCH_PATH.id}
    return [finding for finding in new if finding.rule != NO_SUCH_PATH.id or finding.file in missing]


def _paired(old: Iterable[JobRendering], new: Iterable[JobRendering], checkout: Checkout) -> Iterator[_Pair]:
    """The TrainJobs of both sides by name: those of one file first, then those that moved, the rest alone."""
    waiting: dict[str, list[JobRendering]] = {}
    for one in old:
        waiting.setdefault(one.job, []).append(one)
    moved: list[JobRendering] = []
    for one in new:
        candidates = waiting.get(one.job, [])
        place = relative_name(one.document.file, checkout.revision.top)
        same = [other for other in candidates if relative_name(other.document.file, checkout.revision.top) == place]
        if same:
            candidates.remove(same[0])
            yield same[0], one
        else:
            moved.append(one)
    for one in moved:
        candidates = waiting.get(one.job, [])
        # NB: of several, as in a tree of overlays, none is known to be the one that moved.
        yield (candidates.pop() if len(candidates) == 1 else None), one
    for candidates in waiting.values():
        yield from ((one, None) for one in candidates)


def unreadable(report: DiffReport) -> bool:
    """True when some input could not be read at all."""
    return any(finding.rule in INPUT_CHECKS for finding in report.findings)
