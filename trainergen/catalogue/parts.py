"""The pieces that runtimes are put together from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trainergen.api import (
    ClusterTrainingRuntime,
    DependsOn,
    JobSetSpec,
    JobSetTemplateSpec,
    MLPolicy,
    ObjectMeta,
    ReplicatedJob,
    TrainingRuntimeSpec,
)

if TYPE_CHECKING:
    from trainergen.api.fields import JsonMap

STEP = "trainer.kubeflow.org/trainjob-ancestor-step"
"""The label that ties a replicated job to a part of the TrainJob."""
FRAMEWORK = "trainer.kubeflow.org/framework"
"""The label by which the SDK finds out what a runtime trains with."""
UNCHECKED = {"trainer.kubeflow.org/webhook-validation": "disabled"}
"""The label that keeps a runtime from the webhook, which Trainer puts on its own ones."""
NODE, LAUNCHER = "node", "launcher"
TRAINER, DATASET, MODEL = "trainer", "dataset-initializer", "model-initializer"
JOBSET_NAME = "metadata.labels['jobset.sigs.k8s.io/jobset-name']"
"""The Pod label that holds the name of the JobSet, which is that of the TrainJob."""


def cluster_runtime(
    name: str, ml_policy: MLPolicy, jobset: JobSetSpec, *, labels: dict[str, str] | None
) -> ClusterTrainingRuntime:
    """A ClusterTrainingRuntime of these parts."""
    return ClusterTrainingRuntime(
        metadata=ObjectMeta(name=name, labels=labels),
        spec=TrainingRuntimeSpec(ml_policy=ml_policy, template=JobSetTemplateSpec(spec=jobset)),
    )


def replicated_job(
    name: str,
    container: JsonMap,
    *,
    step: str | None = None,
    pod: JsonMap | None = None,
    depends_on: Sequence[DependsOn] = (),
) -> ReplicatedJob:
    """A replicated job of one container; ``step`` is the part of the TrainJob that configures it."""
    metadata: JsonMap = {"metadata": {"labels": {STEP: step}}} if step else {}
    return ReplicatedJob(
        name=name,
        template=metadata | {"spec": {"template": {"spec": {**(pod or {}), "containers": [container]}}}},
        depends_on=list(depends_on) or None,
    )


def completed(*names: str) -> list[DependsOn]:
    """The dependency on jobs that have to be over first."""
    return [DependsOn(name=name, status="Complete") for name in names]


def ready(name: str) -> list[DependsOn]:
    """The dependency on a job that has to be up first."""
    return [DependsOn(name=name, status="Ready")]


def trainjob_name() -> JsonMap:
    """The variable that tells a container which TrainJob it belongs to."""
    field = {"apiVersion": "v1", "fieldPath": JOBSET_NAME}
    return {"name": "TRAIN_JOB_NAME", "valueFrom": {"fieldRef": field}}
