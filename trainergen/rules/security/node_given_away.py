"""Mounts that give a container its whole node."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.security.pod_security import gives_away_node


@rule(
    "TG614",
    "node-given-away",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("hostPath",),
    answers=("A99",),
)
def node_given_away(job: Job) -> Findings:
    """A job mounts the socket of the container runtime, or a folder of the node that rules it.

    ## Why
    Who can talk to `docker.sock` or `containerd.sock`, or can write `/etc` or `/var/lib/kubelet` of a node, is root on
    it and has the Secrets of all Pods there. To build images, use a builder without a daemon; for data, mount the one
    folder that holds it.

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
                      volumes:
                        - name: docker
                          hostPath:
                            path: /var/run/docker.sock  # <-
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          volumeMounts:
                            - name: docker
                              mountPath: /var/run/docker.sock
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
                        - name: scratch
                          hostPath:
                            path: /mnt/nvme0/scratch
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          volumeMounts:
                            - name: scratch
                              mountPath: /scratch
    ```
    """
    for pods in job.pods:
        for volume in pods.spec.parts("volumes"):
            path = volume.text("hostPath.path")
            if gives_away_node(path):
                yield volume.at("hostPath.path").report(
                    f"volume '{volume.text('name')}' of {pods.words} mounts '{path}', which gives away the node",
                    help="Mount the one folder that is needed, and build images without the daemon of the node.",
                )
