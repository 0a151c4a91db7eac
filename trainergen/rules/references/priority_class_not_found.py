"""A priority class that is missed by a letter or a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.references.mistyped import meant

if TYPE_CHECKING:
    from trainergen.rules import Spot

_LABEL = "kueue.x-k8s.io/priority-class"
_KUEUE, _KUBERNETES = "WorkloadPriorityClass", "PriorityClass"


@rule(
    "TG215",
    "priority-class-not-found",
    severity="error",
    triggers=(_LABEL, "priorityClassName"),
    looks_up=(_KUBERNETES, _KUEUE),
)
def priority_class_not_found(job: Job) -> Findings:
    """A TrainJob or its Pods name a priority class that is not there, while a similar one is.

    ## Why
    Pods with an unknown PriorityClass are refused, and the Job tries for ever. Kueue's label names a
    WorkloadPriorityClass, which is another kind: with a name it does not know, no Workload is made and the TrainJob
    stays suspended. Classes may live in the cluster alone, so only a near miss is reported.

    ## Bad
    ```yaml title="priority.yaml"
    apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata:
      name: production
    value: 1000
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: training
        kueue.x-k8s.io/priority-class: production  # <-
    spec:
      runtimeRef:
        name: torch-distributed
    ```

    ## Good
    ```yaml title="priority.yaml"
    apiVersion: kueue.x-k8s.io/v1beta1
    kind: WorkloadPriorityClass
    metadata:
      name: production
    value: 1000
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: training
        kueue.x-k8s.io/priority-class: production
    spec:
      runtimeRef:
        name: torch-distributed
    ```
    """
    source = job.source
    yield from _missed(job, _KUEUE, source.text("metadata.labels", _LABEL), at=source.at("metadata.labels", _LABEL))
    for pods in job.pods:
        name = pods.spec.text("priorityClassName")
        if not name.startswith("system-"):
            yield from _missed(job, _KUBERNETES, name, at=pods.spec.at("priorityClassName"))


def _missed(job: Job, kind: str, name: str, *, at: Spot) -> Findings:
    if not name or job.objects.find(kind, name):
        return
    other = _KUBERNETES if kind == _KUEUE else _KUEUE
    near = meant(name, job.objects.names(kind))
    if near:
        yield at.report(f"there is no {kind} '{name}'", help=f"Did you mean '{near}'?")
    elif job.objects.find(other, name):
        yield at.report(f"there is no {kind} '{name}'", help=f"'{name}' is a {other}: make a {kind} of that name too.")
