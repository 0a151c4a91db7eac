"""What is around legacy jobs in the files of a run: jobs within other objects, and objects that depend on jobs."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.engine.migrating_scripts import scripts
from trainergen.migrate import can_migrate
from trainergen.migrate.dependents import dependents, may_depend, takes_the_name
from trainergen.migrate.embedded import Within, holds_text
from trainergen.migrate.places import places_of
from trainergen.migrate.report import FileMigration
from trainergen.source import kustomizations
from trainergen.source.classify import Category, classify
from trainergen.source.files import UnreadableError
from trainergen.source.lists import members
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.engine.migrating import MigrateOptions
    from trainergen.finding import Finding, Path
    from trainergen.migrate.report import MigrateReport
    from trainergen.migrate.selectors import Known
    from trainergen.source.document import Document
    from trainergen.source.files import SourceFile


def look_around(files: Iterable[SourceFile], report: MigrateReport, options: MigrateOptions) -> None:
    """Add to the report what the files hold besides the legacy jobs that it has.

    Jobs within others are findings of their file, which is not written for it; what depends on jobs is a finding of
    the report.
    """
    known: Known = {}
    names: set[tuple[str, str]] = set()
    for file in report.files:
        for one in file.objects:
            if one.document.name and one.migration.objects:
                known[one.document.name] = places_of(one.migration)
                names.add((one.document.namespace, one.document.name))
    by_name = {file.name: file for file in report.files}
    for source in files:
        try:
            data = source.read_bytes()
        except UnreadableError:
            continue
        if not (may_depend(data) or (names and b"Service" in data)):
            continue
        within = list(_within(source, data, options)) if holds_text(data) else []
        if within:
            file = by_name.setdefault(source.path, FileMigration(source.path, source.location, data))
            file.findings += [each for each in within if each not in file.findings]
        skip = {(each.document, each.at) for each in within}
        report.findings += _depending(source, data, known, names, skip=skip)
    report.findings += scripts(options, known)
    report.files = list(by_name.values())


def _documents(source: SourceFile, data: bytes) -> Iterator[Document]:
    """The objects that are neither legacy jobs nor kustomizations or patches, which have passes of their own."""
    if source.location and kustomizations.is_listed_as_patch(source.location):
        return
    is_named = posixpath.basename(source.path) in kustomizations.NAMES
    for document in read_documents(data, file=source.path).documents:
        for one in members(document)[0]:
            if can_migrate(one.object) or (is_named and not one.api_version):
                continue
            if classify(one, explicit=False).category is not Category.KUSTOMIZATION:
                yield one


def _within(source: SourceFile, data: bytes, options: MigrateOptions) -> Iterator[Finding]:
    within = Within(target=options.target, choices=options.choices)
    for document in _documents(source, data):
        yield from within.findings(document)
    result = read_documents(data, file=source.path)
    if not any("{{" in failure.text for failure in result.failures):
        return
    for line, found in within.in_template(data.decode("utf-8", "replace")):
        finding = found.finding("a template")
        yield replace(finding, file=source.path, line=line, column=1, end_line=line, end_column=1)


def _depending(
    source: SourceFile, data: bytes, known: Known, names: set[tuple[str, str]], *, skip: set[tuple[int, Path]]
) -> Iterator[Finding]:
    for document in _documents(source, data):
        if document.kind == "Service" and (taken := takes_the_name(document, names)) is not None:
            yield taken
        passed = frozenset(at for index, at in skip if index == document.index)
        yield from dependents(document, known, skip=passed)
