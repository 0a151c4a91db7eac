"""Checks of the Volcano plugin.

Source: kubeflow/trainer pkg/runtime/framework/plugins/volcano/volcano.go @ v2.1.0, v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.webhooks import checks
from trainergen.admission.webhooks.review import pod_spec
from trainergen.api.access import object_at, text_at
from trainergen.finding import Key, Layer, NotEvaluated

if TYPE_CHECKING:
    from trainergen.admission.webhooks.review import Outcomes, Review
    from trainergen.finding import Path

QUEUE = "scheduling.volcano.sh/queue-name"
SYSTEM_CLASSES = ("system-cluster-critical", "system-node-critical")


def check(review: Review) -> Outcomes:
    """What the Volcano plugin refuses in a TrainJob."""
    if review.policy("Volcano", "podGroupPolicy", "volcano") is None:
        return
    if review.template.annotations.get(QUEUE) == "":
        yield checks.EMPTY_QUEUE.at(
            _queue_path(review),
            f"the annotation '{QUEUE}' of the JobSet is empty, but Volcano needs the name of a queue",
            help="Name the queue, or remove the annotation from the runtime and the overrides.",
        )
    yield from _priority_classes(review)


def _queue_path(review: Review) -> Path:
    """Where the TrainJob sets the annotation itself; the server reports spec.annotations in every release."""
    if QUEUE in object_at(review.request.job, "spec", "annotations"):
        return ("spec", "annotations", Key(QUEUE))
    return ("spec",)


def _priority_classes(review: Review) -> Outcomes:
    cluster = review.request.cluster
    for job in review.jobs:
        name = text_at(pod_spec(job), "priorityClassName")
        if name in SYSTEM_CLASSES:
            # NB: the plugin stops here and leaves the remaining jobs unchecked.
            return
        if not name or cluster.find("scheduling.k8s.io", "PriorityClass", name) is not None:
            continue
        if cluster.complete:
            yield checks.MISSING_PRIORITY_CLASS.at(
                ("spec",),
                f"job '{text_at(job, 'name')}' of the runtime has the priority class '{name}', which does not exist",
                help="Create the PriorityClass before the TrainJob, or name another in the runtime.",
            )
        else:
            reason = f"the priority class '{name}' is not among the given objects"
            yield NotEvaluated(checks.MISSING_PRIORITY_CLASS.id, reason, Layer.WEBHOOK, ("spec", "runtimeRef", "name"))
