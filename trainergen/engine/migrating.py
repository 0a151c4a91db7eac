"""One run of ``migrate``: find legacy jobs in files, migrate them, and write files anew with their comments."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from trainergen.engine.migrating_around import look_around
from trainergen.engine.migrating_halfway import Taken, between
from trainergen.engine.migrating_overlays import follow_overlays
from trainergen.errors import TrainergenError
from trainergen.fix import Edit, apply_edits
from trainergen.fixing.unified import diff
from trainergen.migrate import CATALOGUE, Choices, can_migrate, migrate
from trainergen.migrate.catalogue import UNTOUCHED
from trainergen.migrate.comments import Comments, carry, comments_in
from trainergen.migrate.plan import plan
from trainergen.migrate.report import FileMigration, MigratedObject, MigrateReport
from trainergen.migrate.writing import yaml_text
from trainergen.source import kustomizations
from trainergen.source.checks import INPUT_CHECKS
from trainergen.source.classify import Category, classify, mentions_trainer
from trainergen.source.discovery import discover
from trainergen.source.files import SourceFile, UnreadableError
from trainergen.source.lists import members
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import Finding, JsonObject
    from trainergen.source.document import Document

_SET_ASIDE = {
    Category.PATCH: "it is a patch of a kustomization, which says a part of the job only",
    Category.HELM_TEMPLATE: "it is a template",
    Category.ENCRYPTED: "it is encrypted",
}
_RENDER = "Render it first, and migrate what comes out; then write the template or patch anew."
_LEGACY_WORDS = (b"ReplicaSpecs", b"kubeflow.org/v2alpha1")


@dataclass(frozen=True, slots=True)
class MigrateOptions:
    """The settled settings of a run; ``accepted`` holds ids or names of losses, ``all`` for any."""

    paths: tuple[str, ...]
    target: str
    choices: Choices = field(default_factory=Choices)
    accepted: frozenset[str] = frozenset()
    exclude: tuple[str, ...] = ()
    stdin: bytes | None = None
    stdin_filename: str = "<stdin>"


def run_migrate(options: MigrateOptions) -> MigrateReport:
    """Migrate everything that ``options`` names; nothing is written."""
    kustomizations.forget()
    stdin = None
    if options.stdin is not None:
        stdin = SourceFile(options.stdin_filename, explicit=True, data=options.stdin)
    found = discover(options.paths, excludes=options.exclude, stdin=stdin)
    report = MigrateReport(options.target, findings=list(found.findings))
    taken = Taken()
    for file in found.files:
        done = _file(file, options, report, taken)
        if done is not None:
            report.files.append(done)
    look_around(found.files, report, options)
    for each in report.files:
        taken.judge(each, report)
        _finish(each, options)
    follow_overlays(found.files, report, options)
    # Through aliases one text can be found in several places.
    report.findings = list({(one.file, one.line, one.column, one.message): one for one in report.findings}.values())
    report.files = [each for each in report.files if each.objects or each.findings or each.new is not None]
    report.steps = plan(report)
    return report


def _finish(file: FileMigration, options: MigrateOptions) -> None:
    """Settle what the file becomes, and whether it is written."""
    file.losses = [loss for one in file.objects for loss in one.migration.losses(options.accepted)]
    if not file.objects or file.findings:
        return
    nothing = next((one for one in file.objects if not one.migration.objects), None)
    if nothing is not None:
        if not file.losses:
            line = nothing.document.locate(("kind",)).line
            why = "it has no counterpart"
            file.findings.append(_untouched(file.name, why, line=line, document=nothing.document.index))
        return
    made = _written(file)
    if made is None:
        file.findings.append(_untouched(file.name, "its file holds several JSON texts", line=1, document=0))
        return
    file.patch = diff(file.name, file.old, made).decode(errors="replace")
    file.new = None if file.losses else made


def _file(file: SourceFile, options: MigrateOptions, report: MigrateReport, taken: Taken) -> FileMigration | None:
    try:
        data = file.read_bytes()
    except UnreadableError as error:
        report.findings.append(error.finding)
        return None
    if not mentions_trainer(data):
        return None
    done = FileMigration(file.path, file.location, data)
    result = read_documents(data, file=file.path)
    legacy = any(word in data for word in _LEGACY_WORDS)
    for failure in result.failures if legacy else ():
        # What cannot be read since it is a template is looked at with everything that holds jobs.
        if "{{" not in failure.text:
            why = f"it cannot be read: {failure.finding.message}"
            line, remedy = failure.finding.line, "Mend it first."
            done.findings.append(_untouched(file.path, why, line=line, document=failure.index, remedy=remedy))
    for document in result.documents:
        for one in members(document)[0]:
            if can_migrate(one.object):
                _object(one, file, options, done)
                continue
            taken.add(one, file.path)
            if (halfway := between(one)) is not None:
                done.findings.append(halfway)
    return done


def _object(document: Document, file: SourceFile, options: MigrateOptions, done: FileMigration) -> None:
    listed = bool(file.location) and kustomizations.is_listed_as_patch(file.location)
    category = classify(document, explicit=False, listed_as_patch=listed).category
    if category in _SET_ASIDE:
        where = document.locate(("kind",))
        done.findings.append(_untouched(file.path, _SET_ASIDE[category], line=where.line, document=document.index))
        return
    migration = migrate(document.object, target=options.target, choices=options.choices)
    warnings = tuple(document.place(each) for each in migration.warnings)
    done.objects.append(MigratedObject(document, migration, warnings))


def _untouched(file: str, why: str, *, line: int, document: int, remedy: str = _RENDER) -> Finding:
    finding = UNTOUCHED.at((), f"the legacy job is left alone: {why}", help=remedy)
    return replace(finding, file=file, line=line, column=1, end_line=line, end_column=1, document=document)


def _written(file: FileMigration) -> bytes | None:
    """The file with its legacy documents replaced, everything else as it was."""
    if file.objects[0].document.span.root is None or file.old.lstrip()[:1] == b"{":
        return _written_json(file)
    by_document: dict[int, list[MigratedObject]] = {}
    for one in file.objects:
        by_document.setdefault(one.document.index, []).append(one)
    edits = []
    for found in by_document.values():
        span = found[0].document.span
        text = span.source.text[span.start : span.end]
        inner = _list_text(found) if found[0].document.prefix else _object_text(found[0])
        if text.startswith("---"):
            inner = "---\n" + inner
        if "\r\n" in text:
            inner = inner.replace("\n", "\r\n")
        edits.append(Edit(span.source.byte_offset(span.start), span.source.byte_offset(span.end), inner.encode()))
    return apply_edits(file.old, edits)


def _object_text(one: MigratedObject) -> str:
    comments = carry(one.document, one.migration)
    return "---\n".join(yaml_text(each, comments[str(each["kind"])]) for each in one.migration.objects)


def _list_text(found: list[MigratedObject]) -> str:
    """A ``List`` with its legacy members replaced; its other members are written anew too, below all its comments."""
    span = found[0].document.span
    document = next(
        each
        for each in read_documents(span.source.data, file=span.source.file).documents
        if each.index == found[0].document.index
    )
    return yaml_text(_list_object(document.object, found), Comments(head=comments_in(document)))


def _list_object(whole: JsonObject, found: list[MigratedObject]) -> JsonObject:
    if any(len(one.document.prefix) != 2 for one in found):
        raise TrainergenError(
            "a List within a List is not migrated", hint="Take the inner List apart, or write its objects by hand."
        )
    replaced = {one.document.prefix[1]: one.migration.objects for one in found}
    items = whole["items"]
    assert isinstance(items, list)
    out = [each for at, item in enumerate(items) for each in replaced.get(at, (item,))]
    kind = "List" if str(whole.get("kind")) != "List" else str(whole["kind"])
    return {**whole, "apiVersion": "v1", "kind": kind, "items": list(out)}


def _written_json(file: FileMigration) -> bytes | None:
    """A JSON file stays JSON; where one object becomes two, they are a List."""
    if len({one.document.index for one in file.objects}) > 1:
        return None
    one = file.objects[0]
    if one.document.prefix:
        document = read_documents(file.old, file=file.name).documents[one.document.index]
        value: object = _list_object(document.object, file.objects)
    elif len(one.migration.objects) == 1:
        value = one.migration.objects[0]
    else:
        value = {"apiVersion": "v1", "kind": "List", "items": list(one.migration.objects)}
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def unknown_losses(accepted: Iterable[str]) -> list[str]:
    """The words that name no check of the catalogue."""
    names = {"all"} | {word for check in CATALOGUE.values() for word in (check.id, check.name)}
    return sorted(set(accepted) - names)


def unreadable(report: MigrateReport) -> bool:
    """Whether a path could not be read."""
    return any(finding.rule in INPUT_CHECKS for finding in report.findings)
