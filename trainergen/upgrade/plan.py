"""The plan for one object: its draft taken through every hop, and the text that comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from trainergen.releases import RELEASES
from trainergen.source.writing import entry_lines
from trainergen.upgrade.checks import NEWER_THAN_TARGET, NOT_EDITED
from trainergen.upgrade.draft import Draft
from trainergen.upgrade.redraw import redraw
from trainergen.upgrade.steps import STEPS
from trainergen.upgrade.texts import stretch
from trainergen.upgrade.work import JOB, RUNTIMES, Surroundings, Work

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject
    from trainergen.fix import Edit
    from trainergen.releases import Release
    from trainergen.source.document import Document

_OVERRIDES = tuple(dict.fromkeys(release.behaviours.overrides_field for release in RELEASES))


@dataclass(frozen=True, slots=True)
class UpgradePlan:
    """What becomes of one object.

    ``edits`` are bytes of its file, none when nothing changes or the place cannot be edited by itself; ``object`` is
    what they make of it. ``losses`` say what is not carried over, ``notes`` what was done.
    """

    document: Document
    object: JsonObject
    edits: tuple[Edit, ...] = ()
    losses: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the object is another one afterwards."""
        return bool(self.edits)


def upgrade(document: Document, *, to_release: Release, around: Surroundings) -> UpgradePlan:
    """The plan that takes one Trainer object to a release.

    Objects are taken from where their fields say they are: a manifest that was half migrated before goes on from
    there. An object with fields that came after the target is left alone.
    """
    newer = _newer(document, to_release)
    if newer is not None:
        return UpgradePlan(document, document.object, losses=(document.place(newer),))
    return _planned(taken(document, to_release, around))


def upgraded_object(document: Document, *, to_release: Release, around: Surroundings) -> JsonObject:
    """The object that an upgrade makes of another, wherever that is written."""
    return upgraded_with_losses(document, to_release=to_release, around=around)[0]


def upgraded_with_losses(
    document: Document, *, to_release: Release, around: Surroundings
) -> tuple[JsonObject, tuple[Finding, ...]]:
    """The same, with what is not carried over."""
    newer = _newer(document, to_release)
    if newer is not None:
        return document.object, (newer,)
    work = taken(document, to_release, around)
    return work.draft.object, tuple(work.losses)


def redrawn(document: Document, draft: Draft) -> Edit | None:
    """The edit that makes what a draft wants of its document, None where it cannot be edited in place."""
    text = redraw(document, draft)
    return None if text is None else _edit(document, text)


def taken(document: Document, to_release: Release, around: Surroundings) -> Work:
    """An object with all hops behind it, without what they make of its text."""
    work = Work(document, Draft(document.value), around, RELEASES[0], RELEASES[0])
    if document.kind in (JOB, *RUNTIMES):
        for old, new in pairwise(RELEASES[: RELEASES.index(to_release) + 1]):
            work.old, work.new = old, new
            for step in STEPS:
                step(work)
    return work


def _planned(work: Work) -> UpgradePlan:
    document, draft = work.document, work.draft
    if not draft.changed:
        return UpgradePlan(document, document.object, losses=tuple(work.losses), notes=tuple(work.notes))
    text = redraw(document, draft)
    if text is None:
        work.lose(
            NOT_EDITED.at(
                (),
                f"the {document.kind} cannot be edited in place, since what has to change is shared by anchors or the "
                "like",
                help="Write by hand:\n" + "\n".join(entry_lines("spec", draft.object.get("spec"))),
            )
        )
        return UpgradePlan(document, document.object, losses=tuple(work.losses))
    return UpgradePlan(document, draft.object, (_edit(document, text),), tuple(work.losses), tuple(work.notes))


def _edit(document: Document, text: str) -> Edit:
    return stretch(document.span.source, document.span.start, document.text, text)


def _newer(document: Document, target: Release) -> Finding | None:
    if document.kind != JOB:
        return None
    spec = document.object.get("spec")
    later = _OVERRIDES[_OVERRIDES.index(target.behaviours.overrides_field) + 1 :]
    field = next((name for name in later if isinstance(spec, dict) and name in spec), None)
    if field is None:
        return None
    return NEWER_THAN_TARGET.at(
        ("spec", field),
        f"spec.{field} is newer than Trainer {target.name}, which is upgraded to",
        help="Upgrade to a release that has it, or take the manifest from before.",
        on_key=True,
    )
