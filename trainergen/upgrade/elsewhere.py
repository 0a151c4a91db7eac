"""Fragments with removed fields outside of plain manifests: patches, templates, values, and objects in objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.api.structural import API_VERSION, GROUP
from trainergen.source.reader import read_documents
from trainergen.source.writing import block_lines
from trainergen.upgrade.checks import FRAGMENT_ELSEWHERE
from trainergen.upgrade.plan import upgrade
from trainergen.upgrade.work import JOB, RUNTIMES

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, JsonValue, Path
    from trainergen.releases import Release
    from trainergen.source.document import Document
    from trainergen.upgrade.work import Surroundings

KINDS = (JOB, *RUNTIMES)
_REMOVED = {
    "podSpecOverrides": "its entries go to runtimePatches",
    "podTemplateOverrides": "its entries go to runtimePatches",
    "elasticPolicy": "no release acts on it",
}
_WORD = re.compile(rb"podSpecOverrides|podTemplateOverrides|elasticPolicy|numProcPerNode|trainer\.kubeflow\.org")
_LINE = re.compile(
    r"^[ \t]*(?:- )?[\"']?(podSpecOverrides|podTemplateOverrides|elasticPolicy)[\"']?[ \t]*:", re.MULTILINE
)
_POINTERS = {
    "/spec/podSpecOverrides": "spec.podSpecOverrides is part of spec.runtimePatches now",
    "/spec/podTemplateOverrides": "spec.podTemplateOverrides is part of spec.runtimePatches now",
    "/spec/labels": "spec.labels is trainingRuntimeSpec.template.metadata.labels of a patch now",
    "/spec/annotations": "spec.annotations is trainingRuntimeSpec.template.metadata.annotations of a patch now",
    "/spec/mlPolicy/torch/numProcPerNode": "runtimes say no numProcPerNode any more, TrainJobs do",
    "/spec/mlPolicy/torch/elasticPolicy": "elasticPolicy is gone, and no release ever acted on it",
}


def may_hold_fragments(data: bytes) -> bool:
    """Whether the bytes of a file can hold something that an upgrade removes."""
    return _WORD.search(data) is not None


class Elsewhere:
    """Looks through files that are not edited; what it finds is reported with the text to write."""

    def __init__(self, target: Release, around: Surroundings) -> None:
        self._target = target
        self._around = around

    def findings(self, name: str, data: bytes, *, planned: frozenset[int] = frozenset()) -> list[Finding]:
        """What the file of that name holds, besides the documents by number that are ``planned`` for themselves."""
        result = read_documents(data, file=name)
        found = [finding for one in result.documents if one.index not in planned for finding in self._document(one)]
        if found or not _LINE.search(data.decode("utf-8", "replace")):
            return found
        return [] if planned and not result.failures else list(_by_line(name, data))

    def _document(self, document: Document) -> Iterator[Finding]:
        value = document.value
        if isinstance(value, list) and value and all(isinstance(one, dict) and "op" in one for one in value):
            yield from _operations(document, value)
        elif document.group == GROUP and document.kind in KINDS:
            # Set aside when it was read: encrypted, a template, or a patch that no kustomization lists.
            yield from self._embedded(document, document, ())
        else:
            yield from self._inside(document, value, ())

    def _inside(self, document: Document, value: JsonValue, path: Path) -> Iterator[Finding]:
        if isinstance(value, dict):
            if path and value.get("kind") in KINDS and str(value.get("apiVersion")).startswith(f"{GROUP}/"):
                yield from self._embedded(document, document.member(path), path)
                return
            for key, each in value.items():
                yield from self._inside(document, each, (*path, key))
        elif isinstance(value, list):
            for at, each in enumerate(value):
                yield from self._inside(document, each, (*path, at))
        elif isinstance(value, str) and "\n" in value and may_hold_fragments(value.encode()):
            yield from self._text(document, value, path)

    def _embedded(self, outer: Document, inner: Document, path: Path) -> Iterator[Finding]:
        plan = upgrade(inner, to_release=self._target, around=self._around)
        if plan.object != inner.object or plan.edits:
            yield outer.place(self._finding(path, inner.kind, plan.object))
        yield from plan.losses

    def _text(self, document: Document, text: str, path: Path) -> Iterator[Finding]:
        """A manifest or a patch that is the text of a field."""
        for inner in read_documents(text.encode(), file=document.file).documents:
            value = inner.value
            if isinstance(value, list) and value and all(isinstance(one, dict) and "op" in one for one in value):
                for finding in _operations(inner, value):
                    yield document.place(replace(finding, at=path, line=0, object=None))
                continue
            kind = inner.kind
            if kind not in KINDS or (inner.api_version and inner.group != GROUP):
                continue
            plan = upgrade(inner, to_release=self._target, around=self._around)
            if plan.changed:
                yield document.place(self._finding(path, kind, plan.object))
            for loss in plan.losses:
                yield document.place(replace(loss, at=path, object=None))

    def _finding(self, path: Path, kind: str, new: JsonObject) -> Finding:
        text = "\n".join(block_lines({"spec": new.get("spec")}))
        return FRAGMENT_ELSEWHERE.at(
            path,
            f"the {kind} in here has fields that Trainer {self._target.name} no longer knows",
            help=f"Write in its place:\n{text}",
        )


def _operations(document: Document, operations: list[JsonValue]) -> Iterator[Finding]:
    """JSON patch operations on fields that are gone."""
    for at, operation in enumerate(operations):
        pointer = operation.get("path") if isinstance(operation, dict) else None
        hit = next((each for each in _POINTERS if isinstance(pointer, str) and _leads(pointer, each)), None)
        if hit is not None:
            yield document.place(
                FRAGMENT_ELSEWHERE.at(
                    (at, "path"),
                    f"the patch writes to '{pointer}', which is gone: {_POINTERS[hit]}",
                    help=_operation_help(hit),
                )
            )


def _leads(pointer: str, start: str) -> bool:
    return pointer == start or pointer.startswith(start + "/")


def _operation_help(pointer: str) -> str:
    if "Overrides" in pointer or pointer in ("/spec/labels", "/spec/annotations"):
        place = "/spec/runtimePatches/0/trainingRuntimeSpec/template"
        return f"Write to {place} in its place, where the upgraded TrainJob has it."
    return "Take the operation out; write spec.trainer.numProcPerNode of the TrainJobs where a number is needed."


def _by_line(name: str, data: bytes) -> Iterator[Finding]:
    """Removed fields in files that are no manifests, such as templates and values of charts."""
    text = data.decode("utf-8", "replace")
    for match in _LINE.finditer(text):
        at = match.start(1)
        line, start = text.count("\n", 0, at) + 1, text.rfind("\n", 0, at) + 1
        yield replace(
            FRAGMENT_ELSEWHERE.at(
                (), f"'{match[1]}' is gone: {_REMOVED[match[1]]}", help=f"Render it for {API_VERSION} by hand."
            ),
            file=name,
            line=line,
            column=at - start + 1,
            end_line=line,
            end_column=match.end(1) - start + 1,
        )
