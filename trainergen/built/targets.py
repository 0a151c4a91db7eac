"""Which kustomizations and charts among the files of a run are built: those that are no part of another one."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.built.build import Target
from trainergen.built.references import FOLDERS
from trainergen.source.files import SourceFile, UnreadableError
from trainergen.source.kustomizations import NAMES
from trainergen.source.reader import ReadResult, read_documents

if TYPE_CHECKING:
    from trainergen.source import Document

CHART = "Chart.yaml"
_GROUP = "kustomize.config.k8s.io/"


def find_targets(files: Iterable[SourceFile]) -> list[Target]:
    """The targets, in the order of the files."""
    found: dict[Path, Target] = {}
    for file in with_plain_names(files):
        name = posixpath.basename(file.path)
        document = _document(file) if name in NAMES or name == CHART else None
        if document is not None and _is_built(document, is_chart=name == CHART):
            root = Path(os.path.realpath(file.location or file.path)).parent
            found.setdefault(root, Target(document, file, root, is_chart=name == CHART))
    return _outermost(found)


def broken_targets(files: Iterable[SourceFile]) -> Iterator[SourceFile]:
    """The files that would be built if they were YAML, to be judged as if they were named; templates are left out."""
    for file in with_plain_names(files):
        if posixpath.basename(file.path) in (*NAMES, CHART):
            failures = _read(file).failures
            if failures and not any("{{" in one.text for one in failures):
                yield replace(file, explicit=True)


def parts_of(target: Target) -> set[Path]:
    """The folders that a target names as parts of itself."""
    value = target.document.object
    if target.is_chart:
        listed = value.get("dependencies")
        named = [one.get("repository") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        names = [name.removeprefix("file://") for name in named if isinstance(name, str) and name.startswith("file://")]
    else:
        lists = [value.get(key) for key in FOLDERS]
        names = [name for one in lists if isinstance(one, list) for name in one if isinstance(name, str)]
        names += _inflated(target)
    return {Path(os.path.realpath(target.root / name)) for name in names if name and "\0" not in name}


def _inflated(target: Target) -> Iterator[str]:
    """The charts in the repository that a kustomization renders."""
    value = target.document.object
    settings = value.get("helmGlobals")
    home = settings.get("chartHome") if isinstance(settings, dict) else None
    listed = value.get("helmCharts")
    for one in listed if isinstance(listed, list) else ():
        name = one.get("name") if isinstance(one, dict) else None
        if isinstance(name, str):
            yield posixpath.join(home if isinstance(home, str) else "charts", name)


def _outermost(found: dict[Path, Target]) -> list[Target]:
    parts = {root: parts_of(target) & found.keys() - {root} for root, target in found.items()}
    inner = set().union(*parts.values()) if parts else set()
    chosen: dict[Path, Target] = {}
    seen: set[Path] = set()
    # NB: of kustomizations that refer to each other none is outermost, and one of them has to be built to say so.
    for root in [*(root for root in found if root not in inner), *found]:
        if root not in seen:
            chosen[root] = found[root]
            waiting = [root]
            while waiting:
                one = waiting.pop()
                if one not in seen:
                    seen.add(one)
                    waiting += parts[one]
    return [target for root, target in found.items() if root in chosen]


def _is_built(document: Document, *, is_chart: bool) -> bool:
    if is_chart:
        return bool(document.object.get("name")) and document.object.get("type") != "library"
    # NB: other tools call files of theirs so too, as Flux does.
    known = not document.api_version or document.api_version.startswith(_GROUP)
    return known and document.kind in ("", "Kustomization")


def _document(file: SourceFile) -> Document | None:
    documents = _read(file).documents
    return documents[0] if documents and isinstance(documents[0].value, dict) else None


def _read(file: SourceFile) -> ReadResult:
    try:
        return read_documents(file.read_bytes(), file=file.path)
    except UnreadableError:
        return ReadResult()


def with_plain_names(files: Iterable[SourceFile]) -> Iterator[SourceFile]:
    """The files, and beside them those called ``Kustomization``, which no suffix tells to be YAML."""
    seen: set[str] = set()
    for file in files:
        folder = posixpath.dirname(file.location)
        plain = posixpath.join(folder, NAMES[2])
        if file.location and folder not in seen and Path(plain).is_file():
            yield SourceFile(posixpath.join(posixpath.dirname(file.path), NAMES[2]), location=plain)
        seen.add(folder)
        yield file
