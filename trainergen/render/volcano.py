"""The plugin for Volcano's gang scheduling.

Source: kubeflow/trainer pkg/runtime/framework/plugins/volcano/volcano.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, text_at
from trainergen.render.errors import undefaulted
from trainergen.render.podgroup import pod_group

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import Draft

POD_ANNOTATION = "scheduling.k8s.io/group-name"
QUEUE_ANNOTATION = "scheduling.volcano.sh/queue-name"
API_VERSION = "scheduling.volcano.sh/v1beta1"


class Volcano:
    """An annotation on all Pods, initializers included, and a PodGroup."""

    name = "Volcano"

    def enforce_pod_group_policy(self, draft: Draft) -> None:
        """Annotate the Pods."""
        if draft.gang("volcano") is not None:
            draft.pod_annotations[POD_ANNOTATION] = draft.job.name

    def build(self, draft: Draft) -> list[JsonObject]:
        """The PodGroup."""
        policy = draft.gang("volcano")
        found = pod_group(draft, self.name, API_VERSION) if policy is not None else None
        if found is None:
            return []
        made, spec = found
        if QUEUE_ANNOTATION in draft.annotations:
            origin = draft.trace.find(draft.annotations, (QUEUE_ANNOTATION,))
            draft.put(spec, "queue", draft.annotations[QUEUE_ANNOTATION], origin)
        for pods in draft.pod_sets:
            # The last job that has a class wins.
            if "priorityClassName" in pods.pod:
                origin = draft.trace.find(pods.job, ("template", "spec", "template", "spec", "priorityClassName"))
                draft.put(spec, "priorityClassName", pods.pod["priorityClassName"], origin)
        if policy is not None and policy.get("networkTopology") is not None:
            topology = _topology(policy)
            for key, value in topology.items():
                draft.put(topology, key, value, draft.from_runtime("podGroupPolicy", "volcano", "networkTopology", key))
            spec["networkTopology"] = topology
        return [made]


def _topology(policy: JsonObject) -> JsonObject:
    tier = integer_at(policy, "networkTopology", "highestTierAllowed")
    if tier is None:
        raise undefaulted("spec.podGroupPolicy.volcano.networkTopology.highestTierAllowed")
    return {"mode": text_at(policy, "networkTopology", "mode"), "highestTierAllowed": tier}
