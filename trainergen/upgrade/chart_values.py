"""Overrides that templates of a chart write out from its values: both become patches together, or not at all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import value_at
from trainergen.api.structural import API_VERSION
from trainergen.source.document import Document
from trainergen.source.reader import read_documents
from trainergen.upgrade.draft import Moved
from trainergen.upgrade.gone import OVERRIDES, PATCHES, are_patches, gone_overrides
from trainergen.upgrade.patches import PatchPlan
from trainergen.upgrade.plan import taken
from trainergen.upgrade.redraw import replaced
from trainergen.upgrade.texts import stretch
from trainergen.upgrade.work import JOB

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.upgrade.draft import Part
    from trainergen.upgrade.work import Surroundings

_NAME = r"\.Values\.([A-Za-z_][\w.]*)"
_WRITTEN = re.compile(
    r"\{\{-?\s*(?:toYaml\s+(?:" + _NAME + r"|(\.))|" + _NAME + r"\s*\|\s*toYaml)\s*\|\s*n?indent\s+\d+\s*-?\}\}"
)
_WITH = re.compile(r"\{\{-?\s*with\s+" + _NAME + r"\s*-?\}\}")
_ACTION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_CONDITION = re.compile(r"\{\{-?\s*(?:with|if|else if|/\*)")
_ALONE = frozenset({"labels", "annotations", PATCHES, *OVERRIDES})


class Link(NamedTuple):
    """A field of a TrainJob in a template that is written out from the values at ``path``."""

    field: str
    path: tuple[str, ...]


def link_of(spec: JsonObject, actions: Mapping[str, str], text: str, target: Release) -> Link | None:
    """The link of a TrainJob's spec in a template, ``actions`` by the words that stand for them; None without one."""
    moved = [key for key in spec if key in _ALONE]
    if len(moved) != 1 or moved[0] not in gone_overrides(target) or target.behaviours.overrides_field != PATCHES:
        return None
    word = spec[moved[0]]
    action = actions.get(word, "") if isinstance(word, str) else ""
    match = _WRITTEN.fullmatch(action)
    if match is None:
        return None
    name = match[1] or match[3] or _enclosing(text, action)
    return Link(moved[0], tuple(name.split("."))) if name and not name.endswith(".") else None


def _enclosing(text: str, action: str) -> str:
    """What the ``with`` is about that stands directly around an action; empty when none does, or it occurs twice."""
    if text.count(action) != 1:
        return ""
    before = list(_ACTION.finditer(text, 0, text.index(action)))
    match = _WITH.fullmatch(before[-1][0]) if before else None
    return match[1] if match else ""


def only_written(path: tuple[str, ...], texts: Mapping[str, str], links: int) -> bool:
    """Whether the templates use the values at a path in conditions and for ``links`` fields only."""
    name = ".".join(path)
    used = re.compile(rf"\.Values\.{re.escape(name)}(?![\w.])")
    above = [".".join(path[:length]) for length in range(1, len(path))]
    whole = re.compile("|".join(rf"\.Values\.{re.escape(one)}(?![\w.])" for one in above) or r"(?!)")
    written = 0
    for text in texts.values():
        for match in _ACTION.finditer(text):
            if _CONDITION.match(match[0]):
                written += bool(_WITH.fullmatch(match[0])) and bool(used.search(match[0]))
            elif whole.search(match[0]):
                return False
            else:
                written += bool(used.search(match[0]))
    return written == links


class ValuesPlanner:
    """Plans the lists of overrides in the files of values of a chart."""

    def __init__(self, target: Release, around: Surroundings) -> None:
        self._target = target
        self._around = around

    def plans(self, name: str, data: bytes, link: Link) -> list[PatchPlan] | None:
        """The plans for the documents of a file, None where its list cannot be edited."""
        result = read_documents(data, file=name)
        if result.failures:
            return None
        found = [self._plan(one, link) for one in result.documents if value_at(one.value, *link.path)]
        made = [one for one in found if one is not None]
        return made if len(made) == len(found) else None

    def _plan(self, document: Document, link: Link) -> PatchPlan | None:
        value = value_at(document.value, *link.path)
        if not isinstance(value, list):
            return None
        if are_patches(value):
            return PatchPlan(document)
        spec: JsonObject = {link.field: value}
        job: JsonObject = {"apiVersion": API_VERSION, "kind": JOB, "metadata": {"name": "any"}, "spec": spec}
        work = taken(Document(job, document.span, index=document.index), self._target, self._around)
        part = work.draft.part("spec", PATCHES)
        if part is None or work.losses:
            return None
        text = replaced(document, link.path, _moved(part, link))
        if text is None:
            return None
        edit = stretch(document.span.source, document.span.start, document.text, text)
        name = ".".join(link.path)
        return PatchPlan(document, (edit,), (f"{name} holds runtime patches now, as its templates write them out",))


def _moved(part: Part, link: Link) -> Part:
    """A part of the job as one of the values, where its text is."""
    if isinstance(part, Moved):
        return Moved((*link.path, *part.path[2:]), part.value)
    if isinstance(part, dict):
        return {key: _moved(each, link) for key, each in part.items()}
    if isinstance(part, list):
        return [_moved(each, link) for each in part]
    return part
