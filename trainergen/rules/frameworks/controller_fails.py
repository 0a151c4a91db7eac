"""An accepted TrainJob that the controller fails on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, rule

if TYPE_CHECKING:
    from trainergen.rules.views.unrenderable import Unrenderable

_LEFT_TO_JOBS = (("flux",), ("torch", "envInjection"))
"""What a runtime may leave to its TrainJobs: the nodes of Flux, containers that patches add."""


@rule(
    "TG420",
    "controller-fails",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    answers=("T14", "A39"),
)
def controller_fails(job: Unrenderable) -> Findings:
    """A TrainJob is accepted, and the controller fails on it each time.

    ## Why
    Some manifests pass schema and webhook and then stop the controller: a Flux runtime with a TrainJob that has no
    `numNodes`, an `mpiImplementation` that is empty. No object is created, the TrainJob has no condition, and only the
    controller's log says why.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-flux
      labels:
        trainer.kubeflow.org/framework: flux
    spec:
      mlPolicy:
        flux: {}
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
                          image: ghcr.io/example/lammps:1.0
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-flux
      trainer:  # <-
        command: [lmp, -in, in.lj]
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-flux
      labels:
        trainer.kubeflow.org/framework: flux
    spec:
      mlPolicy:
        flux: {}
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
                          image: ghcr.io/example/lammps:1.0
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-flux
      trainer:
        numNodes: 2
        command: [lmp, -in, in.lj]
    ```
    """
    source = job.source
    if source.kind != "TrainJob" and any(source.has("spec.mlPolicy", *steps) for steps in _LEFT_TO_JOBS):
        return
    if source.kind != "TrainJob":
        place = source.at("spec.mlPolicy").key
    elif not source.has("spec.trainer.numNodes") and "spec.trainer" in job.message:
        place = source.at("spec.trainer").key
    else:
        place = source.at("spec.runtimeRef.name")
    yield place.report(job.message, help=job.help)
