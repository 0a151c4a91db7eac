"""The Pod sets of a draft: one for each job of the template, with its first count and, in 2.3, merged resources.

Source: kubeflow/trainer pkg/runtime/core/trainingruntime.go newRuntimeInfo @ v2.1.0, v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.render.counts import initial_count
from trainergen.render.model import ANCESTOR_LABEL, NODE, TRAINER, PodSet
from trainergen.render.resources import HALVES, overlaid, pod_requests

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import Draft
    from trainergen.render.resources import Amounts


def add_pod_sets(draft: Draft) -> None:
    """Make the Pod sets."""
    given = draft.job.trainer_field("resourcesPerNode")
    for item in list_at(draft.spec, "replicatedJobs"):
        job = _complete(object_at(item))
        ancestor = text_at(job, "template", "metadata", "labels", ANCESTOR_LABEL)
        count, origin = initial_count(draft, job, ancestor)
        pods = PodSet(text_at(job, "name"), ancestor, count, origin, job)
        draft.pod_sets.append(pods)
        if isinstance(given, dict) and draft.rendering.resources_merged and _takes_resources(draft, pods):
            _merge_resources(draft, pods, given)
        if draft.pod_group_policy:
            pods.requests = _requests(draft, pods)
    if isinstance(given, dict) and draft.rendering.resources_merged and draft.ml_policy is None:
        draft.note("spec.trainer.resourcesPerNode is ignored, because the runtime has no mlPolicy")


def _complete(job: JsonObject) -> JsonObject:
    """``job`` with every level that plugins write below; an empty one means nothing."""
    level = job
    for step in ("template", "spec", "template", "spec"):
        if not isinstance(level.get(step), dict):
            level[step] = {}
        level = object_at(level, step)
    return job


def _takes_resources(draft: Draft, pods: PodSet) -> bool:
    if draft.ml_policy is None:
        return False
    return pods.ancestor == TRAINER or (draft.launcher_is_node and pods.name == NODE)


def _merge_resources(draft: Draft, pods: PodSet, given: JsonObject) -> None:
    for container in pods.containers(NODE)[:1]:
        old = object_at(container, "resources")
        if "claims" in old or "claims" in given:
            draft.note("resource claims of the container 'node' are lost, because spec.trainer.resourcesPerNode is set")
        merged = overlaid(old, given)
        for half in HALVES:
            amounts, own = object_at(merged, half), object_at(given, half)
            source = draft.from_job("trainer", "resourcesPerNode", half)
            for name in amounts:
                path = ("resources", half, name)
                from_job = name in own
                origin = source if from_job else draft.trace.find(pods.job, (*_place(pods, container), *path))
                draft.trace.field(amounts, name, origin.below(name) if from_job else origin)
        container["resources"] = merged


def _place(pods: PodSet, container: JsonObject) -> tuple[str | int, ...]:
    number = next(at for at, other in enumerate(pods.containers()) if other is container)
    return ("template", "spec", "template", "spec", "containers", number)


def _requests(draft: Draft, pods: PodSet) -> Amounts:
    pod = pods.pod
    given = draft.job.trainer_field("resourcesPerNode")
    counted = draft.rendering.pod_group_resources == "replaced" and isinstance(given, dict)
    if counted and pods.ancestor == TRAINER and draft.ml_policy is not None:
        node = next(iter(pods.containers(NODE)), None)
        containers = [{**c, "resources": given} if c is node else c for c in pods.containers()]
        pod = {**pod, "containers": [*containers]}
    return pod_requests(pod, hugepages=draft.rendering.pod_level_hugepages)
