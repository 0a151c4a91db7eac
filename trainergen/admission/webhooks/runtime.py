"""The validating webhooks of TrainingRuntime and ClusterTrainingRuntime.

Source: kubeflow/trainer pkg/webhooks/trainingruntime_webhook.go, clustertrainingruntime_webhook.go @ v2.0.1, v2.1.0,
v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.webhooks import checks
from trainergen.admission.webhooks.resolve import CLUSTER_RUNTIME, NAMESPACED_RUNTIME
from trainergen.admission.webhooks.review import (
    DATASET_INITIALIZER,
    LAUNCHER,
    MODEL_INITIALIZER,
    NODE,
    SUPPORT_LABEL,
    TRAINER_ANCESTOR,
    ancestor,
    containers,
    named,
)
from trainergen.api.access import list_at, object_at, text_at
from trainergen.finding import Key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding, JsonObject, Path
    from trainergen.releases import Behaviours

OPT_OUT_LABEL = "trainer.kubeflow.org/webhook-validation"
CONTAINERS = {
    TRAINER_ANCESTOR: NODE,
    DATASET_INITIALIZER: DATASET_INITIALIZER,
    MODEL_INITIALIZER: MODEL_INITIALIZER,
}
"""The container that a job must have, by the section of the TrainJob that configures it."""
_JOBS: Path = ("spec", "template", "spec", "replicatedJobs")


def is_intercepted(runtime: JsonObject, old: JsonObject | None, behaviours: Behaviours) -> bool:
    """False when the webhook is not called for a runtime, since both it and its old version opt out by label."""
    versions = [runtime] if old is None else [runtime, old]
    opted_out = all(text_at(version, "metadata", "labels", OPT_OUT_LABEL) == "disabled" for version in versions)
    return not (behaviours.runtime_can_opt_out and opted_out)


def check(runtime: JsonObject, old: JsonObject | None, behaviours: Behaviours) -> Iterator[Finding]:
    """What the webhook says of a defaulted runtime; of an update of a TrainingRuntime it says nothing."""
    kind = text_at(runtime, "kind")
    if kind == NAMESPACED_RUNTIME and old is not None:
        return
    label = text_at(runtime, "metadata", "labels", SUPPORT_LABEL)
    if behaviours.warns_of_deprecated_runtimes and kind == CLUSTER_RUNTIME and old is None and label == "deprecated":
        yield checks.DEPRECATED_RUNTIME.at(
            ("metadata", "labels", Key(SUPPORT_LABEL)),
            f"runtime '{text_at(runtime, 'metadata', 'name')}' is marked as deprecated",
            help="Move TrainJobs to another runtime before a later Trainer release drops this one.",
        )
    for at, item in enumerate(list_at(runtime, "spec", "template", "spec", "replicatedJobs")):
        yield from _check_job(object_at(item), (*_JOBS, at), behaviours)


def _check_job(job: JsonObject, path: Path, behaviours: Behaviours) -> Iterator[Finding]:
    section = ancestor(job)
    name = text_at(job, "name")
    replicas = job.get("replicas", 1)
    one = "Set replicas to 1; the number of Pods comes from numNodes."
    if behaviours.runtime_single_launcher and name == LAUNCHER and replicas != 1:
        message = f"replicas of job '{LAUNCHER}' is {replicas}, but must be 1"
        yield checks.RUNTIME_LAUNCHER_REPLICAS.at((*path, "replicas"), message, help=one)
    if section not in CONTAINERS:
        return
    if replicas != 1:
        message = f"replicas of job '{name}' is {replicas}, but a job labelled '{section}' must have 1"
        yield checks.RUNTIME_JOB_REPLICAS.at((*path, "replicas"), message, help=one)
    wanted = CONTAINERS[section]
    if behaviours.runtime_needs_containers and not named(containers(job), wanted):
        have = ", ".join(text_at(container, "name") for container in containers(job)) or "none"
        yield checks.RUNTIME_JOB_CONTAINER.at(
            (*path, "template", "spec", "template", "spec", "containers"),
            f"job '{name}' is labelled '{section}', but has no container '{wanted}'; it has {have}",
            help=f"Call the container that the TrainJob configures '{wanted}'.",
        )
