"""What a kustomization makes of its objects, as far as names, namespaces and patches go.

A sketch of the build: resources of bases first, then components, then its own patches, prefix, suffix and namespace.
Generators give objects without content. What is fetched from elsewhere is not there; then the build is not complete.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from trainergen.rules.gitops.kustomize.merging import DIRECTIVE, PatchError, Schemas, found, merged, operated, pointer
from trainergen.rules.objects import CLUSTER_KINDS
from trainergen.rules.tree import join
from trainergen.source.kustomizations import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonObject
    from trainergen.rules import Entry, Kustomization, Part
    from trainergen.rules.views.patch import Patch

TRAINER = "trainer.kubeflow.org"
RUNTIMES = ("ClusterTrainingRuntime", "TrainingRuntime")
GENERATORS = {"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}
_UNTOUCHED = ("CustomResourceDefinition", "APIService", "Namespace")
"""Kinds that get no prefix or suffix."""
_UNSEEN = ("helmCharts", "helmChartInflationGenerator", "generators", "transformers", "vars")


@dataclass(slots=True)
class Resource:
    """One object of a build."""

    kind: str
    group: str
    entry: Entry
    """Where it is written; the kustomization for what a generator makes."""
    value: JsonObject
    """As it stands after the patches so far."""
    names: tuple[str, ...]
    """Its names, as written first, the one it has last."""
    namespace: str = ""
    generator: Part | None = None
    """The generator that makes it."""
    hashed: bool = False
    """Whether its name gets the hash of its content."""

    @property
    def is_ours(self) -> bool:
        """Whether it is a TrainJob or a runtime."""
        return self.group == TRAINER

    @property
    def label(self) -> str:
        """Kind and name for messages."""
        return f"{self.kind} '{self.names[0]}'"


@dataclass(frozen=True, slots=True)
class Step:
    """One patch on one object."""

    patch: Patch
    document: Part | None
    """The document of a strategic merge patch, None for a JSON patch."""
    resource: Resource
    before: JsonObject
    after: JsonObject
    failed: tuple[Part, str] | None = None
    """The operation that kustomize fails on, and why."""
    added: tuple[Part, ...] = ()
    """The operations that replace what is not there."""


@dataclass(slots=True)
class Build:
    """The objects of a kustomization, and what its own patches did to them."""

    resources: list[Resource] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    complete: bool = True
    """False when some of the objects cannot be seen here."""

    @property
    def ours(self) -> list[Resource]:
        """The TrainJobs and runtimes."""
        return [resource for resource in self.resources if resource.is_ours]


@lru_cache(maxsize=8)
def build(kustomization: Kustomization) -> Build:
    """The build of a kustomization by itself, with the schemas that it finds."""
    return _built(kustomization, schemas_of(kustomization), frozenset())


@lru_cache(maxsize=8)
def schemas_of(kustomization: Kustomization) -> Schemas:
    """The schemas that rule the build of a kustomization."""
    return Schemas([document for _, _, document in kustomization.openapi])


def is_about_trainer(kustomization: Kustomization) -> bool:
    """Whether TrainJobs or runtimes go through a kustomization, or its patches are for some."""
    return bool(build(kustomization).ours) or any(names_trainer(patch) for patch in kustomization.patches)


def names_trainer(patch: Patch) -> bool:
    """Whether a patch is meant for Trainer objects."""
    kinds = (*RUNTIMES, "TrainJob")
    return (
        patch.target.text("group") == TRAINER
        or patch.target.text("kind") in kinds
        or any(document.text("apiVersion").partition("/")[0] == TRAINER for document in patch.documents)
    )


def _built(kustomization: Kustomization, schemas: Schemas, above: frozenset[str]) -> Build:
    result = Build()
    if kustomization.folder not in above:
        _work(kustomization, result, schemas, above | {kustomization.folder})
    return result


def _work(kustomization: Kustomization, result: Build, schemas: Schemas, inside: frozenset[str]) -> None:
    """Let a kustomization add its objects and work on all collected so far."""
    for base in kustomization.bases:
        part = _built(base, schemas, inside)
        result.resources += part.resources
        result.complete &= part.complete
    result.resources += [_as_written(entry) for entry in kustomization.own_objects if entry.kind]
    for component in kustomization.components:
        if component.folder not in inside:
            _work(component, result, schemas, inside | {component.folder})
    result.resources += _generated(kustomization)
    result.complete &= not _has_unseen(kustomization)
    result.steps = [step for patch in kustomization.patches for step in _apply(patch, result, schemas)]
    prefix, suffix, namespace = (kustomization.text(key) for key in ("namePrefix", "nameSuffix", "namespace"))
    for resource in result.resources:
        if (prefix or suffix) and resource.kind not in _UNTOUCHED:
            resource.names += (prefix + resource.names[-1] + suffix,)
        if namespace and (resource.kind not in CLUSTER_KINDS or resource.is_ours):
            resource.namespace = namespace


def _as_written(entry: Entry) -> Resource:
    return Resource(entry.kind, entry.group, entry, entry.value, (entry.name,), entry.namespace)


def _generated(kustomization: Kustomization) -> Iterator[Resource]:
    for key, kind in GENERATORS.items():
        for part in kustomization.parts(key):
            name, namespace = part.text("name"), part.text("namespace")
            value: JsonObject = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name}}
            entry = kustomization.entry.with_value(value)
            if part.text("behavior") in ("", "create"):
                hashed = is_hashed(kustomization, part)
                yield Resource(kind, "", entry, value, (name,), namespace, part, hashed)


def is_hashed(kustomization: Kustomization, generator: Part) -> bool:
    """Whether what a generator makes gets the hash of its content in its name."""
    options = (generator.mapping("options"), kustomization.mapping("generatorOptions"))
    return not any(one.get("disableNameSuffixHash") is True for one in options)


def _has_unseen(kustomization: Kustomization) -> bool:
    if kustomization.remotes or any(kustomization.has(key) for key in _UNSEEN):
        return True
    names = kustomization.texts("resources") + kustomization.texts("bases") + kustomization.texts("components")
    return not all(_readable(kustomization, join(kustomization.folder, name)) for name in names)


def _readable(kustomization: Kustomization, path: str) -> bool:
    return kustomization.tree.read(path) is not None or any(
        kustomization.tree.read(join(path, name)) is not None for name in NAMES
    )


def _apply(patch: Patch, result: Build, schemas: Schemas) -> Iterator[Step]:
    for resource in list(result.resources):
        if patch.is_json_patch:
            if hits(patch, None, resource):
                yield _operate(patch, resource)
            continue
        for document in patch.documents:
            if hits(patch, document, resource):
                before = resource.value
                if document.get(DIRECTIVE) == "delete":
                    result.resources = [one for one in result.resources if one is not resource]
                else:
                    _merge(document, resource, schemas)
                yield Step(patch, document, resource, before, resource.value)


def _merge(document: Part, resource: Resource, schemas: Schemas) -> None:
    if resource.is_ours and isinstance(document.value, dict):
        body = {key: value for key, value in document.value.items() if key not in ("apiVersion", "kind", "metadata")}
        value = merged(resource.value, body, schemas.of_kind(resource.kind), schemas)
        resource.value = value if isinstance(value, dict) else resource.value


def _operate(patch: Patch, resource: Resource) -> Step:
    before = value = resource.value
    added = []
    for operation in patch.operations if resource.is_ours else ():
        if operation.text("op") == "replace" and found(value, *pointer(operation.text("path"))) is None:
            added.append(operation)
        try:
            after = operated(value, operation.mapping())
        except PatchError as error:
            return Step(patch, None, resource, before, before, (operation, str(error)))
        value = after if isinstance(after, dict) else value
    resource.value = value
    return Step(patch, None, resource, before, value, added=tuple(added))


def hits(patch: Patch, document: Part | None, resource: Resource) -> bool:
    """Whether a patch, or one document of it, is applied to an object under any of the names it has had."""
    target = patch.target.value
    if isinstance(target, dict):
        if _is_plainly_other(target.get("kind"), (resource.kind,)) or _is_plainly_other(
            target.get("name"), resource.names
        ):
            return False
        return any(patch.selects(seen) for seen in _faces(resource))
    return (
        document is not None
        and document.text("kind") == resource.kind
        and document.text("apiVersion").rpartition("/")[0] == resource.group
        and document.text("metadata.name") in resource.names
    )


def _is_plainly_other(wanted: object, names: tuple[str, ...]) -> bool:
    """Whether a selector without signs of an expression names something else; most do, so it is worth a look first."""
    return isinstance(wanted, str) and wanted.replace("-", "").isalnum() and wanted not in names


def _faces(resource: Resource) -> Iterator[Entry]:
    metadata = resource.value.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    spaces = {resource.namespace, resource.entry.namespace}
    for name in resource.names:
        for namespace in spaces:
            face = {**known, "name": name, "namespace": namespace}
            yield resource.entry.with_value({**resource.value, "metadata": face})
