"""One run of ``check``: find the files, index what they hold, judge them, and put the report together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import trainergen
from trainergen.engine.collector import rare_collections
from trainergen.engine.judge import Judge
from trainergen.engine.settling import Settling
from trainergen.engine.workers import judge_all
from trainergen.engine.workspace import INDEXED_KINDS, Workspace
from trainergen.finding import Layer
from trainergen.releases import get_release
from trainergen.report import LocatedNotEvaluated, Report
from trainergen.source import kustomizations
from trainergen.source.discovery import Discovery, discover
from trainergen.source.files import SourceFile

if TYPE_CHECKING:
    from trainergen.engine.base import GitBase
    from trainergen.engine.building import Builds
    from trainergen.engine.options import CheckOptions
    from trainergen.engine.policing import Policing
    from trainergen.finding import Finding, JsonObject
    from trainergen.rules.objects import Entry, Objects
    from trainergen.rules.runner import Runner
    from trainergen.suppress.written import Written


def run_check(options: CheckOptions) -> Report:
    """Judge everything that ``options`` names; raises TrainergenError for what the user must mend first."""
    with rare_collections():
        return _run(options)


def _run(options: CheckOptions) -> Report:
    kustomizations.forget()
    stdin = None
    if options.stdin is not None:
        stdin = SourceFile(options.stdin_filename, explicit=not options.skip_unrelated, data=options.stdin)
    found = discover(options.paths, excludes=options.exclude, stdin=stdin)
    files = [_as_asked(file, options) for file in found.files]
    builds = None
    if options.build:
        from trainergen.engine.building import build_for_check

        builds = build_for_check(files, options)
        files = builds.files
    base = _base(options, builds)
    runner = _runner(options)
    if runner is None:
        workspace = index(files, options.runtimes)
        judge = Judge(options, workspace, base, policing=_policing(options, files, workspace))
        return _report(options, judge, files, found, builds=builds)
    from trainergen.engine.lint import LOOKING_UP, Linter
    from trainergen.rules import reread
    from trainergen.rules.objects import Objects

    reread.forget()
    objects = Objects()
    kinds = INDEXED_KINDS | runner.looked_up(*LOOKING_UP)
    workspace = index(files, options.runtimes, kinds=kinds, objects=objects)
    linter = Linter(runner, release=get_release(options.release), workspace=workspace, objects=objects)
    judge = Judge(options, workspace, base, linter, _policing(options, files, workspace))
    return _report(options, judge, files, found, builds=builds)


def _as_asked(file: SourceFile, options: CheckOptions) -> SourceFile:
    if not options.skip_unrelated and not options.texts:
        return file
    from dataclasses import replace

    text = options.texts.get(os.path.realpath(file.location)) if file.location else None
    explicit = file.explicit and not options.skip_unrelated
    return replace(file, explicit=explicit, data=file.data if text is None else text)


def _base(options: CheckOptions, builds: Builds | None) -> GitBase | None:
    if options.base is None:
        return None
    from trainergen.engine.base import read_base

    base = read_base(options.base, Path())
    return base if builds is None else builds.with_base(base, options)


def _runner(options: CheckOptions) -> Runner | None:
    """The rules of the run, None when there are none."""
    if Layer.LINT not in options.layers:
        return None
    from trainergen.rules.registry import all_rules
    from trainergen.rules.runner import Runner
    from trainergen.rules.selection import enabled

    rules = enabled(
        all_rules().values(),
        options.rules,
        release=options.release,
        select=options.select,
        ignore=options.ignore,
        with_base=options.base is not None,
    )
    return Runner(rules, options.rules) if rules else None


def index(
    files: Iterable[SourceFile],
    lookups: tuple[str, ...],
    *,
    kinds: frozenset[str] = INDEXED_KINDS,
    objects: Objects | None = None,
) -> Workspace:
    """The runtimes and priority classes in ``files`` and, as farther ones, in the paths that are only looked up.

    With ``objects``, everything of the ``kinds`` goes there too.
    """
    workspace = Workspace(kinds=kinds, objects=objects)
    for file in files:
        workspace.take(file)
    for file in discover(lookups).files if lookups else ():
        workspace.take(file, rank=1)
    return workspace


def _policing(options: CheckOptions, files: list[SourceFile], workspace: Workspace) -> Policing | None:
    """The admission policies of the run, None when there are none."""
    if Layer.POLICY not in options.layers or not (workspace.mentions_policies or options.policies):
        return None
    from trainergen.engine.policing import policing_for

    return policing_for(options, files, workspace)


@dataclass(slots=True)
class _Collected:
    """What the judging of all files left."""

    findings: list[Finding]
    skipped: Counter[str]
    not_evaluated: list[LocatedNotEvaluated] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    changes: list[tuple[Entry, JsonObject]] = field(default_factory=list)
    written: dict[str, list[Written]] = field(default_factory=dict)
    documents: int = 0


def _collect(options: CheckOptions, judge: Judge, files: list[SourceFile], found: Discovery) -> _Collected:
    collected = _Collected(list(found.findings), Counter(found.skipped))
    for done, verdict in enumerate(judge_all(judge, files), start=1):
        collected.findings += verdict.findings
        collected.not_evaluated += verdict.not_evaluated
        collected.entries += verdict.entries
        collected.changes += verdict.changes
        collected.skipped.update(verdict.skipped)
        if verdict.judged:
            collected.checked.append(files[done - 1].path)
        if verdict.suppressions is not None:
            collected.written[files[done - 1].path] = verdict.suppressions
        collected.documents += verdict.documents
        if options.progress is not None:
            options.progress(done, len(files))
    return collected


def _report(
    options: CheckOptions,
    judge: Judge,
    files: list[SourceFile],
    found: Discovery,
    *,
    builds: Builds | None = None,
) -> Report:
    collected = _collect(options, judge, files, found)
    if judge.policing is not None:
        collected.findings += judge.policing.faults(options)
    if judge.linter is not None and judge.linter.collects:
        from trainergen.engine.afterwards import Afterwards

        afterwards = Afterwards(judge.linter, files, base=judge.base, texts=options.texts)
        afterwards.run(collected.entries, collected.changes)
        collected.findings += afterwards.findings
        collected.not_evaluated += afterwards.not_evaluated
    if builds is not None:
        collected.findings, collected.not_evaluated = builds.at_sources(collected.findings, collected.not_evaluated)
        collected.written, collected.checked = builds.without_made(collected.written), builds.checked(collected.checked)
        collected.skipped.update(builds.skipped)
    runner = None if judge.linter is None else judge.linter.runner
    settling = Settling(options, runner, collected.written, collected.checked)
    settled = settling.settle(collected.findings)
    return Report(
        release=options.release,
        release_reason=options.release_reason,
        findings=settled,
        hidden=settling.hidden,
        not_evaluated=(*collected.not_evaluated, *settling.not_evaluated),
        files=len(collected.checked),
        checked=tuple(collected.checked),
        documents=collected.documents,
        skipped=dict(collected.skipped),
        version=trainergen.__version__,
    )
