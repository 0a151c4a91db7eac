"""Outputs that are gone with the Pod."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.rules import Container, Findings, Job, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.rules import Spot

_NAME = r"(?:output|save)[-_]?dir"
# NB: checkpoint_dir of TorchTune is what it reads.
_FLAG = rf"--?(?:{_NAME}|(?:checkpoint|ckpt)[-_]?dir)"
_OPTION = re.compile(rf"(?:^|[\s.])(?:{_NAME}|{_FLAG})[= ][\"']?(/[^\s\"',;]*)", re.IGNORECASE)
_BARE = re.compile(_FLAG, re.IGNORECASE)
_VARIABLE = re.compile(rf"(?:\w+_)?(?:{_NAME}|checkpoint_dir)", re.IGNORECASE)
_GONE = ("emptyDir", "ephemeral")


@rule(
    "TG577",
    "output-not-kept",
    severity="info",
    profile="strict",
    triggers=("args", "command", "env"),
)
def output_not_kept(job: Job) -> Findings:
    """A job writes its output to a folder that is gone with the Pod.

    ## Why
    What is not in a volume that outlives the Pod is lost when the Pod ends, also when it is evicted an hour before the
    end. Programs that upload their results themselves are fine; suppress this for them.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        image: ghcr.io/example/train:1.0
        command: [torchrun, train.py]
        args:
          - --epochs=3
          - --output_dir=/results/bert  # <-
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
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      volumes:
                        - name: results
                          persistentVolumeClaim:
                            claimName: results
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          volumeMounts:
                            - name: results
                              mountPath: /results
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
      trainer:
        args: [--epochs=3, --output_dir=/results/bert]
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    for spot, folder in _folders(container) if container else ():
        assert container is not None
        why = _gone(container, folder)
        if why:
            yield spot.report(
                f"the output goes to '{folder}', which is {why} and gone with the Pod",
                help="Mount a PersistentVolumeClaim there, or upload the output at the end.",
            )


def _folders(container: Container) -> Iterator[tuple[Spot, str]]:
    for field in ("command", "args"):
        items = container.texts(field)
        for index, text in enumerate(items):
            found = _OPTION.search(text)
            if found:
                yield container.at(field, index), found.group(1)
            elif _BARE.fullmatch(text) and index + 1 < len(items) and items[index + 1].startswith("/"):
                yield container.at(field, index + 1), items[index + 1]
    for name, entry in container.env.items():
        if _VARIABLE.fullmatch(name) and entry.text("value").startswith("/"):
            yield entry.at("value"), entry.text("value")


def _gone(container: Container, folder: str) -> str:
    """What a folder is in, when that does not last."""
    mounts = {mount.text("mountPath").rstrip("/"): mount.text("name") for mount in container.parts("volumeMounts")}
    below = [place for place in mounts if folder == place or folder.startswith(place + "/")]
    if not below:
        return "in the container itself"
    name = mounts[max(below, key=len)]
    volume = next((one for one in container.pods.spec.parts("volumes") if one.text("name") == name), None)
    return f"in the emptyDir '{name}'" if volume and any(volume.has(kind) for kind in _GONE) else ""
