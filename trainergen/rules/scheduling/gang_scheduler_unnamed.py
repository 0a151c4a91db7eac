"""A coscheduling group with Pods for the default scheduler."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG504",
    "gang-scheduler-unnamed",
    severity="warning",
    profile="strict",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("coscheduling",),
    answers=("A71",),
)
def gang_scheduler_unnamed(job: Job) -> Findings:
    """The Pods of a coscheduling group name no scheduler.

    ## Why
    The PodGroup matters only to a scheduler with the coscheduling plugin. Where that is a second scheduler beside the
    default one, Pods without `schedulerName` are scheduled one by one. Nothing is wrong where it took the place of the
    default scheduler.

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
      podGroupPolicy:
        coscheduling:  # <-
          scheduleTimeoutSeconds: 120
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
      podGroupPolicy:
        coscheduling:
          scheduleTimeoutSeconds: 120
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
                      schedulerName: scheduler-plugins-scheduler
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ```
    """
    policy = job.runtime.gang("coscheduling")
    unnamed = [pods for pods in job.pods if not pods.spec.text("schedulerName")]
    if policy is not None and unnamed:
        yield policy.at().key.report(
            f"{unnamed[0].words} names no scheduler, so the group counts only if the default scheduler knows it",
            help="Set schedulerName in the Pod template, or disable this rule where coscheduling is the default.",
        )
