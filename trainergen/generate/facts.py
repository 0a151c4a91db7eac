"""What a release can express, read off its schemas."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.structural import load
from trainergen.releases import get_release

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas

_JOBS = ("spec", "template", "spec", "replicatedJobs", "[]")


class Facts(NamedTuple):
    """The fields of a release that generated objects depend on."""

    release: str
    tag: str
    overrides: str
    """The field of a TrainJob that changes the Pods of its runtime."""
    by_manager: bool
    """Whether its entries belong to managers."""
    overrides_nested: bool
    """Whether what it changes in a Pod is below ``spec``."""
    has_deadline: bool
    has_groups: bool
    """Whether replicated jobs have groups, for which the server fills in a default."""
    has_claim_policies: bool
    """Whether a JobSet makes claims for its Pods."""
    gangs: frozenset[str]


@cache
def facts_of(name: str) -> Facts:
    """The facts of the release called ``name``; raises TrainergenError for an unknown one."""
    release = get_release(name)
    schemas = load(release.name)
    job = _down(schemas, schemas.kinds["TrainJob"].schema, "spec")["properties"]
    runtime = schemas.kinds["TrainingRuntime"].schema
    overrides = release.behaviours.overrides_field
    by_manager = release.behaviours.overrides_have_managers
    entry = _down(schemas, schemas.kinds["TrainJob"].schema, "spec", overrides, "[]")["properties"]
    return Facts(
        release=release.name,
        tag=release.tag,
        overrides=overrides,
        by_manager=by_manager,
        overrides_nested="spec" in entry,
        has_deadline="activeDeadlineSeconds" in job,
        has_groups="groupName" in _down(schemas, runtime, *_JOBS)["properties"],
        has_claim_policies="volumeClaimPolicies" in _down(schemas, runtime, *_JOBS[:3])["properties"],
        gangs=frozenset(_down(schemas, runtime, "spec", "podGroupPolicy")["properties"]),
    )


def _down(schemas: StructuralSchemas, node: Schema, *steps: str) -> Schema:
    for step in steps:
        resolved = schemas.resolve(node)
        node = resolved["items"] if step == "[]" else resolved["properties"][step]
    return schemas.resolve(node)
