"""An images entry that no image fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build
from trainergen.rules.gitops.kustomize.images import (
    JOB_IMAGE,
    all_images,
    configured_paths,
    images_of,
    is_named,
    plain_name,
    variables_of,
)
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.rules.gitops.kustomize.building import Build
    from trainergen.rules.views.patch import Patch

_END = "@"


@rule("TG712", "image-entry-unused", severity="warning", triggers=("images",), answers=("K013",))
def image_entry_unused(kustomization: Kustomization) -> Findings:
    """An `images:` entry names an image that no object of the kustomization has.

    ## Why
    kustomize compares names as text and accepts entries that fit nothing. After a misspelling, a change of the base, or
    with `docker.io/` on one side only, the images keep their old tags.

    ## Bad
    ```yaml title="base/kustomization.yaml"
    resources:
      - runtime.yaml
    ```
    ```yaml title="base/runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
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
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    images:
      - name: ghcr.io/example/trian  # <-
        newTag: "1.1"
    ```

    ## Good
    ```yaml title="base/kustomization.yaml"
    resources:
      - runtime.yaml
    ```
    ```yaml title="base/runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
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
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    images:
      - name: ghcr.io/example/train
        newTag: "1.1"
    ```
    """
    made = build(kustomization)
    if not made.complete or not made.ours or kustomization.is_component:
        return
    if configured_paths(kustomization) - {"/".join(JOB_IMAGE)}:
        return
    known = _known(kustomization, made)
    for entry in kustomization.parts("images"):
        name = entry.text("name")
        if name and not any(is_named(image, name) for image in known):
            alike = next((image for image in known if is_named(plain_name(image), plain_name(name))), "")
            names = sorted({_name_of(image) for image in known})
            hint = f" (the objects write '{alike}')" if alike else did_you_mean(name, names)
            yield entry.at("name").report(
                f"no object of this kustomization has the image '{name}'{hint}",
                help="Write the name as the objects have it, or remove the entry.",
            )


def _known(kustomization: Kustomization, made: Build) -> list[str]:
    """The images of all objects before the entries of this kustomization; those of the bases change them first."""
    images = [image.text for resource in made.resources for image in all_images(resource)]
    images += [value for resource in made.ours for _, value in variables_of(resource.value)]
    for one in kustomization.closure:
        images += [part.text("newName") for part in one.parts("images") if part.text("newName")]
        images += [text for patch in one.patches for text in _in_patch(patch)]
    return images


def _in_patch(patch: Patch) -> Iterator[str]:
    """The images that a patch sets; those of Trainer objects are known from the build."""
    for document in patch.documents:
        yield from (image.text for image in images_of(document.value))
    yield from (operation.text("value") for operation in patch.operations)


def _name_of(image: str) -> str:
    name = image.partition(_END)[0]
    head, _, tail = name.rpartition(":")
    return head if head and "/" not in tail else name
