"""Patches of kustomize taken to another release, so that they make of upgraded objects what they made of the old."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from trainergen.api.access import object_at, value_at
from trainergen.api.merge import MergeError
from trainergen.api.structural import GROUP
from trainergen.releases import RELEASES
from trainergen.source.reader import read_documents
from trainergen.upgrade.checks import FRAGMENT_ELSEWHERE, LIST_REPLACED, PROCESSES_LOST
from trainergen.upgrade.draft import Draft, as_part
from trainergen.upgrade.elsewhere import fragment_finding
from trainergen.upgrade.json_patches import Operation, carried_out, is_operations, operation_edits, rewritten
from trainergen.upgrade.overlays import addresses, merged
from trainergen.upgrade.plan import UpgradePlan, redrawn, upgrade, upgraded_with_losses
from trainergen.upgrade.pointers import operation_findings
from trainergen.upgrade.work import JOB, RUNTIMES

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, JsonValue
    from trainergen.fix import Edit
    from trainergen.releases import Release
    from trainergen.source.document import Document
    from trainergen.upgrade.overlays import Met, PatchUse
    from trainergen.upgrade.work import Surroundings

_PATCHES = "runtimePatches"
_MOVED = (*dict.fromkeys(release.behaviours.overrides_field for release in RELEASES), "labels", "annotations")
_PROCESSES = ("spec", "trainer", "numProcPerNode")


@dataclass(frozen=True, slots=True)
class PatchPlan:
    """What becomes of one document of a patch: ``edits`` of the text that it is in, and what there is to say."""

    document: Document
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    losses: tuple[Finding, ...] = ()


class PatchPlanner:
    """Plans patches for a release; ``around`` as for objects."""

    def __init__(self, target: Release, around: Surroundings) -> None:
        self._target = target
        self._around = around
        self._known: dict[tuple[str, str], tuple[JsonObject, tuple[Finding, ...]]] = {}

    def plan(self, document: Document, use: PatchUse) -> PatchPlan:
        """The plan for a document of a patch; where what to write is not clear, it is among the losses."""
        if is_operations(document.value):
            return self._operations(document, _unlike(use.bases))
        if document.kind not in (JOB, *RUNTIMES) or (document.api_version and document.group != GROUP):
            return PatchPlan(document)
        if "$patch" in document.object:
            return PatchPlan(document)
        targeted = bool(use.patch.target.value)
        bases = _unlike(one for one in use.bases if addresses(document.object, one, targeted=targeted))
        if (gone := _taken_away(document, bases)) is not None:
            return PatchPlan(document, losses=(document.place(gone),))
        plan = upgrade(document, to_release=self._target, around=self._around)
        if not bases or use.merges:
            losses = plan.losses if use.merges else (*plan.losses, *replaced_lists(plan))
            return PatchPlan(document, plan.edits, plan.notes, losses)
        if all(self._gives(one, document.object, plan.object) for one in bases):
            return PatchPlan(document, plan.edits, plan.notes, plan.losses)
        return self._repeated(document, bases, plan)

    def upgraded(self, value: JsonObject, file: str) -> JsonObject:
        """What an upgrade makes of an object that is in no file as it is here."""
        return self._taken(value, file)[0]

    def _taken(self, value: JsonObject, file: str) -> tuple[JsonObject, tuple[Finding, ...]]:
        """The same, with what is not carried over."""
        key = (file, json.dumps(value, sort_keys=True))
        if key not in self._known:
            documents = read_documents(json.dumps(value).encode(), file=file).documents
            made = [upgraded_with_losses(one, to_release=self._target, around=self._around) for one in documents]
            self._known[key] = made[0] if made else (value, ())
        return self._known[key]

    def _operations(self, document: Document, bases: Sequence[Met]) -> PatchPlan:
        value = document.value
        assert isinstance(value, list)
        operations = [one for one in value if isinstance(one, dict)]
        found = [rewritten(operations, one.value, partial(self.upgraded, file=one.entry.file)) for one in bases]
        first = found[0] if found else None
        edits = None
        if first is not None and all(one == first for one in found):
            edits = operation_edits(document, first)
        if first is None or edits is None:
            return PatchPlan(
                document, losses=tuple(operation_findings(document, operations, self._target, first or ()))
            )
        pairs = [(old, new) for old, new in zip(operations, first, strict=True) if new != [old]]
        losses = dict.fromkeys(loss for one in bases for loss in self._operation_losses(document, operations, one))
        return PatchPlan(document, edits, tuple(_operation_note(old, new) for old, new in pairs), tuple(losses))

    def _operation_losses(self, document: Document, operations: Sequence[Operation], base: Met) -> Iterator[Finding]:
        """What an upgrade does not carry over of what each operation brings."""
        value = base.value
        known = {(loss.rule, loss.message) for loss in self._taken(value, base.entry.file)[1]}
        for at, operation in enumerate(operations):
            value = carried_out(value, operation)
            losses = self._taken(value, base.entry.file)[1]
            for loss in losses:
                if (loss.rule, loss.message) not in known:
                    yield document.place(replace(loss, at=(at, "path"), object=None, on_key=False))
            known = {(loss.rule, loss.message) for loss in losses}

    def _gives(self, base: Met, old: JsonObject, new: JsonObject) -> bool:
        """Whether a patch makes of an upgraded object what an upgrade makes of the patched one."""
        try:
            wanted = self.upgraded(merged(base.value, old), base.entry.file)
            return merged(self.upgraded(base.value, base.entry.file), new) == wanted
        except MergeError:
            return False

    def _repeated(self, document: Document, bases: Sequence[Met], plan: UpgradePlan) -> PatchPlan:
        """The patch with what the upgrade of the patched object has, where its own part alone would not do."""
        drafts = [self._draft(document, one) for one in bases]
        draft = drafts[0]
        alike = all(one.value == draft.value for one in drafts)
        holds = alike and all(self._gives(one, document.object, draft.object) for one in bases)
        edit = redrawn(document, draft) if holds else None
        if edit is None:
            finding = document.place(fragment_finding((), document.kind, draft.object, self._target))
            return PatchPlan(document, losses=(*plan.losses, finding))
        losses = plan.losses
        if isinstance(draft.get(*_PROCESSES), int):
            losses = tuple(loss for loss in losses if loss.rule != PROCESSES_LOST.id)
        note = "it says all that the patched object has of them, since kustomize replaces lists as a whole"
        return PatchPlan(document, (edit,), (*plan.notes, note), losses)

    def _draft(self, document: Document, base: Met) -> Draft:
        old = self.upgraded(base.value, base.entry.file)
        new = self.upgraded(merged(base.value, document.object), base.entry.file)
        draft = Draft(document.value)
        own = object_at(document.object, "spec")
        moved = [key for key in _MOVED if key in own]
        before, after = (value_at(one, "spec", _PATCHES) for one in (old, new))
        if before != after:
            draft.put(("spec", _PATCHES), as_part(after), instead=next((one for one in moved if one != _PATCHES), ""))
        for key in moved:
            if key != _PATCHES or before == after:
                draft.drop(("spec", key))
        _put_processes(draft, value_at(old, *_PROCESSES), value_at(new, *_PROCESSES))
        return draft


def _taken_away(document: Document, bases: Sequence[Met]) -> Finding | None:
    """What is said of a patch that takes fields away which its bases do not have, as after an upgrade of them alone.

    None for any other patch.
    """
    own = object_at(document.object, "spec")
    moved = [key for key in _MOVED if key in own and key != _PATCHES]
    specs = [object_at(one.value, "spec") for one in bases]
    if not moved or not specs or any(own[key] is not None or any(key in spec for spec in specs) for key in moved):
        return None
    return FRAGMENT_ELSEWHERE.at(
        ("spec", moved[0]),
        f"the patch takes spec.{moved[0]} away, which what it patches does not have",
        help=f"Take it out, or write spec.{_PATCHES} if what is there now is to go.",
        on_key=True,
    )


def _unlike(bases: Iterable[Met]) -> list[Met]:
    """One of all TrainJobs of a folder that differ in nothing but their names, which no upgrade looks at."""
    found: dict[tuple[str, str], Met] = {}
    for one in bases:
        value = one.value
        if one.entry.kind == JOB:
            value = {**value, "metadata": {**object_at(value, "metadata"), "name": ""}}
        found.setdefault((posixpath.dirname(one.entry.file), json.dumps(value, sort_keys=True)), one)
    return list(found.values())


def _put_processes(draft: Draft, before: JsonValue, after: JsonValue) -> None:
    if before != after:
        draft.put(_PROCESSES, as_part(after))
    elif draft.has(*_PROCESSES):
        draft.drop(_PROCESSES)


def _operation_note(old: JsonObject, new: Sequence[JsonObject]) -> str:
    if not new:
        return f"the operation on {old.get('path')} went, as nothing is left for it to do"
    return f"{old.get('path')} is {' and '.join(str(one.get('path')) for one in new)}"


def replaced_lists(plan: UpgradePlan) -> Sequence[Finding]:
    """The warning of a patch whose base is not known: its list is all that is left of the base's."""
    old, new = object_at(plan.document.object, "spec"), object_at(plan.object, "spec")
    if not plan.changed or _PATCHES not in new:
        return ()
    gone = next((key for key in old if key not in new), _PATCHES)
    finding = LIST_REPLACED.at(
        ("spec", gone),
        f"the patch brings spec.{_PATCHES}, which replaces that of the base as a whole",
        help="Give kustomize the schema of trainergen schema kustomize-openapi, or repeat the base's entries here.",
        on_key=True,
    )
    return (plan.document.place(finding),)
