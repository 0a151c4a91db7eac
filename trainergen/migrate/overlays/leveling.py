"""The lists of one kustomization as they have to be for what its legacy jobs become."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from trainergen.finding import Severity, format_path
from trainergen.migrate import catalogue as c
from trainergen.migrate.migration import can_migrate
from trainergen.migrate.overlays import patches as p
from trainergen.migrate.overlays.carrying import addresses
from trainergen.migrate.placing import RUNTIME
from trainergen.migrate.writing import yaml_text
from trainergen.source.classify import LEGACY_KINDS
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding, JsonObject, JsonValue, Path
    from trainergen.migrate.overlays.carrying import Identity, Level, Passage
    from trainergen.migrate.overlays.changes import Change, Effect, Outcomes
    from trainergen.migrate.overlays.editing import Item
    from trainergen.rules.found import Spot
    from trainergen.rules.views.patch import Patch

_SCALED: Final = frozenset({"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"})


@dataclass(slots=True)
class FileUse:
    """A patch in a file of its own: its new documents by number, and what the kustomization has for it.

    ``kept`` are the items when the file is written anew, ``within`` those that say the same without it. Without
    ``documents`` the file cannot say it.
    """

    file: str
    slot: tuple[str, int]
    documents: dict[int, list[JsonValue]]
    kept: list[Item]
    within: list[Item]


@dataclass(slots=True)
class LevelPlan:
    """What becomes of one kustomization; findings are placed, ``held`` are jobs that cannot be followed through it."""

    level: Level
    findings: list[Finding] = field(default_factory=list)
    held: dict[Identity, Finding] = field(default_factory=dict)
    in_files: list[FileUse] = field(default_factory=list)
    added: list[JsonObject] = field(default_factory=list)
    becomes: list[dict[str, JsonObject]] = field(default_factory=list)
    _slots: dict[tuple[str, int], list[Item]] = field(default_factory=dict)
    _more: dict[str, list[Item]] = field(default_factory=dict)

    @property
    def lists(self) -> dict[str, list[Item]]:
        """The lists that change, whole."""
        out: dict[str, list[Item]] = {}
        for key in dict.fromkeys([*(key for key, _ in self._slots), *self._more]):
            count = len(self.level.kustomization.values(key))
            items = [item for at in range(count) for item in self._slots.get((key, at), [at])]
            items += self._more.get(key, [])
            if items != list(range(count)):
                out[key] = items
        return out

    def put(self, slot: tuple[str, int], items: list[Item]) -> None:
        """Write items in the place of one."""
        self._slots[slot] = items

    def append(self, key: str, item: Item) -> None:
        """Write an item at the end of a list."""
        self._more.setdefault(key, []).append(item)

    def put_within(self, use: FileUse) -> None:
        """Write a patch into the kustomization that was in a file."""
        self.put(use.slot, use.within)

    def hold(self, finding: Finding) -> None:
        """Say why no job can be followed through here; ``finding`` is placed."""
        self.findings.append(finding)
        for passage in self.level.passages:
            self.held.setdefault(passage.job.identity, finding)

    def say(self, spot: Spot, finding: Finding) -> Finding:
        """Say something at a place."""
        placed = spot.where.document.place(replace(finding, at=spot.path, on_key=False, object=None))
        if placed not in self.findings:
            self.findings.append(placed)
        return placed


def plan_level(level: Level, outcomes: Outcomes) -> LevelPlan:
    """Plan a kustomization: each patch of a legacy job, and the number in ``replicas``."""
    plan = LevelPlan(level)
    uses: dict[object, dict[Identity, tuple[Passage, Effect]]] = {}
    for passage in level.passages:
        if not outcomes.becomes(passage.job.value):
            continue
        effects = outcomes.effects(passage)
        plan.becomes.append(effects.becomes)
        plan.added += [each for each in effects.added if each not in plan.added]
        for patch, effect in effects.patches:
            found = uses.setdefault(patch.entry.path, {})
            known = found.get(passage.job.identity)
            if known is not None and [one.key for one in known[1].changes] != [one.key for one in effect.changes]:
                effect.fault = "it is used in several places, in which the job differs"
            found[passage.job.identity] = (passage, effect)
        if effects.scaled is not None:
            _scaled(plan, passage, *effects.scaled)
    for patch in level.kustomization.patches:
        if patch.entry.path in uses:
            _patch(plan, patch, uses[patch.entry.path])
        else:
            _unused(plan, patch)
    return plan


def _unused(plan: LevelPlan, patch: Patch) -> None:
    """Say of a patch for a legacy kind that no job here is known for it."""
    kinds = [patch.target.text("kind"), *(part.text("kind") for part in patch.documents if not patch.target.value)]
    kind = next((each for each in kinds if each in LEGACY_KINDS), "")
    if kind:
        finding = c.UNTOUCHED.at(
            (),
            f"the patch is for a {kind} that is not among the jobs migrated here",
            help="Migrate it together with its base, or write it for the TrainJob by hand.",
        )
        plan.say(patch.spot, finding)


def _scaled(plan: LevelPlan, passage: Passage, at: int, effect: Effect) -> None:
    kustomization = plan.level.kustomization
    spot = kustomization.part("replicas", at).at()
    if effect.fault:
        _fault(plan, spot, passage, effect.fault)
        return
    same = {passage.job.entry.name, passage.job.renamed.name}
    if not any(one.kind in _SCALED and one.name in same for one in kustomization.input_objects):
        plan.put(("replicas", at), [])
    for change in effect.changes:
        plan.append("patches", p.entry_for(change, name=change.name))
    _say(plan, spot, passage, effect, what="the number of replicas")


def _patch(plan: LevelPlan, patch: Patch, uses: dict[Identity, tuple[Passage, Effect]]) -> None:
    for passage, effect in uses.values():
        if effect.fault:
            _fault(plan, patch.spot, passage, effect.fault)
            return
    slot = (str(patch.entry.path[0]), int(patch.entry.path[1]))
    if isinstance(patch.target.value, dict):
        done = _targeted(plan, patch, slot, uses)
    else:
        done = _by_name(plan, patch, slot, uses)
    for passage, effect in uses.values() if done else ():
        _say(plan, patch.spot, passage, effect, what="the patch")
        if not patch.is_json_patch:
            _say_lists(plan, patch.spot, effect)


def _say_lists(plan: LevelPlan, spot: Spot, effect: Effect) -> None:
    """Say which lists a patch that is merged repeats as a whole."""
    places = [format_path(path) for change in effect.changes for path in _lists(change.merge, ())]
    if places:
        finding = c.OVERLAY.at(
            (),
            f"the patch repeats {', '.join(places)} as a whole, so that later changes in the base do not reach it",
            help="Give kustomize the schema of trainergen schema kustomize-openapi, and leave out what the base has.",
        )
        plan.say(spot, finding)


def _lists(value: JsonObject, path: Path) -> Iterator[Path]:
    for key, each in value.items():
        if isinstance(each, list):
            yield (*path, key)
        elif isinstance(each, dict):
            yield from _lists(each, (*path, key))


def _targeted(
    plan: LevelPlan, patch: Patch, slot: tuple[str, int], uses: dict[Identity, tuple[Passage, Effect]]
) -> bool:
    target, entry = patch.target.value, patch.entry.value
    assert isinstance(target, dict)
    assert isinstance(entry, dict)
    changes = [effect.changes for _, effect in uses.values()]
    if not all(can_migrate(one.value) for one in patch.selected()):
        given = [part.value for part in patch.operations]
        if "kind" not in target and all([list(one.operations) for one in each] == [given] for each in changes):
            return False
        for passage, _ in uses.values():
            _fault(plan, patch.spot, passage, "it is for other objects too")
        return False
    common = _common(changes)
    within: list[Item] = [p.entry_for(one, name=one.name) for each in changes for one in each]
    documents: dict[int, list[JsonValue]] = {}
    kept: list[Item] = []
    if common is not None:
        said = p.identity(common) | {"$patch": "delete"} if common.deletes else None
        content = said or p.content(patch, common)
        aimed = {**entry, "target": p.aimed(target, common)}
        rest = {key: value for key, value in aimed.items() if key != "path"}
        within = [{**rest, "patch": p.inline([content], patch.text)}]
        documents, kept = {0: [content]}, [aimed]
    _place(plan, patch, FileUse(patch.file, slot, documents, kept, within))
    return True


def _common(changes: list[list[Change]]) -> Change | None:
    """The one change that is made of every object, where a selector can still select all of them."""
    keys = {tuple(one.key for one in each) for each in changes}
    first = changes[0]
    if len(keys) != 1 or len(first) != 1 or (len(changes) > 1 and first[0].kind == RUNTIME):
        return None
    return first[0]


def _by_name(
    plan: LevelPlan, patch: Patch, slot: tuple[str, int], uses: dict[Identity, tuple[Passage, Effect]]
) -> bool:
    """A patch that names its objects, of which some may be no jobs."""
    is_bare = slot[0] == "patchesStrategicMerge"
    documents: dict[int, list[JsonValue]] = {}
    more: list[JsonObject] = []
    whole: list[JsonObject] = []
    for document in read_documents(patch.text.encode(), file="").documents:
        found = [effect.changes for passage, effect in uses.values() if addresses(document.object, passage.job)]
        if not found:
            whole.append(document.object)
            continue
        made = [p.object_patch(document.object, change) for change in found[0]]
        whole += made
        documents[document.index] = [*(made if is_bare else made[:1])]
        more += [] if is_bare else made[1:]
    entry = patch.entry.value
    rest = (
        {key: value for key, value in entry.items() if key not in ("path", "patch")} if isinstance(entry, dict) else {}
    )
    texts = [p.inline([each], patch.text if at == 0 else "") for at, each in enumerate(whole)]
    within: list[Item] = [*texts] if is_bare else [{**rest, "patch": text} for text in texts]
    kept: list[Item] = [slot[1], *({**rest, "patch": yaml_text(each)} for each in more)]
    _place(plan, patch, FileUse(patch.file, slot, documents, kept, within))
    return True


def _place(plan: LevelPlan, patch: Patch, use: FileUse) -> None:
    if not patch.file:
        plan.put(use.slot, use.within)
        return
    plan.put(use.slot, use.kept)
    plan.in_files.append(use)


def _fault(plan: LevelPlan, spot: Spot, passage: Passage, fault: str) -> None:
    job = passage.job.entry
    finding = c.OVERLAY.at(
        (),
        f"what is done here to {job.kind} '{job.name}' cannot be written for what it becomes: {fault}",
        help="Build the kustomization and migrate what comes out, or take this out first.",
    )
    plan.held.setdefault(passage.job.identity, plan.say(spot, replace(finding, severity=Severity.ERROR)))


def _say(plan: LevelPlan, spot: Spot, passage: Passage, effect: Effect, *, what: str) -> None:
    job = passage.job.entry
    if not effect.changes:
        message = f"{what} of {job.kind} '{job.name}' changes nothing of what it becomes, and is left out"
        remedy = "Nothing to do, unless it was to do something."
    else:
        places = [place for change in effect.changes for place in _places(change)]
        message = f"{what} of {job.kind} '{job.name}' is written for {', '.join(places)}"
        remedy = "Compare what is built before and after; a Worker's number is one less than that of the nodes."
    plan.say(spot, c.OVERLAY.at((), message, help=remedy))
    for warning in effect.warnings:
        plan.say(spot, replace(warning, message=f"with it, {warning.message}"))


def _places(change: Change) -> list[str]:
    if change.deletes:
        return [f"{change.kind}, which it deletes"]
    return [
        f"{change.kind} {operation['path']}{_amount(operation)}"
        for operation in change.operations
        if isinstance(operation, dict)
    ]


def _amount(operation: JsonObject) -> str:
    """The number of nodes, which is not that of Workers."""
    return f" ({operation['value']} nodes)" if str(operation["path"]).endswith("/numNodes") else ""
