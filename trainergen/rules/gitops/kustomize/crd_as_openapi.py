"""A CustomResourceDefinition in the field that wants OpenAPI definitions."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.tree import join, objects_in


@rule("TG726", "crd-as-openapi", severity="error", profile="minimal", triggers=("crds",), answers=("K028",))
def crd_as_openapi(kustomization: Kustomization) -> Findings:
    """`crds:` of a kustomization lists a CustomResourceDefinition.

    ## Why
    In spite of its name the field wants files of OpenAPI definitions, from which kustomize learns where names are
    referred to. With a CustomResourceDefinition the build fails. To install one it belongs into `resources`; merge keys
    come from `openapi`, references from `configurations`.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - job.yaml
    crds:
      - crd.yaml  # <-
    ```
    ```yaml title="job.yaml"
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
    ```yaml title="crd.yaml"
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: trainjobs.trainer.kubeflow.org
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    resources:
      - crd.yaml
      - job.yaml
    ```
    ```yaml title="job.yaml"
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
    ```yaml title="crd.yaml"
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: trainjobs.trainer.kubeflow.org
    ```
    """
    for index, name in enumerate(kustomization.values("crds")):
        path = join(kustomization.folder, str(name))
        data = kustomization.tree.read(path)
        documents = objects_in(data.decode("utf-8", "replace"), path) if data is not None else []
        if any(document.kind == "CustomResourceDefinition" for document in documents):
            yield kustomization.at("crds", index).report(
                f"'{name}' is a CustomResourceDefinition, but crds wants OpenAPI definitions, so the build fails",
                help="List it in resources to install it, and use openapi for merge keys.",
            )
