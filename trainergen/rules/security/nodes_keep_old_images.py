"""Nodes of one job that may run different images."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.security.images import written_images


@rule(
    "TG632",
    "nodes-keep-old-images",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("IfNotPresent",),
)
def nodes_keep_old_images(job: Job) -> Findings:
    """A job of several Pods has a moving tag and `imagePullPolicy: IfNotPresent`.

    ## Why
    A node that has pulled the tag once keeps what it has got. So the nodes of one job run different versions of the
    code, which shows as a hang, as mismatched collectives or not at all.

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
                          image: ghcr.io/example/train:latest
                          command: [torchrun, train.py]
                          imagePullPolicy: IfNotPresent  # <-
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
                          image: ghcr.io/example/train:1.4.2
                          command: [torchrun, train.py]
                          imagePullPolicy: IfNotPresent
    ```
    """
    for container, image in written_images(job):
        if image.is_mutable and container.pods.count > 1 and container.text("imagePullPolicy") == "IfNotPresent":
            yield container.at("imagePullPolicy").report(
                f"{container.words} has imagePullPolicy IfNotPresent with the moving image '{container.image}', "
                "so nodes may run different ones",
                help="Name a version of the image, or pull it always.",
            )
