"""Patches of a kustomization: where they come from, what they say and which objects they select."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules.lazily import lazily
from trainergen.rules.objects import Entry
from trainergen.rules.part import DocumentRoot, Part
from trainergen.rules.tree import Inline, join, objects_in

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.rules.found import Spot
    from trainergen.rules.views.kustomization import Kustomization
    from trainergen.source import Document


class Patch:
    """One patch; ``entry`` is its item in the kustomization, ``target`` the selector that goes with it."""

    def __init__(self, kustomization: Kustomization, entry: Part, *, file: str, text: str, inline_at: str) -> None:
        self.kustomization = kustomization
        self.entry = entry
        self.file = file
        """The file it lies in, as shown; empty for an inline patch."""
        self.text = text
        self._inline_at = inline_at

    @property
    def target(self) -> Part:
        """The selector; its value is None for a patch that names its object itself."""
        return self.entry.part("target") if isinstance(self.entry.value, dict) else Part(None, self.entry.root)

    @property
    def spot(self) -> Spot:
        """The item in the kustomization."""
        return self.entry.at()

    @lazily
    def documents(self) -> list[Part]:
        """The objects of a strategic merge patch, as parts that are placed in the patch itself."""
        return [part for part in self._documents if isinstance(part.value, dict)]

    @lazily
    def operations(self) -> list[Part]:
        """The operations of a JSON patch."""
        return [operation for part in self._documents for operation in part.parts()]

    @property
    def is_json_patch(self) -> bool:
        """Whether it is a list of operations."""
        return any(isinstance(part.value, list) for part in self._documents)

    @lazily
    def _documents(self) -> list[Part]:
        return [self._placed(document) for document in objects_in(self.text, self.file or self.entry.text())]

    def _placed(self, document: Document) -> Part:
        if self.file:
            return Part(document.value, DocumentRoot(Entry(document, location=self.file)))
        path = (*self.entry.path, self._inline_at) if self._inline_at else self.entry.path
        return Part(document.value, DocumentRoot(Inline(self.kustomization.entry, path, document)))

    def selects(self, entry: Entry) -> bool:
        """Whether it is applied to an object, as far as names as written tell."""
        if isinstance(self.target.value, dict):
            return _target_selects(self.target.value, entry)
        return any(
            part.text("kind") == entry.kind
            and part.text("metadata.name") == entry.name
            and part.text("apiVersion").rpartition("/")[0] == entry.group
            for part in self.documents
        )

    def selected(self) -> list[Entry]:
        """The objects that it is applied to."""
        return [entry for entry in self.kustomization.input_objects if self.selects(entry)]


def patches_of(kustomization: Kustomization) -> Iterator[Patch]:
    """All patches of a kustomization; those whose file cannot be read have no text."""
    for key in ("patchesStrategicMerge", "patches", "patchesJson6902"):
        for index, value in enumerate(kustomization.values(key)):
            entry = kustomization.part(key, index)
            if isinstance(value, str):
                yield _bare(kustomization, entry, value)
            elif isinstance(value, dict):
                path, inline = entry.text("path"), entry.text("patch")
                text = inline or _read(kustomization, path)
                file = join(kustomization.folder, path) if path and not inline else ""
                yield Patch(kustomization, entry, file=file, text=text, inline_at="patch")


def _bare(kustomization: Kustomization, entry: Part, value: str) -> Patch:
    """An item of ``patchesStrategicMerge``: a file's name, or the patch itself."""
    if "\n" in value or ":" in value:
        return Patch(kustomization, entry, file="", text=value, inline_at="")
    file = join(kustomization.folder, value)
    return Patch(kustomization, entry, file=file, text=_read(kustomization, value), inline_at="")


def _read(kustomization: Kustomization, path: str) -> str:
    data = kustomization.tree.read(join(kustomization.folder, path)) if path else None
    return (data or b"").decode("utf-8", "replace")


def _target_selects(target: JsonObject, entry: Entry) -> bool:
    seen = {
        "group": entry.group,
        "version": entry.api_version.rpartition("/")[2],
        "kind": entry.kind,
        "name": entry.name,
        "namespace": entry.namespace,
    }
    fits = all(_matches(target.get(key), value) for key, value in seen.items())
    return (
        fits
        and _labels_fit(target.get("labelSelector"), entry.labels)
        and _labels_fit(target.get("annotationSelector"), entry.annotations)
    )


def _matches(pattern: object, value: str) -> bool:
    """Selectors are regular expressions of the whole value; an empty one selects everything."""
    if not isinstance(pattern, str) or not pattern:
        return True
    try:
        return re.fullmatch(pattern, value) is not None
    except re.error:
        return pattern == value


def _labels_fit(selector: object, labels: JsonObject) -> bool:
    """Equality selectors; sets (``a in (b)``) are taken to fit."""
    for term in selector.split(",") if isinstance(selector, str) else ():
        name, operator, wanted = term.partition("!=") if "!=" in term else term.replace("==", "=").partition("=")
        name = name.strip()
        if not operator or "(" in term:
            continue
        if (labels.get(name) == wanted.strip()) == (operator == "!="):
            return False
    return True
