"""What ``trainergen explain trainjob.spec.trainer.image`` has to say about a field, as a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from trainergen.api.facts import FieldFacts, field_facts
from trainergen.api.lookup import (
    Place,
    child,
    container,
    description,
    full_schemas,
    locate,
    releases_with,
    span,
    successor,
)
from trainergen.errors import TrainergenError
from trainergen.releases import NEWEST, RELEASES, get_release, is_earlier

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import JsonObject

SHORT_KINDS = {"tj": "TrainJob", "tr": "TrainingRuntime", "ctr": "ClusterTrainingRuntime"}
_STEP = re.compile(r"([^.\[\]{}]+)(?:\[[^\]]*\]|\{[^}]*\})*")


@dataclass(frozen=True, slots=True)
class Child:
    """A field below the explained one, in the release the explanation is for."""

    name: str
    type: str
    required: bool
    description: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """All about one field.

    ``release`` is the one that ``facts`` and ``children`` are about: the one asked for, else the newest with the field.
    ``by_release`` has the facts of every release with the field, oldest first.
    """

    kind: str
    path: tuple[str, ...]
    release: str
    description: str
    by_release: dict[str, FieldFacts]
    children: tuple[Child, ...]
    successor: str = ""

    @property
    def facts(self) -> FieldFacts:
        """The facts of ``release``."""
        return self.by_release[self.release]

    @property
    def since(self) -> str:
        """The first release with the field; empty when all releases before the last one have it."""
        first = next(iter(self.by_release))
        return "" if first == RELEASES[0].name else first

    @property
    def until(self) -> str:
        """The last release with the field; empty when the newest has it."""
        last = list(self.by_release)[-1]
        return "" if last == NEWEST.name else last

    @property
    def spans(self) -> tuple[tuple[str, FieldFacts], ...]:
        """Releases in words with their facts, neighbours with equal facts taken together."""
        groups: list[tuple[list[str], FieldFacts]] = []
        for release, facts in self.by_release.items():
            if groups and groups[-1][1] == facts:
                groups[-1][0].append(release)
            else:
                groups.append(([release], facts))
        return tuple((span(tuple(releases)), facts) for releases, facts in groups)


def explain(path: str, *, release: str | None = None) -> Explanation:
    """Explain ``trainjob.spec.trainer.image``: a kind (any case, plural, ``tj``, ``tr`` or ``ctr``) and a field path.

    List items may be written with or without ``[]``. Without ``release`` a field that is gone is explained as it last
    was. A path that does not exist raises TrainergenError with the closest ones, or with the releases that have it.
    """
    wanted = get_release(release).name if release else None
    kind, steps = _parse(path)
    releases = releases_with(kind, steps)
    if not releases:
        raise _unknown_field(kind, steps, wanted or NEWEST.name)
    if wanted and wanted not in releases:
        raise _not_in_release(kind, steps, wanted)
    shown = wanted or releases[-1]
    by_release = {name: _facts(name, kind, steps) for name in releases}
    place = _place(shown, kind, steps)
    gone = "" if releases[-1] == NEWEST.name else _successor(kind, steps, NEWEST.name)
    return Explanation(kind, steps, shown, _describe(shown, place), by_release, tuple(_children(shown, place)), gone)


def _successor(kind: str, steps: tuple[str, ...], release: str) -> str:
    """What replaced the first field on the way that ``release`` no longer has."""
    gone = steps[: _first_missing(kind, steps, release)]
    place = _place(releases_with(kind, gone)[-1], kind, gone)
    return successor(place.owner, place.field)


def _first_missing(kind: str, steps: tuple[str, ...], release: str) -> int:
    """How many steps it takes until ``release`` does not have the field."""
    return next(number for number in range(1, len(steps) + 1) if not locate(release, kind, steps[:number]))


def _parse(path: str) -> tuple[str, tuple[str, ...]]:
    """The kind and the field names of a path."""
    steps = tuple(_STEP.findall(path))
    if not steps:
        raise TrainergenError(
            "no field to explain", hint="Write a kind and a field, as in trainjob.spec.trainer.image."
        )
    names = _kind_names()
    kind = names.get(steps[0].lower())
    if kind is None:
        close = get_close_matches(steps[0].lower(), names, n=1)
        known = f"Did you mean {close[0]}?" if close else "Known kinds: " + ", ".join(sorted(set(names.values()))) + "."
        raise TrainergenError(f"unknown kind '{steps[0]}'", hint=known)
    return kind, steps[1:]


def _kind_names() -> dict[str, str]:
    kinds = full_schemas(NEWEST.name).kinds.values()
    return {name: kind.kind for kind in kinds for name in (kind.kind.lower(), kind.plural)} | SHORT_KINDS


def _place(release: str, kind: str, steps: tuple[str, ...]) -> Place:
    place = locate(release, kind, steps)
    assert place is not None
    return place


def _facts(release: str, kind: str, steps: tuple[str, ...]) -> FieldFacts:
    return field_facts(full_schemas(release), _place(release, kind, steps))


def _describe(release: str, place: Place) -> str:
    own = description(place.owner, place.field)
    return own or description(container(release, place)[0], "")


def _children(release: str, place: Place) -> Iterable[Child]:
    schemas = full_schemas(release)
    for name in container(release, place)[1].get("properties", ()):
        below = child(release, place, name)
        assert below is not None
        yield Child(name, field_facts(schemas, below).type, below.required, description(below.owner, name))


def _unknown_field(kind: str, steps: tuple[str, ...], release: str) -> TrainergenError:
    """The error for a path that no release has: the part that exists, and what is like the rest."""
    known = 0
    while known < len(steps) and releases_with(kind, steps[: known + 1]):
        known += 1
    parent = ".".join((kind.lower(), *steps[:known]))
    siblings: JsonObject = {}
    for name in (*(item.name for item in RELEASES), release):
        place = locate(name, kind, steps[:known])
        if place is not None:
            siblings |= container(name, place)[1].get("properties", {})
    wrong = steps[known]
    close = _close(wrong, siblings)
    if close:
        hint = f"Did you mean {' or '.join(f'{parent}.{name}' for name in close)}?"
    elif siblings:
        hint = f"Fields of {parent}: {', '.join(siblings)}."
    else:
        hint = f"{parent} has no fields of its own."
    return TrainergenError(f"no release has a field '{wrong}' in {parent}", hint=hint)


def _close(wrong: str, names: Iterable[str]) -> list[str]:
    """The names that may have been meant; only one if it differs in case alone."""
    folded = {name.lower(): name for name in names}
    if wrong.lower() in folded:
        return [folded[wrong.lower()]]
    return [folded[name] for name in get_close_matches(wrong.lower(), folded, n=2, cutoff=0.6)]


def _not_in_release(kind: str, steps: tuple[str, ...], release: str) -> TrainergenError:
    """The error for a path that other releases have: the first step that is missing decides."""
    gone = steps[: _first_missing(kind, steps, release)]
    releases = releases_with(kind, gone)
    path = ".".join((kind.lower(), *gone))
    if not is_earlier(releases[-1], release):
        return TrainergenError(f"{path} is not in Trainer {release}", hint=f"It came with {releases[0]}.")
    replacement = _successor(kind, steps, release)
    after = next(item.name for item in RELEASES if is_earlier(releases[-1], item.name))
    hint = f"It was last in {releases[-1]}; " + (f"use {replacement}." if replacement else "nothing replaces it.")
    return TrainergenError(f"{path} is not in Trainer {release}: gone since {after}", hint=hint)
