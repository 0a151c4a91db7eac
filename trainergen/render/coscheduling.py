"""The plugin for the scheduler plugins' gang scheduling.

Source: kubeflow/trainer pkg/runtime/framework/plugins/coscheduling/coscheduling.go @ v2.0.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at
from trainergen.render.errors import undefaulted
from trainergen.render.podgroup import pod_group

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import Draft

POD_LABEL = "scheduling.x-k8s.io/pod-group"
API_VERSION = "scheduling.x-k8s.io/v1alpha1"


class CoScheduling:
    """A label on all Pods, initializers included, and a PodGroup."""

    name = "CoScheduling"

    def enforce_pod_group_policy(self, draft: Draft) -> None:
        """Label the Pods."""
        always = draft.rendering.coscheduling_label_always and draft.pod_group_policy is not None
        if always or draft.gang("coscheduling") is not None:
            draft.pod_labels[POD_LABEL] = draft.job.name

    def build(self, draft: Draft) -> list[JsonObject]:
        """The PodGroup."""
        policy = draft.gang("coscheduling")
        found = pod_group(draft, self.name, API_VERSION) if policy is not None else None
        if found is None:
            return []
        made, spec = found
        timeout = integer_at(policy, "scheduleTimeoutSeconds")
        if timeout is None:
            raise undefaulted("spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds")
        origin = draft.from_runtime("podGroupPolicy", "coscheduling", "scheduleTimeoutSeconds")
        draft.put(spec, "scheduleTimeoutSeconds", timeout, origin)
        return [made]
