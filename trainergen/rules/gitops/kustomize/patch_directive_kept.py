"""A directive of strategic merge patches that stays in the output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import TRAINER, schemas_of
from trainergen.rules.gitops.kustomize.merging import DIRECTIVE

if TYPE_CHECKING:
    from trainergen.rules import Part
    from trainergen.rules.gitops.kustomize.merging import Schema, Schemas


@rule("TG706", "patch-directive-kept", severity="error", answers=("K007", "A112"))
def patch_directive_kept(kustomization: Kustomization) -> Findings:
    """A patch on a Trainer object holds a directive that kustomize does not carry out but writes to its output.

    ## Why
    `$patch` works in mappings, and in lists that the schema in force has a merge key for. In any other list the item
    with the directive stays as it is written; `$setElementOrder`, `$retainKeys` and `$deleteFromPrimitiveList` stay
    everywhere. The API server refuses the object, or drops the field and applies something else than was meant.

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
    patches:
      - path: wait.yaml
    ```
    ```yaml title="prod/wait.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
    spec:
      template:
        spec:
          successPolicy:
            operator: All
            targetReplicatedJobs: [node]
            $retainKeys: [operator]  # <-
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
    patches:
      - path: wait.yaml
    ```
    ```yaml title="prod/wait.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
    spec:
      template:
        spec:
          successPolicy:
            $patch: replace
            operator: All
            targetReplicatedJobs: [node]
    ```
    """
    schemas = schemas_of(kustomization)
    for document in (document for patch in kustomization.patches for document in patch.documents):
        if document.text("apiVersion").partition("/")[0] != TRAINER:
            continue
        kind = document.text("kind")
        for left in _left(document, schemas.of_kind(kind), schemas):
            yield left.at().key.report(
                f"'{left.path[-1]}' has no effect here and stays in the {kind} that kustomize writes",
                help="Write a JSON patch, or add a schema with merge keys as openapi.path for '$patch' in lists.",
            )


def _left(part: Part, schema: Schema | None, schemas: Schemas, *, literal: bool = False) -> Iterator[Part]:
    """The directives that stay; everything below a list without merge key is taken as it is."""
    if isinstance(part.value, list):
        merges = not literal and bool(schemas.merge_key(schema))
        for item in part.parts():
            yield from _left(item, schemas.below(schema, None), schemas, literal=not merges)
    for key, value in part.entries():
        if key.startswith("$") and (literal or key != DIRECTIVE):
            yield value
        elif isinstance(value.value, dict | list):
            yield from _left(value, schemas.below(schema, key), schemas, literal=literal)
