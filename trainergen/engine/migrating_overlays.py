"""The kustomizations around the legacy jobs of a run: written anew along with the jobs, or the jobs stay with them."""

from __future__ import annotations

import os
import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.engine.migrating_proof import prove
from trainergen.finding import Severity
from trainergen.fixing.unified import diff
from trainergen.migrate import migrate
from trainergen.migrate.catalogue import OVERLAY, UNTOUCHED
from trainergen.migrate.overlays import Rewriting, rewrite
from trainergen.migrate.report import FileMigration
from trainergen.releases import get_release
from trainergen.rules.tree import DiskTree
from trainergen.source.classify import LEGACY_KINDS
from trainergen.source.files import SourceFile
from trainergen.source.kustomizations import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.engine.migrating import MigrateOptions
    from trainergen.finding import Finding
    from trainergen.migrate.overlays.carrying import Identity
    from trainergen.migrate.report import MigrateReport


def follow_overlays(files: Iterable[SourceFile], report: MigrateReport, options: MigrateOptions) -> None:
    """Add to the report the files that change along with its jobs.

    A job that cannot be followed through its kustomizations is not written, and neither is what goes with it.
    """
    homes: dict[Identity, str] = {}
    for file in report.files:
        for one in file.objects if file.location else ():
            homes[os.path.realpath(file.location), one.document.index, one.document.prefix] = file.name
    found = [*files, *_plainly_named(options.paths)]
    folders = _folders(found)
    if not homes:
        # Then all that can be found are patches of jobs that are not here.
        folders = [folder for folder in folders if _names_kinds(folder)]
    if not folders:
        return
    rewriting = rewrite(
        folders,
        tree=DiskTree(),
        release=get_release(options.target),
        migrate=lambda obj: migrate(obj, target=options.target, choices=options.choices),
        wanted=homes.__contains__,
        accepted=options.accepted,
    )
    _add(report, rewriting)
    _hold(report, rewriting, homes, options)
    if rewriting.files:
        _prove(found, report, rewriting, options)


def _names_kinds(folder: str) -> bool:
    """Whether the kustomization of a folder, or a file beside it, has a legacy kind in it."""
    tree = DiskTree()
    texts = (tree.read(posixpath.join(folder, name)) or b"" for name in tree.names(folder))
    return any(kind.encode() in text for text in texts for kind in LEGACY_KINDS)


def _plainly_named(paths: Iterable[str]) -> Iterator[SourceFile]:
    """The files called ``Kustomization``, which no suffix tells to be YAML, in folders that were named."""
    for path in paths:
        for where, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
            if NAMES[2] in names:
                name = posixpath.normpath(posixpath.join(where, NAMES[2]))
                yield SourceFile(name, location=name)


def _folders(files: Iterable[SourceFile]) -> list[str]:
    """The folders of the run that have a kustomization."""
    found: dict[str, None] = {}
    for file in files:
        folder = posixpath.dirname(file.location)
        if file.location and any(os.path.isfile(posixpath.join(folder, name)) for name in NAMES):  # noqa: PTH113
            found[folder] = None
    return list(found)


def _add(report: MigrateReport, rewriting: Rewriting) -> None:
    known = {file.name: file for file in report.files}
    added = []
    for one in rewriting.files.values():
        file = known.get(one.name) or FileMigration(one.name, one.name, one.old or b"")
        if one.name not in known:
            added.append(file)
        if one.old != one.new:
            # What was left alone as a patch is written after all.
            file.findings = [finding for finding in file.findings if finding.rule != UNTOUCHED.id]
        file.findings += one.findings
        if one.old != one.new and not file.objects:
            file.new = one.new
            file.patch = diff(file.name, file.old, one.new, is_new=one.old is None).decode(errors="replace")
    for finding in rewriting.findings:
        if finding.severity is not Severity.ERROR:
            report.findings.append(finding)
            continue
        if finding.file not in known:
            old = DiskTree().read(finding.file) or b""
            known[finding.file] = FileMigration(finding.file, finding.file, old)
            added.append(known[finding.file])
        known[finding.file].findings.append(finding)
    # What goes before the jobs in the report is written before them, too.
    report.files = [*added, *report.files]


def _hold(report: MigrateReport, rewriting: Rewriting, homes: dict[Identity, str], options: MigrateOptions) -> None:
    """Keep files from being written whose jobs or kustomizations are not."""
    files = {file.name: file for file in report.files}
    accepted = _is_accepted(options)
    held: set[str] = set()
    for identity, finding in rewriting.held.items() if not accepted else ():
        file = files[homes[identity]]
        held.add(file.name)
        file.findings.append(_with(finding, file))
    groups = [{one.name, *(homes[job] for job in one.jobs)} for one in rewriting.files.values()]
    held |= {name for group in groups for name in group if files[name].objects and files[name].new is None}
    while True:
        more = {name for group in groups if group & held for name in group} - held
        if not more:
            break
        held |= more
        for name in more:
            other = next(iter(sorted(held - more)))
            files[name].findings.append(_with(None, files[name], other=other))
    for name in held:
        files[name].new = None


def _prove(files: Iterable[SourceFile], report: MigrateReport, rewriting: Rewriting, options: MigrateOptions) -> None:
    """Build before and after; where another job comes out, nothing of it is written."""
    by_name = {file.name: file for file in report.files}
    wrong = False
    for finding in prove(files, report.files, options, folders=rewriting.folders):
        file = by_name.get(finding.file)
        (file.findings if file is not None else report.findings).append(finding)
        wrong = wrong or finding.severity is Severity.ERROR
    if not wrong or _is_accepted(options):
        return
    names = set(rewriting.files)
    homes = {identity[0] for one in rewriting.files.values() for identity in one.jobs}
    for file in report.files:
        if file.new is not None and (file.name in names or os.path.realpath(file.location) in homes):
            file.new = None
            file.findings.append(_with(None, file, other="the kustomizations"))


def _is_accepted(options: MigrateOptions) -> bool:
    return bool({OVERLAY.id, OVERLAY.name, "all"} & options.accepted)


def _with(finding: Finding | None, file: FileMigration, *, other: str = "") -> Finding:
    """The finding of a file that stays as it is because of another one."""
    if finding is not None:
        other = f"{finding.file}:{finding.line}"
    said = UNTOUCHED.at(
        (),
        f"it is left alone, since it goes with '{other}', which is not written",
        help=f"Mend that first, or give --accept {OVERLAY.name} to leave patches behind that find nothing to patch.",
    )
    return replace(said, file=file.name, line=1, column=1, end_line=1, end_column=1)
