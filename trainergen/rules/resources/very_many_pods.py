"""A job of more Pods than a Job or JobSet handles well."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainergen.rules import Findings, Job, rule

_INT32 = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Options:
    """What is too many."""

    pods: int = field(default=1000, metadata={"description": "the most Pods that a job may have", "ge": 1})


@rule(
    "TG302",
    "very-many-pods",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    mirrors="kubeflow/trainer#2318",
    answers=("A121",),
    options=Options,
)
def very_many_pods(job: Job, options: Options) -> Findings:
    """A job asks for thousands of Pods.

    ## Why
    All nodes are the Pods of one indexed Job, which slows the job controller of the whole cluster down when there are
    thousands. More often a digit too many was typed. From 2,147,483,648 on JobSet refuses the job.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 16000  # <-
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 16
    ```
    """
    for pods in job.pods:
        if pods.count <= options.pods:
            continue
        by_replicas = pods.replicas > pods.parallelism
        refused = pods.count > _INT32
        yield pods.at("replicas" if by_replicas else "template.spec.parallelism").report(
            f"{pods.words} has {pods.count} Pods, "
            + (f"but JobSet allows {_INT32}" if refused else f"more than the {options.pods} that are expected at most"),
            help="Ask for fewer nodes, or raise the option 'pods' of this rule.",
            severity="error" if refused else "",
        )
