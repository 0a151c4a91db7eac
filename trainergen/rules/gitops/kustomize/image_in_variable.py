"""An image in the value of a variable, which an images entry does not change."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build
from trainergen.rules.gitops.kustomize.images import is_named, variables_of


@rule("TG713", "image-in-variable", severity="warning", triggers=("images",), answers=("K014",))
def image_in_variable(kustomization: Kustomization) -> Findings:
    """An `images:` entry names an image that a TrainJob or runtime also has in the value of a variable.

    ## Why
    Some programs start Pods themselves and take the image from a variable, like `CACHE_IMAGE` of the data cache. The
    transformer changes the images of containers only, so the two end up at different versions. A replacement can copy
    the image into the variable.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - runtime.yaml
    images:
      - name: ghcr.io/example/cache  # <-
        newTag: "2.0"
    ```
    ```yaml title="runtime.yaml"
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
                          env:
                            - name: CACHE_IMAGE
                              value: ghcr.io/example/cache:1.0
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    resources:
      - runtime.yaml
    images:
      - name: ghcr.io/example/train
        newTag: "2.0"
    ```
    ```yaml title="runtime.yaml"
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
    """
    ours = build(kustomization).ours
    for entry in kustomization.parts("images"):
        name = entry.text("name")
        for resource in ours if name else ():
            variable = next((key for key, value in variables_of(resource.value) if is_named(value, name)), None)
            if variable is not None:
                yield entry.at("name").report(
                    f"the variable '{variable}' of the {resource.label} holds the image '{name}' and keeps the old tag",
                    help="Copy the image into the variable with replacements, or patch the variable as well.",
                )
                break
