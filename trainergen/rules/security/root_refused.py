"""Containers that must not run as root and do."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG620",
    "root-refused",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("runAsNonRoot",),
    answers=("A96",),
)
def root_refused(job: Job) -> Findings:
    """A container has `runAsNonRoot: true` and user 0 at once.

    ## Why
    The kubelet does not start such a container: the Pod stays in CreateContainerConfigError, and the job waits without
    an end. The two often come from different places: Pod and container, or runtime and patch.

    ## Bad
    ```yaml
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
                      securityContext:
                        runAsNonRoot: true
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          securityContext:
                            runAsUser: 0  # <-
    ```

    ## Good
    ```yaml
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
                      securityContext:
                        runAsNonRoot: true
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          securityContext:
                            runAsUser: 1000
    ```
    """
    for pods in job.pods:
        for container in pods.all_containers:
            own, pod = container.part("securityContext"), pods.spec.part("securityContext")
            of_user = own if own.has("runAsUser") else pod
            of_root = own if own.has("runAsNonRoot") else pod
            if of_user.integer("runAsUser") == 0 and of_root.get("runAsNonRoot") is True:
                yield of_user.at("runAsUser").report(
                    f"{container.words} has runAsUser 0 and runAsNonRoot, so it never starts",
                    help="Give it another user, or leave out runAsNonRoot for it.",
                )
