"""The merge of a TrainJob's overrides into the JobSet spec of its runtime, onto the type that each release merges onto.

Source: kubeflow/trainer pkg/runtime/core/trainingruntime.go @ v2.0.1, v2.1.0, v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, names_in, object_at, text_at
from trainergen.api.encoding import encoded
from trainergen.api.merge import strategic_merge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.releases.behaviours import MergeTarget

_POD_TEMPLATE = ("template", "spec", "template")
_POD_SPEC = (*_POD_TEMPLATE, "spec")


def overridden(
    spec: JsonObject, overrides: list[JsonObject], target: MergeTarget, schemas: StructuralSchemas
) -> JsonObject:
    """``spec``, a JobSet's, with ``overrides`` merged in their order; raises MergeError where one cannot be merged."""
    merge = {
        "PodSpec": _merge_pod_specs,
        "PodTemplateSpec": _merge_pod_templates,
        "JobTemplateSpec": _merge_job_templates,
        "JobSetSpec": _merge_job_sets,
    }[target]
    return merge(spec, overrides, _Schemas(schemas))


class _Schemas:
    """The schemas of the runtime's template and of the TrainJob's overrides, down to what is merged."""

    def __init__(self, schemas: StructuralSchemas) -> None:
        self.schemas = schemas
        self.job_set = self._below(schemas.kinds["ClusterTrainingRuntime"].schema, "spec", "template", "spec")
        self.job = schemas.resolve(self._below(self.job_set, "replicatedJobs"))["items"]
        self.train_job = schemas.kinds["TrainJob"].schema

    def _below(self, node: Schema, *steps: str) -> Schema:
        for step in steps:
            found: Schema = self.schemas.resolve(node)["properties"][step]
            node = found
        return node

    def merged_jobs(
        self, spec: JsonObject, targets: list[str], *, steps: tuple[str, ...], patch: JsonObject
    ) -> JsonObject:
        """``spec`` with ``patch`` merged at ``steps`` below each job named in ``targets``."""
        node = self._below(self.job, *steps)
        content = object_at(encoded(patch, node, self.schemas))
        jobs: list[JsonValue] = []
        for item in list_at(spec, "replicatedJobs"):
            job = object_at(item)
            if text_at(job, "name") in targets:
                merged = strategic_merge(object_at(job, *steps), content, node, self.schemas)
                job = _replaced(job, steps, merged)
            jobs.append(job)
        return {**spec, "replicatedJobs": jobs}

    def merged_job_set(self, spec: JsonObject, patch: JsonObject) -> JsonObject:
        """``spec`` with ``patch`` merged into it."""
        content = object_at(encoded(patch, self.job_set, self.schemas))
        return strategic_merge(spec, content, self.job_set, self.schemas)


def _replaced(value: JsonObject, steps: tuple[str, ...], part: JsonObject) -> JsonObject:
    if not steps:
        return part
    first, *rest = steps
    return {**value, first: _replaced(object_at(value, first), tuple(rest), part)}


def _merge_pod_specs(spec: JsonObject, overrides: list[JsonObject], schemas: _Schemas) -> JsonObject:
    for override in overrides:
        patch = {key: value for key, value in override.items() if key != "targetJobs"}
        targets = names_in(list_at(override, "targetJobs"))
        spec = schemas.merged_jobs(spec, targets, steps=_POD_SPEC, patch=patch)
    return spec


def _merge_pod_templates(spec: JsonObject, overrides: list[JsonObject], schemas: _Schemas) -> JsonObject:
    for override in overrides:
        metadata = object_at(override, "metadata")
        patch: JsonObject = {"spec": object_at(override, "spec")}
        # Of the metadata only labels and annotations count; its other keys are accepted and ignored.
        patch["metadata"] = {key: metadata[key] for key in ("labels", "annotations") if key in metadata}
        targets = names_in(list_at(override, "targetJobs"))
        spec = schemas.merged_jobs(spec, targets, steps=_POD_TEMPLATE, patch=patch)
    return spec


def _merge_job_templates(spec: JsonObject, overrides: list[JsonObject], schemas: _Schemas) -> JsonObject:
    for job_patch in _job_patches(overrides):
        patch = object_at(job_patch, "template")
        if patch:
            spec = schemas.merged_jobs(spec, [text_at(job_patch, "name")], steps=("template",), patch=patch)
    return spec


def _merge_job_sets(spec: JsonObject, overrides: list[JsonObject], schemas: _Schemas) -> JsonObject:
    order = {name: at for at, name in enumerate(names_in(list_at(spec, "replicatedJobs")))}
    for override in overrides:
        spec = schemas.merged_job_set(spec, object_at(override, "trainingRuntimeSpec", "template", "spec"))
    # JobSet lets a job depend on earlier ones only, so the runtime's order is restored; a new job sorts as the first.
    jobs = sorted(list_at(spec, "replicatedJobs"), key=lambda job: order.get(text_at(job, "name"), 0))
    return {**spec, "replicatedJobs": jobs}


def _job_patches(overrides: list[JsonObject]) -> Iterator[JsonObject]:
    for override in overrides:
        for job in list_at(override, "trainingRuntimeSpec", "template", "spec", "replicatedJobs"):
            yield object_at(job)
