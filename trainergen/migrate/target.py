"""What the target release can express, read off its schemas and its shipped runtimes."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import object_at, text_at
from trainergen.api.structural import load
from trainergen.releases import get_release
from trainergen.releases.catalogue import shipped_runtimes

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonObject

FRAMEWORK = "trainer.kubeflow.org/framework"
_POD = ("template", "spec", "replicatedJobs", "[]", "template", "spec", "template")


class Target(NamedTuple):
    """A release as a migration sees it."""

    release: str
    overrides: str
    """The field of a TrainJob that changes its runtime's Pods."""
    pod_fields: frozenset[str]
    """The fields of a Pod that it can set."""
    container_fields: frozenset[str]
    has_deadline: bool

    @property
    def by_manager(self) -> bool:
        """True when overrides are patches of named managers."""
        return self.overrides == "runtimePatches"

    def ships(self, runtime: str) -> bool:
        """True when the release brings the ClusterTrainingRuntime."""
        return runtime in shipped_runtimes(self.release)

    def policy(self, runtime: str) -> tuple[JsonObject, str]:
        """ML policy and framework label of a shipped runtime, for a copy of it."""
        shipped = shipped_runtimes(self.release)[runtime]
        return deepcopy(object_at(shipped, "spec", "mlPolicy")), text_at(shipped, "metadata", "labels", FRAMEWORK)


@cache
def target_of(name: str) -> Target:
    """The target called ``name``; raises TrainergenError for an unknown release."""
    release = get_release(name)
    schemas = load(release.name)
    spec = _down(schemas, schemas.kinds["TrainJob"].schema, "spec")
    overrides = release.behaviours.overrides_field
    way = ("trainingRuntimeSpec", *_POD, "spec") if release.behaviours.overrides_have_managers else ("spec",)
    pod = _down(schemas, spec, overrides, "[]", *way)
    container = _down(schemas, pod, "containers", "[]")
    return Target(
        release=release.name,
        overrides=overrides,
        pod_fields=frozenset(pod["properties"]),
        container_fields=frozenset(container["properties"]),
        has_deadline="activeDeadlineSeconds" in spec["properties"],
    )


def _down(schemas: StructuralSchemas, node: Schema, *steps: str) -> Schema:
    for step in steps:
        resolved = schemas.resolve(node)
        node = resolved["items"] if step == "[]" else resolved["properties"][step]
    return schemas.resolve(node)
