"""An OpenAPI schema that describes Trainer kinds and leaves out what kustomize merges by."""

from __future__ import annotations

import json

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.merging import kinds_of

_KINDS = frozenset({"TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"})
_MERGE_KEY = "x-kubernetes-patch-merge-key"


@rule(
    "TG728",
    "schema-without-merge-keys",
    severity="error",
    triggers=("openapi",),
    mirrors=("kubernetes-sigs/kustomize#5878",),
    answers=("A112", "K001"),
)
def schema_without_merge_keys(kustomization: Kustomization) -> Findings:
    """The OpenAPI schema of a kustomization describes Trainer kinds without any merge key.

    ## Why
    kustomize merges the items of a list by `x-kubernetes-patch-merge-key`. The key that CRDs have,
    `x-kubernetes-list-map-keys`, means nothing to it: with a schema made from the CRDs a patch still replaces whole
    lists, and images, variables and labels of the base are gone.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - runtime.yaml
    openapi:
      path: schema.json  # <-
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
    ```json title="schema.json"
    {
      "definitions": {
        "Runtime": {
          "x-kubernetes-group-version-kind": [
            {"group": "trainer.kubeflow.org", "version": "v1alpha1", "kind": "ClusterTrainingRuntime"}
          ],
          "properties": {"spec": {"properties": {"template": {"properties": {"spec": {"properties": {
            "replicatedJobs": {"type": "array", "x-kubernetes-list-map-keys": ["name"]}
          }}}}}}}
        }
      }
    }
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    resources:
      - runtime.yaml
    openapi:
      path: schema.json
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
    ```json title="schema.json"
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
    """
    for one, path, schema in kustomization.openapi:
        definitions = schema.get("definitions")
        described = [kinds_of(value) for value in definitions.values()] if isinstance(definitions, dict) else []
        kinds = sorted(_KINDS.intersection(*[frozenset().union(*described)]))
        if one is kustomization and kinds and _MERGE_KEY not in json.dumps(schema):
            yield kustomization.at("openapi.path").report(
                f"the schema '{path}' describes {kinds[0]} without any {_MERGE_KEY}, so patches replace its lists",
                help=f"Give its lists {_MERGE_KEY} and x-kubernetes-patch-strategy.",
            )
