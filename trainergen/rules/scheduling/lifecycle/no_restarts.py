"""A training that ends with the first Pod that is lost."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_RESTARTS = "spec.template.spec.failurePolicy.maxRestarts"


@rule(
    "TG533",
    "no-restarts",
    severity="info",
    profile="production",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    answers=("A84", "A85"),
)
def no_restarts(job: Job) -> Findings:
    """The first Job that fails ends the training for good.

    ## Why
    Without `failurePolicy.maxRestarts` JobSet fails as a whole with the first Job that fails. A node that is drained or
    preempted then ends a training of days, which could go on from its checkpoint.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch: {}
      template:
        spec:
          failurePolicy:
            maxRestarts: 0  # <-
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
                          command: [torchrun, train.py]
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch: {}
      template:
        spec:
          failurePolicy:
            maxRestarts: 3
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
                          command: [torchrun, train.py]
    ```
    """
    most = job.jobset.integer("spec.failurePolicy.maxRestarts") or 0
    if most < 1:
        written = job.runtime.has(_RESTARTS)
        place = job.runtime.at(_RESTARTS) if written else job.runtime.at("spec.template").key
        if job.runtime.is_shipped:
            place = job.at("spec.runtimeRef.name")
        yield place.report(
            f"the first Job that fails ends the training: failurePolicy.maxRestarts is {'0' if written else 'not set'}",
            help="Set failurePolicy.maxRestarts of the template, and let the program go on from its checkpoint.",
        )
