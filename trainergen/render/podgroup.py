"""What both gang schedulers have in common: when a PodGroup is applied, and how many Pods and resources it asks for.

Source: kubeflow/trainer pkg/runtime/framework/plugins/coscheduling/coscheduling.go, volcano/volcano.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.render.companion import framed
from trainergen.render.resources import summed

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import Draft


def pod_group(draft: Draft, plugin: str, api_version: str) -> tuple[JsonObject, JsonObject] | None:
    """A PodGroup and its spec, with the sums over all jobs; None where the one in the cluster is left alone."""
    job = draft.job
    group = api_version.partition("/")[0]
    if draft.cluster.get(group, "PodGroup", job.name, job.namespace) is not None and not job.suspended:
        draft.note(f"the cluster has the PodGroup already; {plugin} changes it only while the TrainJob is suspended")
        return None
    made = framed(job, draft.trace, plugin, kind=(api_version, "PodGroup"), name=job.name)
    spec: JsonObject = {
        "minMember": sum(pods.count for pods in draft.pod_sets),
        "minResources": {**summed((pods.count, pods.requests) for pods in draft.pod_sets)},
    }
    made["spec"] = spec
    return made, spec
