"""Images that change under a tag."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainergen.rules import Findings, Job, rule
from trainergen.rules.security.images import written_images


@dataclass(frozen=True, slots=True)
class Options:
    """What a reference must have."""

    require_digest: bool = field(default=False, metadata={"description": "report every image without a digest"})


@rule(
    "TG630",
    "mutable-image",
    severity="warning",
    profile="strict",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("image",),
    answers=("H010",),
    options=Options,
)
def mutable_image(job: Job, options: Options) -> Findings:
    """An image has no tag, or one that moves, such as `latest`.

    ## Why
    What runs is then decided when each Pod starts: a Pod that is restarted can get other code than its peers, and
    nobody can say later what trained a model. An image without a tag means `latest`. Tags that kustomize or Helm put in
    are written elsewhere; mind that kustomize's `images` do not reach `spec.trainer.image` of a TrainJob.

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
        image: ghcr.io/example/train:latest  # <-
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
        if image.digest or not (image.is_mutable or options.require_digest):
            continue
        fault = f"the moving tag '{image.tag}'" if image.tag else "no tag, which means latest"
        if not image.is_mutable:
            fault = f"the tag '{image.tag}', but no digest"
        yield container.at("image").report(
            f"image '{container.image}' of {container.words} has {fault}",
            help="Name a version, or better a digest (image@sha256:…).",
        )
