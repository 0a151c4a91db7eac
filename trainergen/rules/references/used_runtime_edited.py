"""A runtime that changes under the TrainJobs which use it."""

from __future__ import annotations

from trainergen.rules import Change, Findings, rule


@rule(
    "TG240",
    "used-runtime-edited",
    severity="warning",
    profile="strict",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    mirrors=("kubeflow/trainer#3975", "kubeflow/trainer#3960"),
    answers=("A12", "M010"),
)
def used_runtime_edited(change: Change) -> Findings:
    """A runtime is edited in place while TrainJobs of the repository refer to it.

    ## Why
    The webhook does not check edits of runtimes at all. TrainJobs that run keep what they started with since 2.3, and
    up to 2.2 pick the edit up when they are resumed; later updates of a TrainJob are checked against the runtime as it
    is now. A runtime under a new name leaves running jobs alone and makes the change visible in the jobs that take it.

    ## Bad
    ```yaml title="base:runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
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
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch  # <-
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
                          image: ghcr.io/example/train:2.0
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
    ```

    ## Good
    ```yaml title="base:runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch-1
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
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch-2
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
                          image: ghcr.io/example/train:2.0
    ```
    """
    if not change.changed("spec"):
        return
    users = change.workspace.users_of(change.new)
    if users:
        names = ", ".join(f"'{user.name}'" for user in users[:3])
        more = f" and {len(users) - 3} more" if len(users) > 3 else ""
        yield change.at("metadata.name").report(
            f"the {change.kind} changes while TrainJob {names}{more} of this repository refers to it",
            help="Put the change into a runtime of a new name, and let new TrainJobs refer to that.",
        )
