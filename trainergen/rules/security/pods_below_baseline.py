"""Pods that reach into their node."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.security.pod_security import enforced_level, gives_away_node, violations

_ELSEWHERE = ("privileged", "IPC_LOCK")


@rule(
    "TG612",
    "pods-below-baseline",
    severity="warning",
    profile="strict",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=(
        "hostNetwork",
        "hostPID",
        "hostIPC",
        "hostPath",
        "hostPort",
        "capabilities",
        "sysctls",
        "procMount",
        "seccompProfile",
        "appArmorProfile",
        "seLinuxOptions",
        "windowsOptions",
    ),
    looks_up=("Namespace",),
    answers=("A99",),
)
def pods_below_baseline(job: Job) -> Findings:
    """The Pods of a job do not meet the level `baseline` of the Pod Security Standards.

    ## Why
    With the network, processes, memory or files of the node, or with more capabilities than containers have by default,
    training code sees and disturbs everything else on it. Often there is another way: memory of an emptyDir at /dev/shm
    instead of `hostIPC`, a claim instead of `hostPath`, a secondary network instead of `hostNetwork`, with which two
    Pods that listen on port 29500 cannot share a node. The capability IPC_LOCK, which RDMA needs, is let through.
    Privileged containers are TG613, mounts that give away the node TG614; where a namespace enforces a level TG610
    speaks.

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
                      hostIPC: true  # <-
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
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
                      volumes:
                        - name: shared-memory
                          emptyDir:
                            medium: Memory
                            sizeLimit: 16Gi
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          resources:
                            limits:
                              memory: 64Gi
                          volumeMounts:
                            - name: shared-memory
                              mountPath: /dev/shm
    ```
    """
    if enforced_level(job):
        return
    for pods in job.pods:
        for violation in violations(pods, "baseline"):
            if violation.spot is None or violation.control in _ELSEWHERE or gives_away_node(violation.value):
                continue
            yield violation.spot.report(
                f"the Pods of {pods.words} reach into their node: {violation.words}",
                help="Take another way (emptyDir at /dev/shm, a claim, a secondary network), or say why not.",
            )
