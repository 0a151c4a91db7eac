"""Fragments with removed fields outside of plain manifests: patches, templates, values, and objects in objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.structural import API_VERSION, GROUP
from trainergen.source.reader import read_documents
from trainergen.source.writing import block_lines
from trainergen.upgrade.checks import FRAGMENT_ELSEWHERE
from trainergen.upgrade.gone import OVERRIDES, PATCHES, POD, gone_fields, gone_overrides
from trainergen.upgrade.json_patches import is_operations
from trainergen.upgrade.plan import upgrade, upgraded_object
from trainergen.upgrade.pointers import operation_findings
from trainergen.upgrade.work import JOB, RUNTIMES

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, JsonValue, Path
    from trainergen.releases import Release
    from trainergen.source.document import Document
    from trainergen.upgrade.work import Surroundings

KINDS = (JOB, *RUNTIMES)
_LEADS = re.compile(r"[./](podSpecOverrides|podTemplateOverrides)(?![A-Za-z])")
_WHOLE = re.compile(r"/?spec/(podSpecOverrides|podTemplateOverrides)/[A-Za-z/]+")
_WORD = re.compile(rb"podSpecOverrides|podTemplateOverrides|elasticPolicy|numProcPerNode|trainer\.kubeflow\.org")
_LINE = re.compile(
    r"^[ \t]*(?:- )?[\"']?(podSpecOverrides|podTemplateOverrides|elasticPolicy)[\"']?[ \t]*:", re.MULTILINE
)


def fragment_finding(path: Path, kind: str, new: JsonObject, target: Release) -> Finding:
    """An object that is left to its owner, with the spec to write."""
    text = "\n".join(block_lines({"spec": new.get("spec")}))
    return FRAGMENT_ELSEWHERE.at(
        path,
        f"the {kind} in here has fields that Trainer {target.name} no longer knows",
        help=f"Write in its place:\n{text}",
    )


def may_hold_fragments(data: bytes) -> bool:
    """Whether the bytes of a file can hold something that an upgrade removes."""
    return _WORD.search(data) is not None


class Known(NamedTuple):
    """What of a file is planned for: documents by number, and texts or objects in them by number and path."""

    documents: frozenset[int] = frozenset()
    places: frozenset[tuple[int, Path]] = frozenset()


class Elsewhere:
    """Looks through files that are not edited; what it finds is reported with the text to write."""

    def __init__(self, target: Release, around: Surroundings) -> None:
        self._target = target
        self._around = around
        self._places: frozenset[tuple[int, Path]] = frozenset()
        self._seen = False
        """Whether there were lists of overrides in what is no Kubernetes object."""

    def findings(self, name: str, data: bytes, known: Known) -> list[Finding]:
        """What the file of that name holds besides what is ``known``."""
        result = read_documents(data, file=name)
        self._places, self._seen = known.places, False
        others = [one for one in result.documents if one.index not in known.documents]
        found = [finding for one in others for finding in self._document(one)]
        if found or self._seen or (any(known) and not result.failures):
            return found
        return list(self._by_line(name, data.decode("utf-8", "replace")))

    def _document(self, document: Document) -> Iterator[Finding]:
        value = document.value
        if isinstance(value, list) and is_operations(value):
            yield from operation_findings(document, value, self._target)
        elif document.group == GROUP and document.kind in KINDS:
            # Set aside when it was read: encrypted, a template, or a patch that no kustomization lists.
            yield from self._embedded(document, document, ())
        else:
            yield from self._inside(document, value, ())

    def _inside(self, document: Document, value: JsonValue, path: Path) -> Iterator[Finding]:
        if (document.index, path) in self._places:
            return
        if isinstance(value, dict):
            if path and value.get("kind") in KINDS and str(value.get("apiVersion")).startswith(f"{GROUP}/"):
                yield from self._embedded(document, document.member(path), path)
                return
            for key, each in value.items():
                if key in gone_overrides(self._target) and isinstance(each, list) and each and not document.kind:
                    yield from self._overrides(document, (*path, key), each)
                else:
                    yield from self._inside(document, each, (*path, key))
        elif isinstance(value, list):
            for at, each in enumerate(value):
                yield from self._inside(document, each, (*path, at))
        elif isinstance(value, str) and may_hold_fragments(value.encode()):
            found = list(self._text(document, value, path)) if "\n" in value else []
            yield from found or self._leading(document, value, path)

    def _leading(self, document: Document, value: str, path: Path) -> Iterator[Finding]:
        """A path or an expression that leads to overrides: of replacements, transformers, drift, policies."""
        match = _LEADS.search(value)
        if match is None or match[1] not in gone_overrides(self._target):
            return
        place = POD if self._target.behaviours.overrides_field == PATCHES else f"spec/{OVERRIDES[-1]}"
        remedy = f"Where it was of a Pod, it is below {place}/spec."
        if _WHOLE.fullmatch(value):
            rest = value.partition(match[1])[2]
            within = rest if match[1] == OVERRIDES[-1] else f"/spec{rest}"
            remedy = f"Write {'/' if value.startswith('/') else ''}{place}{within}."
        what = f"'{value}' leads to" if "\n" not in value else "a line in here leads to"
        finding = FRAGMENT_ELSEWHERE.at(path, f"{what} {match[1]}, which is gone", help=remedy)
        yield document.place(finding)

    def _overrides(self, document: Document, path: Path, value: list[JsonValue]) -> Iterator[Finding]:
        """Overrides in the values of a chart, whose templates write them somewhere."""
        self._seen = True
        if (document.index, path) not in self._places and not all(
            isinstance(one, dict) and "manager" in one for one in value
        ):
            yield document.place(self._overrides_finding(path, value))

    def _overrides_finding(self, path: Path, value: list[JsonValue]) -> Finding:
        key = str(path[-1])
        job: JsonObject = {"apiVersion": API_VERSION, "kind": JOB, "metadata": {"name": "any"}, "spec": {key: value}}
        (inner,) = read_documents(json.dumps(job).encode(), file="").documents
        new = upgraded_object(inner, to_release=self._target, around=self._around).get("spec")
        name = next(iter(new), "") if isinstance(new, dict) else ""
        text = "\n".join(block_lines(new))
        return FRAGMENT_ELSEWHERE.at(
            path,
            f"'{key}' is gone: {gone_overrides(self._target)[key]}",
            help=f"Write this, and spec.{name} in the templates that write it out:\n{text}",
            on_key=True,
        )

    def _embedded(self, outer: Document, inner: Document, path: Path) -> Iterator[Finding]:
        plan = upgrade(inner, to_release=self._target, around=self._around)
        if plan.object != inner.object or plan.edits:
            yield outer.place(self._finding(path, inner.kind, plan.object))
        yield from plan.losses

    def _text(self, document: Document, text: str, path: Path) -> Iterator[Finding]:
        """A manifest or a patch that is the text of a field."""
        for inner in read_documents(text.encode(), file=document.file).documents:
            value = inner.value
            if isinstance(value, list) and is_operations(value):
                for finding in operation_findings(inner, value, self._target):
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
        return fragment_finding(path, kind, new, self._target)

    def _by_line(self, name: str, text: str) -> Iterator[Finding]:
        """Removed fields in files that are no manifests, such as templates and values of charts."""
        gone, _remedy = gone_fields(self._target), f"Render it for Trainer {self._target.name} by hand."
        for match in _LINE.finditer(text):
            if match[1] not in gone:
                continue
            at = match.start(1)
            line, start = text.count("\n", 0, at) + 1, text.rfind("\n", 0, at) + 1
            yield replace(
                FRAGMENT_ELSEWHERE.at(
                    (),
                    f"'{match[1]}' is gone: {gone[match[1]]}",
                    help=f"Render it for Trainer {self._target.name} by hand.",
                ),
                file=name,
                line=line,
                column=at - start + 1,
                end_line=line,
                end_column=match.end(1) - start + 1,
            )
