"""Trees in which a migration was begun: objects between the generations, and names that are taken already."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Final

from trainergen.admission.legacy.kinds import KINDS
from trainergen.api.access import object_at
from trainergen.migrate import can_migrate
from trainergen.migrate.catalogue import DEPENDS, UNTOUCHED

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject
    from trainergen.migrate.report import FileMigration, MigrateReport
    from trainergen.source.document import Document

_BY_KEY: Final = {each.replicas_key: each for each in KINDS.values()}
_TRAINER: Final = "trainer.kubeflow.org"
Ref = tuple[str, str, str]


def between(document: Document) -> Finding | None:
    """The error about an object with the roles of a legacy job that is of no kind that an operator served."""
    spec = object_at(document.object, "spec")
    key = next((each for each in _BY_KEY if each in spec), None)
    if key is None or can_migrate(document.object) or "kubeflow.org" not in document.api_version:
        return None
    kind = _BY_KEY[key]
    is_job = document.kind == "TrainJob"
    message = (
        f"it is neither a legacy job nor a migrated one: there is no {document.kind or 'kind'} of"
        f" '{document.api_version}' with {key}"
    )
    remedy = f"Write kind {kind.kind} and apiVersion kubeflow.org/v1, as the roles are its, and migrate it"
    more = ", or take the roles out if the rest is written already." if is_job else "."
    return document.place(UNTOUCHED.at(("spec", key), message, help=remedy + more, on_key=True))


class Taken:
    """The objects of the Trainer that are there already, and those that jobs become."""

    def __init__(self) -> None:
        self._there: dict[Ref, list[str]] = {}
        self._made: dict[tuple[str, Ref], Document] = {}

    def add(self, document: Document, file: str) -> None:
        """Take note of an object, if it is one of the Trainer's."""
        if document.group == _TRAINER:
            ref = (document.kind, document.namespace, document.name)
            self._there.setdefault(ref, []).append(file)

    def judge(self, file: FileMigration, report: MigrateReport) -> None:
        """Say of the jobs of a file whose names are taken: in their folder by an error, elsewhere by a warning."""
        folder = posixpath.dirname(file.name)
        for one in file.objects:
            for each in one.migration.objects:
                ref = (str(each["kind"]), one.document.namespace, _name(each))
                if not ref[2]:
                    continue
                others = self._there.get(ref, [])
                near = next((other for other in others if posixpath.dirname(other) == folder), None)
                if near is not None:
                    file.findings.append(_exists(one.document, ref, near))
                elif others:
                    report.findings.append(_elsewhere(one.document, ref, others[0]))
                self._twice(file, one.document, ref)

    def _twice(self, file: FileMigration, document: Document, ref: Ref) -> None:
        """Two legacy jobs of different kinds can have one name, two TrainJobs cannot."""
        first = self._made.setdefault((posixpath.dirname(file.name), ref), document)
        if first.kind != document.kind and ref[0] == "TrainJob":
            finding = UNTOUCHED.at(
                ("metadata", "name"),
                f"{first.kind} and {document.kind} '{ref[2]}' would both become the TrainJob '{ref[2]}'",
                help="Give one of them another name first.",
            )
            file.findings.append(document.place(finding))


def _exists(document: Document, ref: Ref, file: str) -> Finding:
    finding = UNTOUCHED.at(
        ("metadata", "name"),
        f"{ref[0]} '{ref[2]}' exists in {file} already, so the job looks migrated",
        help="Remove the legacy job, or rename the object.",
    )
    return document.place(finding)


def _elsewhere(document: Document, ref: Ref, file: str) -> Finding:
    finding = DEPENDS.at(
        ("metadata", "name"),
        f"{ref[0]} '{ref[2]}' exists in {file} too",
        help="In one namespace only one of them can be: what a TrainJob trains cannot be changed in place.",
    )
    return document.place(finding)


def _name(obj: JsonObject) -> str:
    metadata = obj.get("metadata")
    return str(metadata.get("name", "")) if isinstance(metadata, dict) else ""
