"""What of an upgrade is written elsewhere than in manifests: patches of kustomize, templates and values of charts."""

from __future__ import annotations

import os
import posixpath
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trainergen.api.structural import GROUP
from trainergen.finding import ObjectRef
from trainergen.fix import apply_edits
from trainergen.rules.tree import Inline
from trainergen.source.files import UnreadableError
from trainergen.source.kustomizations import NAMES
from trainergen.source.reader import read_documents
from trainergen.upgrade import upgrade
from trainergen.upgrade.chart_values import Link, ValuesPlanner, only_written
from trainergen.upgrade.checks import FRAGMENT_ELSEWHERE
from trainergen.upgrade.overlays import Overlays
from trainergen.upgrade.patches import PatchPlanner
from trainergen.upgrade.templates import TemplatePlanner
from trainergen.upgrade.texts import retext
from trainergen.upgrade.work import JOB, RUNTIMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from trainergen.finding import Finding, JsonValue, Path
    from trainergen.fix import Edit
    from trainergen.releases import Release
    from trainergen.source.document import Document
    from trainergen.source.files import SourceFile
    from trainergen.upgrade.overlays import PatchUse
    from trainergen.upgrade.patches import PatchPlan
    from trainergen.upgrade.work import Surroundings

CHART = "Chart.yaml"
_VALUES = re.compile(r"values[^/]*\.ya?ml")


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a file that becomes another one, and what there is to say; without ``edits`` nothing changes.

    ``index`` and ``path`` are where in the file it is: the document, and the text or object in it. ``bases`` are the
    files with the objects that a patch is for.
    """

    file: str
    ref: ObjectRef
    line: int
    index: int = 0
    path: Path = ()
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    losses: tuple[Finding, ...] = ()
    bases: tuple[str, ...] = ()


class Fragments:
    """Plans the fragments of the files of a run."""

    def __init__(self, sources: Iterable[SourceFile], old: Release, new: Release, around: Surroundings) -> None:
        self._sources = {os.path.realpath(one.location or one.path): one for one in sources}
        self._old, self._new = old, new
        self._around = around
        self._patches = PatchPlanner(new, around)
        self._linked: list[Link] = []

    def of_kustomizations(self, texts: Mapping[str, bytes]) -> Iterator[Fragment]:
        """Those of all patches that kustomizations list; ``texts`` count in place of files, by real path."""
        found = [one for one in self._sources.values() if posixpath.basename(one.path) in NAMES]
        if not any(b"patch" in _bytes(one) for one in found):
            return
        folders = [posixpath.dirname(one.location or one.path) for one in found]
        for use in Overlays(self._old, texts).uses(folders):
            yield from self._of_file(use) if use.patch.file else self._of_text(use)

    def _of_file(self, use: PatchUse) -> Iterator[Fragment]:
        source = self._sources.get(os.path.realpath(use.patch.file))
        if source is None or not use.patch.text:
            return
        for document in read_documents(source.read_bytes(), file=source.path).documents:
            plan = self._patches.plan(document, use)
            fragment = _fragment(plan, source.path, _ref(document, use))
            notes = (*fragment.notes, *self._left_out(use)) if plan.edits else ()
            yield replace(fragment, notes=notes, bases=_files(use))

    def _of_text(self, use: PatchUse) -> Iterator[Fragment]:
        """A patch that is written into its kustomization."""
        patch, entry = use.patch, use.patch.kustomization.entry
        source = self._sources.get(os.path.realpath(entry.location))
        if source is None or not patch.text:
            return
        path = patch.entry.path if isinstance(patch.entry.value, str) else (*patch.entry.path, "patch")
        data = patch.text.encode()
        plans = [self._patches.plan(one, use) for one in read_documents(data, file=source.path).documents]
        if not plans:
            return
        outer = _document(source, entry.index)
        losses = [Inline(entry, path, plan.document).place(loss) for plan in plans for loss in plan.losses]
        new = apply_edits(data, [edit for plan in plans for edit in plan.edits])
        edit = retext(outer, path, new.decode()) if new != data else None
        if new != data and edit is None:
            text = FRAGMENT_ELSEWHERE.at(path, "the patch has fields that are gone", help="Write:\n" + new.decode())
            losses.append(outer.place(text))
        yield Fragment(
            source.path,
            _ref(plans[0].document, use),
            outer.locate(path).line,
            outer.index,
            path,
            edits=() if edit is None else (edit,),
            notes=(*(note for plan in plans for note in plan.notes), *self._left_out(use)),
            losses=tuple(replace(loss, file=source.path) for loss in losses),
            bases=_files(use),
        )

    def _left_out(self, use: PatchUse) -> list[str]:
        """What a patch is for and is no part of this run."""
        names = [one.entry.location for one in use.bases if os.path.realpath(one.entry.location) not in self._sources]
        return [f"upgrade {name} with it, which is not among the paths" for name in dict.fromkeys(names)]

    def of_charts(self) -> Iterator[Fragment]:
        """Those of values that templates write out as overrides, in files of values beside the chart."""
        planner = ValuesPlanner(self._new, self._around)
        for root in [posixpath.dirname(path) for path in self._sources if posixpath.basename(path) == CHART]:
            yield from self._of_chart(root, planner)

    def _of_chart(self, root: str, planner: ValuesPlanner) -> Iterator[Fragment]:
        below = posixpath.join(root, "templates", "")
        templates = {path: _bytes(one) for path, one in self._sources.items() if path.startswith(below)}
        texts = {path: data.decode("utf-8", "replace") for path, data in templates.items()}
        links = [
            link
            for path, data in templates.items()
            for link in TemplatePlanner(path, data, self._new, self._around).links()
        ]
        for link in dict.fromkeys(links):
            values = [one for path, one in self._sources.items() if _is_values(path, root)]
            plans = [planner.plans(one.path, _bytes(one), link) for one in values]
            if None in plans or not any(plans) or not only_written(link.path, texts, links.count(link)):
                continue
            self._linked.append(link)
            for source, found in zip(values, plans, strict=True):
                for plan in found or ():
                    ref = ObjectRef(kind="values", name=".".join(map(str, link.path)))
                    yield replace(_fragment(plan, source.path, ref), path=link.path)

    def of_template(self, source: SourceFile, data: bytes) -> tuple[list[Fragment], list[Finding]] | None:
        """Those of a chart's template, with what is left to its owner; None where it says nothing as it stands."""
        planner = TemplatePlanner(source.path, data, self._new, self._around)
        plans = planner.plans(frozenset(self._linked))
        if plans is None:
            return None
        made = [_fragment(plan, source.path, planner.ref_of(plan.document.ref)) for plan in plans]
        return made, planner.findings

    def of_values(self, source: SourceFile, data: bytes) -> Iterator[Fragment]:
        """The objects that the values of a chart hold as they are."""
        if not _VALUES.fullmatch(posixpath.basename(source.path)):
            return
        for document in read_documents(data, file=source.path).documents:
            if document.api_version and document.kind:
                continue
            for path in _objects_in(document.value, ()):
                inner = document.member(path)
                plan = upgrade(inner, to_release=self._new, around=self._around)
                line = inner.locate(()).line
                yield Fragment(source.path, inner.ref, line, document.index, path, plan.edits, plan.notes, plan.losses)


def _bytes(source: SourceFile) -> bytes:
    """What a file holds, nothing when it cannot be read: that is said elsewhere."""
    try:
        return source.read_bytes()
    except UnreadableError:
        return b""


def _is_values(path: str, root: str) -> bool:
    return posixpath.dirname(path) == root and bool(_VALUES.fullmatch(posixpath.basename(path)))


def _objects_in(value: JsonValue, path: Path) -> Iterator[Path]:
    if isinstance(value, dict):
        if path and value.get("kind") in (JOB, *RUNTIMES) and str(value.get("apiVersion")).startswith(f"{GROUP}/"):
            yield path
            return
        for key, each in value.items():
            yield from _objects_in(each, (*path, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _objects_in(each, (*path, at))


def _fragment(plan: PatchPlan, file: str, ref: ObjectRef) -> Fragment:
    document = plan.document
    line = document.locate(()).line
    return Fragment(file, ref, line, document.index, (), plan.edits, plan.notes, plan.losses)


def _document(source: SourceFile, index: int) -> Document:
    found = read_documents(source.read_bytes(), file=source.path).documents
    return next(one for one in found if one.index == index)


def _files(use: PatchUse) -> tuple[str, ...]:
    """Where the objects that a patch is for really lie."""
    return tuple(dict.fromkeys(os.path.realpath(one.entry.location) for one in use.bases))


def _ref(document: Document, use: PatchUse) -> ObjectRef:
    """What a patch is called in a report: the object that it names, or that its target does."""
    if document.kind:
        return document.ref._replace(kind=f"patch of {document.kind}")
    target = use.patch.target
    return ObjectRef("", f"patch of {target.text('kind') or 'objects'}", target.text("namespace"), target.text("name"))
