"""A TrainJob that misses its runtime by a word."""

from __future__ import annotations

from trainergen.releases import RELEASES
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.rules import Findings, Source, rule
from trainergen.spelling import nearest

_KINDS = ("ClusterTrainingRuntime", "TrainingRuntime")


@rule(
    "TG203",
    "runtime-not-found",
    severity="error",
    profile="minimal",
    looks_up=_KINDS,
    mirrors=("kubeflow/sdk#536", "kubeflow/sdk#493"),
    answers=("A29", "M003", "K017", "U007"),
)
def runtime_not_found(job: Source) -> Findings:
    """A TrainJob refers to a runtime that is not there, while one that is nearly it is.

    ## Why
    `runtimeRef.kind` defaults to ClusterTrainingRuntime, and a TrainingRuntime serves its own namespace only. A
    TrainJob that misses its runtime is refused when it is created, or hangs until somebody creates it. Runtimes may
    live in the cluster alone, so only a near miss is reported: the name in the other kind, in another namespace, of
    another release, or misspelt.

    ## Bad
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: team-torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-torch  # <-
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
    ```
    """
    name = job.text("spec.runtimeRef.name")
    kind = job.text("spec.runtimeRef.kind") or _KINDS[0]
    if not name or kind not in _KINDS or job.objects.find(kind, name, job.namespace):
        return
    shipped = shipped_runtimes(job.release.name)
    if kind == _KINDS[0] and name in shipped:
        return
    near = _near_miss(job, kind, name, list(shipped))
    if near:
        yield job.at("spec.runtimeRef.name").report(f"there is no {kind} '{name}' for this TrainJob", help=near)


def _near_miss(job: Source, kind: str, name: str, shipped: list[str]) -> str:
    """What was probably meant, as a sentence; empty when nothing is near."""
    other = next(known for known in _KINDS if known != kind)
    if job.objects.find(other, name, job.namespace) or (other == _KINDS[0] and name in shipped):
        return f"There is a {other} of that name: set runtimeRef.kind to {other}."
    elsewhere = [entry.namespace for entry in job.objects.of("TrainingRuntime") if entry.name == name]
    if elsewhere:
        return f"There is one in namespace '{elsewhere[0]}', but a TrainingRuntime serves its own namespace only."
    having = [release.name for release in RELEASES if name in shipped_runtimes(release.name)]
    if having and kind == _KINDS[0]:
        return f"Trainer ships it with {' and '.join(having)} only: apply a copy of it, or name another."
    near = nearest(name, [*shipped, *job.objects.names("ClusterTrainingRuntime")])
    return f"Did you mean '{near}'?" if near else ""
