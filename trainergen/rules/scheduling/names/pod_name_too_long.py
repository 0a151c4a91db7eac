"""A TrainJob with a name from which Kubernetes cannot make names of Pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 63
_SUFFIX = len("-abcde")


@rule(
    "TG520",
    "pod-name-too-long",
    severity="error",
    profile="minimal",
    mirrors=("kubernetes-sigs/jobset#408", "kubeflow/trainer#1745"),
    answers=("A35", "A36", "T26"),
)
def pod_name_too_long(job: Job) -> Findings:
    """The names of the Pods are longer than Kubernetes allows.

    ## Why
    A TrainJob may have 63 characters in its name, but the Pods are called `<trainjob>-<job>-<replica>-<index>` and six
    more. JobSet refuses what comes out longer than 63: the TrainJob is accepted, no Pod appears, and only an event says
    why. With a job `node` and up to ten nodes there are 48 characters, with `dataset-initializer` 33. Flux makes a
    volume of the name, with 47.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert-large-uncased-whole-word-masking-finetuned-squad  # <-
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 2
        command: [torchrun, /workspace/train.py]
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert-large-squad
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 2
        command: [torchrun, /workspace/train.py]
    ```
    """
    name = job.jobset.text("metadata.name")
    if job.is_probe or not name:
        return
    longest, words = max(_names(job, name), default=(0, ""))
    if longest > _LONGEST:
        place = job.at("metadata.name") if job.has("metadata.name") else job.at("metadata.generateName")
        yield place.report(
            f"{words} get up to {longest} characters in their names, but {_LONGEST} are allowed",
            help=f"Shorten the name of the TrainJob by {longest - _LONGEST} characters.",
        )


def _names(job: Job, name: str) -> Iterator[tuple[int, str]]:
    """Lengths of names that are made of the TrainJob's, and what has them."""
    for pods in job.pods:
        if pods.count > 0:
            last = f"{name}-{pods.name}-{pods.replicas - 1}-{pods.parallelism - 1}"
            yield len(last) + _SUFFIX, f"Pods of {pods.words}"
        for volume in pods.spec.parts("volumes"):
            if volume.text("name").startswith(name):
                yield len(volume.text("name")), f"volumes of {pods.words}"
