"""Two OpenAPI schemas in one build."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.tree import join


@rule("TG703", "two-schemas", severity="error", answers=("K004",))
def two_schemas(kustomization: Kustomization) -> Findings:
    """Two kustomizations of one build name different OpenAPI schemas.

    ## Why
    The schema is global for a build, and kustomize keeps the last one that it loads. Kinds that only the other one
    describes lose their merge keys: their lists are replaced by patches. Which one is last depends on the order of
    resources, so that an unrelated change turns it around.

    ## Bad
    ```yaml title="base/kustomization.yaml"
    resources:
      - runtime.yaml
    openapi:
      path: trainer.json
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
    ```json title="base/trainer.json"
    {
      "definitions": {
        "Runtime": {
          "x-kubernetes-group-version-kind": [
            {"group": "trainer.kubeflow.org", "version": "v1alpha1", "kind": "ClusterTrainingRuntime"}
          ],
          "properties": {"spec": {"properties": {"template": {"properties": {"spec": {"properties": {
            "replicatedJobs": {
              "items": {"type": "object"},
              "x-kubernetes-patch-merge-key": "name",
              "x-kubernetes-patch-strategy": "merge"
            }
          }}}}}}}
        }
      }
    }
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    openapi:
      path: kueue.json  # <-
    ```
    ```json title="prod/kueue.json"
    {"definitions": {}}
    ```

    ## Good
    ```yaml title="base/kustomization.yaml"
    resources:
      - runtime.yaml
    openapi:
      path: trainer.json
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
    ```json title="base/trainer.json"
    {
      "definitions": {
        "Runtime": {
          "x-kubernetes-group-version-kind": [
            {"group": "trainer.kubeflow.org", "version": "v1alpha1", "kind": "ClusterTrainingRuntime"}
          ],
          "properties": {"spec": {"properties": {"template": {"properties": {"spec": {"properties": {
            "replicatedJobs": {
              "items": {"type": "object"},
              "x-kubernetes-patch-merge-key": "name",
              "x-kubernetes-patch-strategy": "merge"
            }
          }}}}}}}
        }
      }
    }
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    ```
    """
    found = _schemas(kustomization)
    inner = [*kustomization.bases, *kustomization.components]
    if len(found) < 2 or any(len(_schemas(one)) > 1 for one in inner):
        return
    first, second, *_ = sorted(found.values())
    spot = kustomization.at("openapi.path") if kustomization.has("openapi.path") else kustomization.at("resources").key
    yield spot.report(
        f"the schemas '{first}' and '{second}' are both set in this build, and kustomize uses one of them",
        help="Keep one schema that holds all kinds, best in a Component that the overlays share.",
    )


def _schemas(kustomization: Kustomization) -> dict[str, str]:
    """The files of schemas that differ, by their content."""
    return {str(schema): join(one.folder, path) for one, path, schema in kustomization.openapi if schema}
