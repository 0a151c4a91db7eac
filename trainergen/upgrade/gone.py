"""The fields that a release no longer has, by name and by where they were, with where they went."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from trainergen.releases import RELEASES, Release

PATCHES = "runtimePatches"
OVERRIDES = tuple(
    dict.fromkeys(
        release.behaviours.overrides_field for release in RELEASES if release.behaviours.overrides_field != PATCHES
    )
)
"""The fields that held overrides before there were patches, in the order of their releases."""
POD = "spec/runtimePatches/trainingRuntimeSpec/template/spec/replicatedJobs/template/spec/template"
"""Where the metadata and spec of a Pod are in a patch, as kustomize writes paths."""


@cache
def gone_overrides(target: Release) -> dict[str, str]:
    """The fields of overrides that ``target`` does not have any more, with where their entries go."""
    there = target.behaviours.overrides_field
    past = OVERRIDES[: OVERRIDES.index(there)] if there in OVERRIDES else OVERRIDES
    return dict.fromkeys(past, f"its entries go to {there}")


@cache
def gone_fields(target: Release) -> dict[str, str]:
    """The same and other names that stand for a removed field wherever they are a key."""
    found = dict(gone_overrides(target))
    if not target.rendering.torch_policy_has_processes:
        found["elasticPolicy"] = "no release acts on it"
    return found


@cache
def gone_pointers(target: Release) -> dict[str, str]:
    """JSON pointers to removed fields, with where they went."""
    there = target.behaviours.overrides_field
    found = {f"/spec/{name}": f"spec.{name} is part of spec.{there} now" for name in gone_overrides(target)}
    if there == PATCHES:
        for name in ("labels", "annotations"):
            place = f"trainingRuntimeSpec.template.metadata.{name} of a patch"
            found[f"/spec/{name}"] = f"spec.{name} is {place} now"
    if not target.rendering.torch_policy_has_processes:
        found["/spec/mlPolicy/torch/numProcPerNode"] = "runtimes say no numProcPerNode any more, TrainJobs do"
        found["/spec/mlPolicy/torch/elasticPolicy"] = "elasticPolicy is gone, and no release ever acted on it"
    return found


def are_patches(value: Sequence[object]) -> bool:
    """Whether a list holds runtime patches already."""
    return bool(value) and all(isinstance(one, dict) and "manager" in one for one in value)
