"""A Pod group policy without a scheduler."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule


@rule(
    "TG506",
    "empty-pod-group-policy",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("podGroupPolicy",),
)
def empty_pod_group_policy(source: Source) -> Findings:
    """podGroupPolicy is empty, so that there is no gang scheduling.

    ## Why
    Without a member the policy makes no PodGroup, and nothing says so. In 2.0 the Pods even get the label of a PodGroup
    that does not exist, for which a scheduler with the coscheduling plugin waits.

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
      podGroupPolicy: {}  # <-
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
    """
    if source.get("spec.podGroupPolicy") == {}:
        yield source.at("spec.podGroupPolicy").key.report(
            "podGroupPolicy is empty, so the Pods are scheduled one by one",
            help="Name coscheduling or volcano in it, or remove it.",
        )
