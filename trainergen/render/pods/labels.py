"""Labels and annotations of Pods: the template's, and those of the JobSet controller and the Job controller.

What differs from Pod to Pod of one kind (its completion index, the index and key of its Job) is a placeholder.

Source: kubernetes-sigs/jobset pkg/controllers/jobset_controller.go labelAndAnnotateObject @ v0.8.2, v0.12.0;
kubernetes/kubernetes pkg/registry/batch/job/strategy.go @ v1.35.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, list_at, object_at, text_at

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.rendered import Rendered

PREFIX = "jobset.sigs.k8s.io"
EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"
NODE_SELECTOR_STRATEGY = "alpha.jobset.sigs.k8s.io/node-selector"
REPLICA, INDEX = "<replica>", "<index>"


def pod_labels(rendered: Rendered, spec: JsonObject, job: JsonObject, template: JsonObject) -> dict[str, str]:
    """The labels of one kind of Pod."""
    name, replicas = text_at(job, "name"), _replicas(job)
    jobs = [object_at(item) for item in list_at(spec, "replicatedJobs")]
    before = jobs[: next((at for at, other in enumerate(jobs) if other is job), 0)]
    labels = {key: str(value) for key, value in object_at(template, "metadata", "labels").items()}
    labels |= {
        f"{PREFIX}/jobset-name": rendered.job.name,
        f"{PREFIX}/replicatedjob-name": name,
        f"{PREFIX}/restart-attempt": "0",
        f"{PREFIX}/replicatedjob-replicas": str(replicas),
        f"{PREFIX}/global-replicas": str(sum(map(_replicas, jobs))),
        f"{PREFIX}/job-index": _index(0, replicas),
        f"{PREFIX}/job-global-index": _index(sum(map(_replicas, before)), replicas),
    }
    group = text_at(job, "groupName")
    if group:
        same = [other for other in jobs if text_at(other, "groupName") == group]
        earlier = sum(_replicas(other) for other in before if text_at(other, "groupName") == group)
        labels |= {
            f"{PREFIX}/group-name": group,
            f"{PREFIX}/group-replicas": str(sum(map(_replicas, same))),
            f"{PREFIX}/job-group-index": _index(earlier, replicas),
        }
    coordinator = object_at(spec, "coordinator")
    if coordinator:
        place = f"{text_at(coordinator, 'replicatedJob')}-{integer_at(coordinator, 'jobIndex') or 0}"
        index = integer_at(coordinator, "podIndex") or 0
        labels[f"{PREFIX}/coordinator"] = f"{rendered.job.name}-{place}-{index}.{rendered.subdomain}"
    labels["batch.kubernetes.io/job-name"] = f"{rendered.job.name}-{name}-{_index(0, replicas)}"
    labels["batch.kubernetes.io/job-completion-index"] = INDEX
    return labels


def pod_annotations(of_jobset: JsonObject, job: JsonObject, template: JsonObject) -> dict[str, str]:
    """The annotations that say something beyond the labels, which JobSet repeats as annotations."""
    annotations = {key: str(value) for key, value in object_at(template, "metadata", "annotations").items()}
    for holder in (of_jobset, object_at(job, "template", "metadata", "annotations")):
        if EXCLUSIVE in holder:
            annotations[EXCLUSIVE] = str(holder[EXCLUSIVE])
            if NODE_SELECTOR_STRATEGY in holder:
                annotations[NODE_SELECTOR_STRATEGY] = str(holder[NODE_SELECTOR_STRATEGY])
    return annotations


def _replicas(job: JsonObject) -> int:
    replicas = integer_at(job, "replicas")
    return 1 if replicas is None else replicas


def _index(first: int, replicas: int) -> str:
    if replicas == 1:
        return str(first)
    return REPLICA if first == 0 else f"<{first} + replica>"
