"""Containers that are root on their node."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.security.pod_security import enforced_level


@rule(
    "TG613",
    "privileged-container",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("privileged",),
    looks_up=("Namespace",),
    answers=("A99",),
)
def privileged_container(job: Job) -> Findings:
    """A container of a job is privileged.

    ## Why
    A privileged container is root on its node: it sees all devices, also the GPUs of others, and can leave the
    container. GPUs need a limit, not privileges, and RDMA needs the device of a plugin and the capability IPC_LOCK.
    Init containers that raise limits of the node belong into a DaemonSet of the platform.

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
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          securityContext:
                            privileged: true  # <-
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
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          resources:
                            limits:
                              rdma/hca: 1
                          securityContext:
                            capabilities:
                              add: [IPC_LOCK]
    ```
    """
    if enforced_level(job):
        return
    for pods in job.pods:
        for container in pods.all_containers:
            if container.get("securityContext.privileged") is True:
                yield container.at("securityContext.privileged").report(
                    f"{container.words} is privileged, which makes it root on its node",
                    help="Remove it, ask for devices by resource limits, and add IPC_LOCK alone where RDMA needs it.",
                )
