"""A way to restart that JobSet refuses unless a feature gate is on."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_SINGLE_JOB = frozenset({"RestartJob", "RestartJobAndIgnoreMaxRestarts"})


@rule(
    "TG535",
    "restart-needs-feature-gate",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.2",
    triggers=("InPlaceRestart", "RestartJob", "RestartJobAndIgnoreMaxRestarts"),
)
def restart_needs_feature_gate(job: Job) -> Findings:
    """The failure policy asks for something that is behind a feature gate of JobSet.

    ## Why
    `InPlaceRestart` and the actions for a single Job are alpha in JobSet 0.12 and off unless the controller is started
    with their gates. The runtime is accepted; the JobSet of each TrainJob is refused.

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
            maxRestarts: 3
            restartStrategy: InPlaceRestart  # <-
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
            restartStrategy: BlockingRecreate
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
    policy = job.jobset.part("spec.failurePolicy")
    if policy.text("restartStrategy") == "InPlaceRestart":
        yield policy.at("restartStrategy").report(
            "restartStrategy is InPlaceRestart, which JobSet refuses without its feature gate",
            help="Use BlockingRecreate, or disable this rule where the gate is on.",
        )
    for entry in policy.parts("rules"):
        if entry.text("action") in _SINGLE_JOB:
            yield entry.at("action").report(
                f"action is {entry.text('action')}, which JobSet refuses without its feature gate",
                help="Restart the whole JobSet, or disable this rule where the gate is on.",
            )
