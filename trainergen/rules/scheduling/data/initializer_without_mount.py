"""Initializers without the mount that Trainer 2.3 asks for."""

from __future__ import annotations

from trainergen.releases.catalogue import shipped_runtimes
from trainergen.rules import Findings, Job, rule
from trainergen.rules.scheduling.data.initializers import SECTIONS

_MOUNT = "initializer"


@rule(
    "TG574",
    "initializer-without-mount",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.3",
    triggers=("dataset-initializer", "model-initializer"),
    mirrors=("kubeflow/trainer#3714",),
    answers=("A31",),
)
def initializer_without_mount(job: Job) -> Findings:
    """An initializer of a runtime mounts no volume of the name `initializer`.

    ## Why
    Since 2.3 a TrainJob that sets `initializer.dataset` or `initializer.model` is refused, unless the container of that
    name mounts a volume called just so. The runtime itself is accepted, so that its author is the last to know. The
    runtime for caches that Trainer ships has this fault too, and is left alone.

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
            - name: dataset-initializer
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer
                spec:
                  template:
                    spec:
                      volumes:
                        - name: data
                          persistentVolumeClaim:
                            claimName: corpus
                      containers:
                        - name: dataset-initializer
                          image: ghcr.io/kubeflow/trainer/dataset-initializer:v2.3.0
                          volumeMounts:
                            - name: data
                              mountPath: /workspace
            - name: node
              dependsOn:
                - name: dataset-initializer
                  status: Complete
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      volumes:
                        - name: data
                          persistentVolumeClaim:
                            claimName: corpus
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          volumeMounts:
                            - name: data
                              mountPath: /workspace
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
            - name: dataset-initializer
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer
                spec:
                  template:
                    spec:
                      volumes:
                        - name: initializer
                          persistentVolumeClaim:
                            claimName: corpus
                      containers:
                        - name: dataset-initializer
                          image: ghcr.io/kubeflow/trainer/dataset-initializer:v2.3.0
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
            - name: node
              dependsOn:
                - name: dataset-initializer
                  status: Complete
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      volumes:
                        - name: initializer
                          persistentVolumeClaim:
                            claimName: corpus
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
    ```
    """
    if job.runtime.name in shipped_runtimes(job.release.name):
        return
    for section in SECTIONS:
        step = f"{section}-initializer"
        pods = next((pods for pods in job.pods if pods.name == step), None)
        container = pods.container(step) if pods else None
        if container and all(mount.text("name") != _MOUNT for mount in container.parts("volumeMounts")):
            yield container.at("volumeMounts").key.report(
                f"{container.words} mounts no volume called '{_MOUNT}', "
                f"so TrainJobs that set initializer.{section} are refused",
                help=f"Call the volume that it writes to '{_MOUNT}'.",
            )
