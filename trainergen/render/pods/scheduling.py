"""Where the Pods may run, as JobSet and the API server complete the template.

Source: kubernetes-sigs/jobset pkg/controllers/jobset_controller.go, pkg/webhooks/pod_webhook.go @ v0.12.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.render.pods.labels import EXCLUSIVE, NODE_SELECTOR_STRATEGY, REPLICA, pod_annotations
from trainergen.render.pods.model import Scheduling
from trainergen.render.pods.readable import affinity, spread, toleration

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.rendered import Rendered

DEFAULT_SCHEDULER = "default-scheduler"
_NAMESPACED_JOB = "alpha.jobset.sigs.k8s.io/namespaced-job"
_NO_SCHEDULE = "alpha.jobset.sigs.k8s.io/no-schedule"


def scheduling_of(rendered: Rendered, jobset: JsonObject, job: JsonObject) -> Scheduling:
    """Scheduling of the Pods of one replicated job."""
    template = object_at(job, "template", "spec", "template")
    pod = object_at(template, "spec")
    selector = {key: str(value) for key, value in object_at(pod, "nodeSelector").items()}
    tolerations = [toleration(item) for item in list_at(pod, "tolerations")]
    demands = list(affinity(object_at(pod, "affinity")))
    annotations = pod_annotations(object_at(jobset, "metadata", "annotations"), job, template)
    if EXCLUSIVE in annotations:
        if NODE_SELECTOR_STRATEGY in annotations:
            name = f"{rendered.job.name}-{text_at(job, 'name')}-{REPLICA}"
            selector[_NAMESPACED_JOB] = f"{rendered.job.namespace}_{name}"
            tolerations.append(f"{_NO_SCHEDULE}:NoSchedule")
        else:
            demands.append(f"one {annotations[EXCLUSIVE]} for each Job, and no other Job in it")
    return Scheduling(
        scheduler=text_at(pod, "schedulerName") or DEFAULT_SCHEDULER,
        node_selector=selector,
        tolerations=tuple(tolerations),
        affinity=tuple(demands),
        topology_spread=tuple(spread(item) for item in list_at(pod, "topologySpreadConstraints")),
        gates=tuple(text_at(item, "name") for item in list_at(pod, "schedulingGates")),
        priority_class=text_at(pod, "priorityClassName"),
        runtime_class=text_at(pod, "runtimeClassName"),
        service_account=text_at(pod, "serviceAccountName") or "default",
        host_network=pod.get("hostNetwork") is True,
    )
