"""Images from registries that are not on the list."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainergen.rules import Findings, Job, rule
from trainergen.rules.security.images import Image, written_images

_LOCAL = frozenset(
    {"localhost", "127.0.0.1", "0.0.0.0", "kind-registry", "host.docker.internal", "host.minikube.internal"}
)


@dataclass(frozen=True, slots=True)
class Options:
    """Where images may come from."""

    allowed: tuple[str, ...] = field(
        default=(),
        metadata={"description": "registries (`ghcr.io`) or starts of addresses (`ghcr.io/acme`); empty allows all"},
    )


@rule(
    "TG631",
    "registry-not-allowed",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("image",),
    answers=("A99",),
    options=Options,
)
def registry_not_allowed(job: Job, options: Options) -> Findings:
    """An image comes from a registry that is not allowed, or from one on somebody's own machine.

    ## Why
    Set `allowed` to the registries of your platform: images from elsewhere are not scanned, and nodes may not even
    reach them. Without it only registries like `localhost:5000` are reported, as information: a node finds itself
    there, so the image works in a cluster on the same machine and nowhere else. What counts are the rendered Pods, init
    containers and sidecars included.

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
        image: localhost:5001/train:1.4.2  # <-
        command: [torchrun, train.py]
    ```

    ## Good
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
        image: ghcr.io/example/train:1.4.2
        command: [torchrun, train.py]
    ```
    """
    for container, image in written_images(job):
        if image.registry.partition(":")[0] in _LOCAL:
            severity, words = "" if options.allowed else "info", "which nodes of a cluster do not reach"
        else:
            severity, words = "", f"not one of {', '.join(options.allowed)}"
        if severity == "info" or (options.allowed and not _allows(options, image)):
            yield container.at("image").report(
                f"image '{container.image}' of {container.words} comes from '{image.registry}', {words}",
                help="Push the image to a registry that the platform allows, and name that.",
                severity=severity,
            )


def _allows(options: Options, image: Image) -> bool:
    allowed = [start.rstrip("/*") for start in options.allowed]
    return any(image.address == start or image.address.startswith(start + "/") for start in allowed)
