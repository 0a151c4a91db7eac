"""Training Pods with the priority of the cluster's own parts."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG514",
    "system-priority-class",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("system-cluster-critical", "system-node-critical"),
)
def system_priority_class(job: Job) -> Findings:
    """The Pods of a training have a priority class that is meant for the cluster itself.

    ## Why
    `system-cluster-critical` and `system-node-critical` are above everything else: training Pods evict whatever is in
    their way, DNS and device plugins included. Many clusters refuse them outside of kube-system. With Volcano the check
    of all further classes is skipped.

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
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      priorityClassName: system-cluster-critical  # <-
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
    for pods in job.pods:
        name = pods.spec.text("priorityClassName")
        if name in ("system-cluster-critical", "system-node-critical"):
            yield pods.spec.at("priorityClassName").report(
                f"the Pods of {pods.words} have the priority of the cluster's own parts, '{name}'",
                help="Use a PriorityClass of your own.",
            )
