"""One run of ``check``: find the files, index what they hold, judge them, and put the report together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import trainergen
from trainergen.engine.judge import Judge
from trainergen.engine.workers import judge_all
from trainergen.engine.workspace import Workspace, may_hold_indexed
from trainergen.report import LocatedNotEvaluated, Report
from trainergen.source.discovery import Discovery, discover
from trainergen.source.files import SourceFile, UnreadableError

if TYPE_CHECKING:
    from trainergen.engine.base import GitBase
    from trainergen.engine.options import CheckOptions
    from trainergen.finding import Finding


def run_check(options: CheckOptions) -> Report:
    """Judge everything that ``options`` names; raises TrainergenError for what the user must mend first."""
    stdin = None
    if options.stdin is not None:
        stdin = SourceFile(options.stdin_filename, explicit=not options.skip_unrelated, data=options.stdin)
    found = discover(options.paths, excludes=options.exclude, stdin=stdin)
    files = [_unrelated_allowed(file) for file in found.files] if options.skip_unrelated else found.files
    workspace = index(files, options.runtimes)
    judge = Judge(options, workspace, _base(options))
    return _report(options, judge, files, found)


def _unrelated_allowed(file: SourceFile) -> SourceFile:
    from dataclasses import replace

    return replace(file, explicit=False)


def _base(options: CheckOptions) -> GitBase | None:
    if options.base is None:
        return None
    from trainergen.engine.base import read_base

    return read_base(options.base, Path())


def index(files: Iterable[SourceFile], lookups: tuple[str, ...]) -> Workspace:
    """The runtimes and priority classes in ``files`` and, as farther ones, in the paths that are only looked up."""
    workspace = Workspace()
    _add(workspace, files, rank=0)
    if lookups:
        _add(workspace, discover(lookups).files, rank=1)
    return workspace


def _add(workspace: Workspace, files: Iterable[SourceFile], *, rank: int) -> None:
    for file in files:
        try:
            data = file.read_bytes()
        except UnreadableError:
            # Judging the file says so; for looking up it just holds nothing.
            continue
        if may_hold_indexed(data):
            workspace.add_file(file.path, data, rank=rank)


def _report(options: CheckOptions, judge: Judge, files: list[SourceFile], found: Discovery) -> Report:
    findings: list[Finding] = list(found.findings)
    not_evaluated: list[LocatedNotEvaluated] = []
    skipped: Counter[str] = Counter(found.skipped)
    checked: list[str] = []
    documents = 0
    for done, verdict in enumerate(judge_all(judge, files), start=1):
        findings += verdict.findings
        not_evaluated += verdict.not_evaluated
        skipped.update(verdict.skipped)
        if verdict.judged:
            checked.append(files[done - 1].path)
        documents += verdict.documents
        if options.progress is not None:
            options.progress(done, len(files))
    return Report(
        release=options.release,
        release_reason=options.release_reason,
        findings=tuple(findings),
        not_evaluated=tuple(not_evaluated),
        files=len(checked),
        checked=tuple(checked),
        documents=documents,
        skipped=dict(skipped),
        version=trainergen.__version__,
    )
