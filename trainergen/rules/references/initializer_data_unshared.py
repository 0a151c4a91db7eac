"""An initializer that downloads to where no node looks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule

if TYPE_CHECKING:
    from trainergen.rules import Pods

_STEPS = {"dataset": "dataset-initializer", "model": "model-initializer"}
_OWN = ("emptyDir", "ephemeral")


@rule(
    "TG206",
    "initializer-data-unshared",
    severity="warning",
    triggers=("initializer",),
    mirrors="kubeflow/trainer#3714",
    answers=("A31",),
)
def initializer_data_unshared(job: Job) -> Findings:
    """What an initializer downloads is in no volume that the nodes mount.

    ## Why
    Initializers run in Pods of their own and write to a volume. An emptyDir lasts as long as its Pod and is seen by no
    other; without a mount the files lie in the container. The download succeeds and is gone when training starts. Up
    to 2.2 nothing asks for a volume at all. Since 2.3 the webhook wants a mount called `initializer`, of any kind.

    ## Bad
    ```yaml title="runtime.yaml"
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
                      containers:
                        - name: dataset-initializer
                          image: ghcr.io/example/train:1.0
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
                      volumes:
                        - name: initializer
                          emptyDir: {}
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
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
                      volumes:
                        - name: initializer
                          emptyDir: {}
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
      initializer:
        dataset:  # <-
          storageUri: hf://example/texts
    ```

    ## Good
    ```yaml title="runtime.yaml"
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
                      containers:
                        - name: dataset-initializer
                          image: ghcr.io/example/train:1.0
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
                      volumes:
                        - name: initializer
                          persistentVolumeClaim:
                            claimName: data
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
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
                      volumes:
                        - name: initializer
                          persistentVolumeClaim:
                            claimName: data
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
      initializer:
        dataset:
          storageUri: hf://example/texts
    ```
    """
    steps = _STEPS.values()
    seen = {volume for pods in job.pods if pods.ancestor not in steps for volume in _volumes(pods)}
    for section, step in _STEPS.items():
        writers = [pods for pods in job.pods if pods.ancestor == step]
        if not job.has("spec.initializer", section) or not writers or _is_cache(writers[0], step):
            continue
        if seen.isdisjoint(_volumes(writers[0])):
            yield job.at("spec.initializer", section).key.report(
                f"the {section} is downloaded to no volume that a Pod which trains mounts as well",
                help=f"Mount one PersistentVolumeClaim, or a claim of volumeClaimPolicies, in '{step}' and in the "
                "job that trains.",
            )


def _volumes(pods: Pods) -> set[str]:
    """What other Pods can see too of the volumes that are mounted."""
    mounted = {mount.text("name") for container in pods.all_containers for mount in container.parts("volumeMounts")}
    sources = {volume.text("name"): volume for volume in pods.spec.parts("volumes")}
    # What is no volume of the Pod is a claim of volumeClaimPolicies.
    found = {f"claim {name}" for name in mounted - sources.keys()}
    for name in mounted & sources.keys():
        source = {key: value for key, value in sources[name].mapping().items() if key != "name"}
        if not any(key in source for key in _OWN):
            claim = sources[name].text("persistentVolumeClaim.claimName")
            found.add(claim or json.dumps(source, sort_keys=True))
    return found


def _is_cache(pods: Pods, name: str) -> bool:
    """Whether the initializer starts a cache, which serves the data instead of writing it."""
    container = pods.container(name)
    return container is not None and (container.variable("STORAGE_URI") or "").startswith("cache://")
