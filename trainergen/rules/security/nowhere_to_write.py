"""Containers with a read-only root and no place for temporary files."""

from __future__ import annotations

from trainergen.rules import Container, Findings, Job, rule

_TEMPORARY = ("/tmp", "/var/tmp", "/usr/tmp")
_VARIABLES = ("TMPDIR", "TEMP", "TMP")


@rule(
    "TG621",
    "nowhere-to-write",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("readOnlyRootFilesystem",),
    mirrors=("kubeflow/trainer#2372", "kubeflow/trainer#2763"),
    answers=("A96",),
)
def nowhere_to_write(job: Job) -> Findings:
    """A container has a read-only root filesystem and no volume for temporary files.

    ## Why
    torchrun, data loaders, compilers of kernels and the SDK's entry script all write temporary files. With
    `readOnlyRootFilesystem` and no volume at `/tmp`, Python finds no usable temporary directory, and training fails
    when it starts.

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
                            readOnlyRootFilesystem: true  # <-
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
                        - name: tmp
                          emptyDir:
                            sizeLimit: 10Gi
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          securityContext:
                            readOnlyRootFilesystem: true
                          volumeMounts:
                            - name: tmp
                              mountPath: /tmp
    ```
    """
    for pods in job.pods:
        for container in pods.containers:
            if container.get("securityContext.readOnlyRootFilesystem") is True and not _can_write(container):
                yield container.at("securityContext.readOnlyRootFilesystem").report(
                    f"{container.words} has a read-only root filesystem and no volume at /tmp",
                    help="Mount an emptyDir at /tmp, or set TMPDIR to a folder of a volume.",
                )


def _can_write(container: Container) -> bool:
    mounts = [mount.text("mountPath").rstrip("/") for mount in container.parts("volumeMounts")]
    wanted = [*_TEMPORARY, *(value for name in _VARIABLES if (value := container.variable(name)))]
    # What comes from elsewhere is taken to be fine.
    dynamic = any(name in container.env and container.variable(name) is None for name in _VARIABLES)
    return dynamic or any(place == mount or place.startswith(mount + "/") for place in wanted for mount in mounts)
