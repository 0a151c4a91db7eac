"""Legacy jobs on their way through kustomizations: which patch meets which job, and how it is before and after."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from trainergen.api.access import text_at
from trainergen.api.merge import MergeError, strategic_merge
from trainergen.api.structural import load
from trainergen.migrate.migration import can_migrate
from trainergen.migrate.overlays.images import with_images
from trainergen.policies.json_patch import PatchError, patched
from trainergen.rules.objects import Entry, Objects
from trainergen.rules.tree import join
from trainergen.rules.views.kustomization import is_remote, read_folder
from trainergen.source.lists import members
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from trainergen.finding import JsonObject, Path
    from trainergen.releases import Release
    from trainergen.rules.tree import Tree
    from trainergen.rules.views.kustomization import Kustomization
    from trainergen.rules.views.patch import Patch

Identity: TypeAlias = "tuple[str, int, Path]"
"""The real path of a job's file, its document, and the place in it."""
_GROUP: Final = b"kubeflow.org"


@dataclass(slots=True)
class Carried:
    """A job on its way; ``renamed`` is it under the name that it has by then, ``value`` as patches left it."""

    entry: Entry
    renamed: Entry
    value: JsonObject

    @property
    def identity(self) -> Identity:
        """Which job it is."""
        return identity_of(self.entry)


@dataclass(frozen=True, slots=True)
class Step:
    """One patch and what it does to a job: ``after`` is None when it deletes it, ``fault`` says why it cannot."""

    patch: Patch
    before: JsonObject
    after: JsonObject | None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A job in one kustomization: as it comes in, the steps, and the number that ``replicas`` gives it, if any."""

    job: Carried
    steps: tuple[Step, ...]
    scaled: tuple[int, JsonObject, JsonObject] | None = None
    """The index in ``replicas``, and the job before and after it."""


@dataclass(slots=True)
class Level:
    """One kustomization with the jobs that pass through it, for a component in each place that uses it."""

    kustomization: Kustomization
    passages: list[Passage] = field(default_factory=list)


def identity_of(entry: Entry) -> Identity:
    """Which object of which file it is."""
    return os.path.realpath(entry.location), entry.index, entry.prefix


class Carrying:
    """Carries the jobs that ``wanted`` takes through the kustomizations of a tree."""

    def __init__(self, tree: Tree, release: Release, wanted: Callable[[Entry], bool]) -> None:
        self._tree = tree
        self._release = release
        self._wanted = wanted
        self._objects = Objects()
        self._out: dict[str, list[Carried]] = {}
        self._levels: dict[str, Level] = {}

    def levels(self, folders: Iterable[str]) -> list[Level]:
        """The kustomizations in the folders, and those below them, with their jobs; bases come first."""
        for folder in folders:
            found = read_folder(folder or ".", tree=self._tree, release=self._release, objects=self._objects)
            if found is not None and not found.is_component:
                self._through(found)
        return list(self._levels.values())

    def _through(self, kustomization: Kustomization) -> list[Carried]:
        place = os.path.realpath(kustomization.folder or ".")
        if place not in self._out:
            # NB: of kustomizations that refer to each other, each sees the other without what it brings.
            self._out[place] = []
            jobs = self._own(kustomization)
            for base in kustomization.bases:
                jobs += [Carried(one.entry, one.renamed, one.value) for one in self._through(base)]
            self._components(kustomization, jobs)
            self._out[place] = self._pass(kustomization, jobs)
        return self._out[place]

    def _components(self, kustomization: Kustomization, jobs: list[Carried]) -> None:
        for component in kustomization.components:
            jobs += self._own(component)
            self._components(component, jobs)
            jobs[:] = self._pass(component, jobs)

    def _own(self, kustomization: Kustomization) -> list[Carried]:
        found = []
        for name in kustomization.texts("resources"):
            path = join(kustomization.folder, name)
            data = None if is_remote(name) else self._tree.read(path)
            # Most files hold no such job, and need not be parsed to see that.
            for document in read_documents(data, file=path).documents if data and _GROUP in data else ():
                entries = [Entry(member, location=path) for member in members(document)[0]]
                found += [Carried(one, one, one.value) for one in entries if can_migrate(one.value)]
        return [one for one in found if self._wanted(one.entry)]

    def _pass(self, kustomization: Kustomization, jobs: list[Carried]) -> list[Carried]:
        place = os.path.realpath(kustomization.folder or ".")
        level = self._levels.setdefault(place, Level(kustomization))
        return [after for job in jobs if (after := self._pass_one(level, job)) is not None]

    def _pass_one(self, level: Level, job: Carried) -> Carried | None:
        kustomization = level.kustomization
        steps: list[Step] = []
        value: JsonObject | None = job.value
        for patch in kustomization.patches:
            if value is not None and (patch.selects(job.entry) or patch.selects(job.renamed)):
                steps.append(_step(patch, job, value))
                value = steps[-1].after
        scaled = _scaled(kustomization, job, value) if value is not None else None
        level.passages.append(Passage(job, tuple(steps), scaled))
        if value is None:
            return None
        return _renamed(kustomization, job, with_images(scaled[2] if scaled else value, kustomization))


def _step(patch: Patch, job: Carried, value: JsonObject) -> Step:
    if not patch.operations and not patch.documents:
        return Step(patch, value, value, fault="there is nothing in the patch that can be read")
    try:
        return Step(patch, value, _applied(patch, job, value))
    except (PatchError, MergeError) as error:
        return Step(patch, value, value, fault=str(error))


def _applied(patch: Patch, job: Carried, value: JsonObject) -> JsonObject | None:
    operations = [part.value for part in patch.operations]
    if operations:
        value = patched(value, operations)
    for part in patch.documents:
        written = part.value
        if not isinstance(written, dict) or not (isinstance(patch.target.value, dict) or addresses(written, job)):
            continue
        if written.get("$patch") == "delete":
            return None
        merged = strategic_merge(value, written, {}, load("2.3"))
        kept = ("apiVersion", "kind")
        metadata = {**_mapping(merged.get("metadata")), **{key: text for key, text in _names(value).items() if text}}
        value = {**merged, **{key: value[key] for key in kept if key in value}, "metadata": metadata}
    return value


def addresses(written: JsonObject, job: Carried) -> bool:
    """Whether a patch without a target is for the job."""
    names = (job.entry.name, job.renamed.name)
    return written.get("kind") == job.entry.kind and text_at(written, "metadata", "name") in names


def _names(value: JsonObject) -> dict[str, str]:
    return {key: text_at(value, "metadata", key) for key in ("name", "namespace")}


def _mapping(value: object) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _scaled(kustomization: Kustomization, job: Carried, value: JsonObject) -> tuple[int, JsonObject, JsonObject] | None:
    """What ``replicas`` does to a job, where a configuration says which of its fields that is about."""
    for at, part in enumerate(kustomization.parts("replicas")):
        count = part.integer("count")
        if count is None or part.text("name") not in (job.entry.name, job.renamed.name):
            continue
        operations: list[JsonObject] = [
            {"op": "replace", "path": "/" + str(spec.get("path")).strip("/"), "value": count}
            for configuration in kustomization.configurations
            for spec in _specs(configuration.get("replicas"))
            if spec.get("kind") == job.entry.kind
        ]
        try:
            if operations:
                return at, value, patched(value, operations)
        except PatchError:
            continue
    return None


def _specs(value: object) -> list[JsonObject]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _renamed(kustomization: Kustomization, job: Carried, value: JsonObject) -> Carried:
    """The job as a kustomization further up sees it."""
    prefix, suffix, namespace = (kustomization.text(key) for key in ("namePrefix", "nameSuffix", "namespace"))
    metadata = dict(_mapping(value.get("metadata")))
    if namespace:
        metadata["namespace"] = namespace
    value = {**value, "metadata": metadata}
    seen = {**metadata, "name": f"{prefix}{job.renamed.name}{suffix}"}
    return Carried(job.entry, job.entry.with_value({**value, "metadata": seen}), value)
