"""An images entry that a TrainJob's image is meant by, and that does not reach it."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build
from trainergen.rules.gitops.kustomize.images import all_images, is_named, job_images_configured


@rule(
    "TG711",
    "job-image-not-reached",
    severity="error",
    triggers=("images",),
    mirrors=("kubernetes-sigs/kustomize#758",),
    answers=("A113", "K012"),
)
def job_image_not_reached(kustomization: Kustomization) -> Findings:
    """An `images:` entry names the image of a TrainJob, and kustomize does not look at that field.

    ## Why
    The transformer changes images of containers, in any kind and at any depth. `spec.trainer.image` of a TrainJob is no
    container: the TrainJob keeps the image of the base, so that the old code trains, and the build says nothing. A
    configuration with the path makes it work.

    ## Bad
    ```yaml title="base/kustomization.yaml"
    resources:
      - job.yaml
    ```
    ```yaml title="base/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        image: ghcr.io/example/bert:3.2.1
        command: [torchrun, /workspace/bert.py]
        numNodes: 2
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    images:
      - name: ghcr.io/example/bert  # <-
        newTag: 3.3.0
    ```

    ## Good
    ```yaml title="base/kustomization.yaml"
    resources:
      - job.yaml
    ```
    ```yaml title="base/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        image: ghcr.io/example/bert:3.2.1
        command: [torchrun, /workspace/bert.py]
        numNodes: 2
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    configurations:
      - images.yaml
    images:
      - name: ghcr.io/example/bert
        newTag: 3.3.0
    ```
    ```yaml title="prod/images.yaml"
    images:
      - path: spec/trainer/image
        kind: TrainJob
    ```
    """
    if job_images_configured(kustomization):
        return
    resources = build(kustomization).resources
    for entry in kustomization.parts("images"):
        name = entry.text("name")
        hit = [(one, image) for one in resources for image in all_images(one) if is_named(image.text, name)]
        jobs = [one for one, image in hit if one.is_ours and not image.reached]
        if jobs:
            yield entry.at("name").report(
                f"spec.trainer.image of the {jobs[0].label} is '{name}', but kustomize does not change that field",
                help="Add a file with 'images: [{path: spec/trainer/image, kind: TrainJob}]' to configurations.",
                severity="warning" if len(jobs) < len(hit) else "",
            )
