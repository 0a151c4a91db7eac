"""A TrainJob that waits in a queue of Kueue and then in one of Volcano."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_QUEUE = "kueue.x-k8s.io/queue-name"


@rule(
    "TG510",
    "two-queues",
    severity="info",
    profile="strict",
    since="2.1",
    triggers=("kueue.x-k8s.io/queue-name",),
    answers=("A72", "A73"),
)
def two_queues(job: Job) -> Findings:
    """A TrainJob waits for Kueue and then for Volcano.

    ## Why
    Kueue takes the quota when it admits the TrainJob; Volcano then queues its PodGroup by quotas of its own. While it
    waits there, the quota of Kueue is used up by Pods that do not run.

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
        volcano: {}
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
                      schedulerName: volcano
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: team-a  # <-
    spec:
      runtimeRef:
        name: team-torch
      trainer: {}
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
        volcano: {}
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
                      schedulerName: volcano
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-torch
      trainer: {}
    ```
    """
    if job.has("metadata.labels", _QUEUE) and job.runtime.gang("volcano") is not None:
        yield job.at("metadata.labels", _QUEUE).report(
            f"the TrainJob waits in queue '{job.text('metadata.labels', _QUEUE)}' of Kueue and then in one of Volcano",
            help="Leave quotas to one of the two.",
        )
