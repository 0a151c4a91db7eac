"""What a passage through a kustomization does to what a job becomes: a change for each patch, and new objects."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.finding import Severity
from trainergen.migrate.overlays.difference import merge_patch, operations
from trainergen.migrate.placing import RUNTIME

if TYPE_CHECKING:
    from collections.abc import Callable

    from trainergen.finding import Finding, JsonObject, JsonValue
    from trainergen.migrate.overlays.carrying import Passage
    from trainergen.migrate.result import Migration
    from trainergen.rules.views.patch import Patch


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to one of the objects that a job becomes, as operations and as a patch to be merged."""

    api_version: str
    kind: str
    name: str
    operations: tuple[JsonValue, ...]
    merge: JsonObject
    deletes: bool = False

    @property
    def key(self) -> str:
        """The same for the same change, whatever the object is called."""
        return json.dumps([self.kind, self.operations, self.deletes], sort_keys=True)


@dataclass(slots=True)
class Effect:
    """What one patch, or the number in ``replicas``, does to one job; ``fault`` says why that cannot be written."""

    changes: list[Change]
    warnings: list[Finding] = field(default_factory=list)
    fault: str = ""


@dataclass(slots=True)
class Effects:
    """What a passage does: the effect of each patch, of ``replicas``, and the objects that the job gets here."""

    patches: list[tuple[Patch, Effect]] = field(default_factory=list)
    scaled: tuple[int, Effect] | None = None
    added: list[JsonObject] = field(default_factory=list)
    becomes: dict[str, JsonObject] = field(default_factory=dict)


class Outcomes:
    """Migrates the states of jobs, each once; ``accepted`` are the losses that are no fault."""

    def __init__(self, migrate: Callable[[JsonObject], Migration], accepted: frozenset[str]) -> None:
        self._migrate = migrate
        self._accepted = accepted
        self._known: dict[str, Migration] = {}

    def migration(self, obj: JsonObject) -> Migration:
        """The migration of a state."""
        text = json.dumps(obj, sort_keys=True)
        if text not in self._known:
            self._known[text] = self._migrate(obj)
        return self._known[text]

    def becomes(self, obj: JsonObject | None) -> dict[str, JsonObject]:
        """What a state becomes, by kind."""
        return {} if obj is None else {text_at(each, "kind"): each for each in self.migration(obj).objects}

    def effects(self, passage: Passage) -> Effects:
        """What a passage does to what its job becomes.

        Where only all patches together leave the job in a form in which each finds the next, the last one does it all.
        """
        states: list[JsonObject | None] = [passage.job.value, *(step.after for step in passage.steps)]
        if passage.scaled is not None:
            states.append(passage.scaled[2])
        made = [self.becomes(state) for state in states]
        count = len(states) - 1
        is_stepwise = count <= 1 or len({tuple(sorted(each)) for each in made}) == 1
        out = Effects(added=_added(made[0], made[-1]), becomes=made[-1])
        for at in range(count):
            # Where all patches are one, what the others did is in the last.
            first = made[at] if is_stepwise else made[0]
            last = made[at + 1] if is_stepwise else made[-1]
            changes = _changes(first, last) if is_stepwise or at == count - 1 else []
            effect = self._effect(states[at], states[at + 1], changes)
            if at < len(passage.steps):
                step = passage.steps[at]
                if step.fault:
                    effect.fault = f"it does not suit the job: {step.fault}"
                out.patches.append((step.patch, effect))
            elif passage.scaled is not None:
                out.scaled = (passage.scaled[0], effect)
        return out

    def _effect(self, before: JsonObject | None, after: JsonObject | None, changes: list[Change]) -> Effect:
        if after is None or before is None:
            return Effect(changes)
        old = {(each.rule, each.message) for each in self.migration(before).warnings}
        migration = self.migration(after)
        new = [each for each in migration.warnings if (each.rule, each.message) not in old]
        telling = [each for each in new if each.severity is not Severity.INFO]
        # What the job lost before keeps its own file from being written, and so this one.
        before_lost = {each.rule for each in self.migration(before).losses(self._accepted)}
        lost = [each for each in migration.losses(self._accepted) if each.rule not in before_lost]
        fault = ""
        if lost or not migration.objects:
            fault = "; ".join(dict.fromkeys(each.message for each in lost)) or "the job has no counterpart then"
        return Effect(changes, telling, fault)


def _added(first: dict[str, JsonObject], last: dict[str, JsonObject]) -> list[JsonObject]:
    return [each for kind, each in last.items() if kind not in first]


def _changes(before: dict[str, JsonObject], after: dict[str, JsonObject]) -> list[Change]:
    found = []
    # The runtime last: what the job itself becomes takes the place of the patch, and what else there is stands behind.
    for kind in sorted(before, key=lambda each: each == RUNTIME):
        old = before[kind]
        identity = (text_at(old, "apiVersion"), kind, text_at(old, "metadata", "name"))
        if kind not in after:
            found.append(Change(*identity, (), {}, deletes=True))
        elif old != after[kind]:
            new = after[kind]
            found.append(Change(*identity, tuple(operations(old, new)), merge_patch(old, new)))
    return found
