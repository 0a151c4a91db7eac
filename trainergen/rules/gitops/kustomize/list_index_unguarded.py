"""A JSON patch that reaches into a list by number without checking what lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build, names_trainer
from trainergen.rules.gitops.kustomize.merging import pointer

if TYPE_CHECKING:
    from trainergen.finding import Path
    from trainergen.rules.views.patch import Patch

_NAMED = frozenset(
    {
        "replicatedJobs",
        "containers",
        "initContainers",
        "env",
        "volumes",
        "volumeMounts",
        "runtimePatches",
        "podTemplateOverrides",
        "podSpecOverrides",
    }
)
"""Lists whose items have names, so that another order means other items."""


@rule("TG708", "list-index-unguarded", severity="warning", profile="strict", answers=("K009",))
def list_index_unguarded(kustomization: Kustomization) -> Findings:
    """A JSON patch on a Trainer object names an item of a list by its index, with no `test` of what the item is.

    ## Why
    The index says where an item was when the patch was written. In Trainer 2.3 the jobs `launcher` and `node` of the
    shipped MPI runtimes changed places; a patch for 2.2 then changes the other job, and nothing fails. A `test` of the
    name before the operation turns that into an error of the build.

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
      - target:
          kind: ClusterTrainingRuntime
          name: my-torch
        patch: |-
          - op: add
            path: /spec/template/spec/replicatedJobs/0/replicas  # <-
            value: 1
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
      - target:
          kind: ClusterTrainingRuntime
          name: my-torch
        patch: |-
          - op: test
            path: /spec/template/spec/replicatedJobs/0/name
            value: node
          - op: add
            path: /spec/template/spec/replicatedJobs/0/replicas
            value: 1
    ```
    """
    ours = {id(step.patch) for step in build(kustomization).steps if step.resource.is_ours}
    for patch in kustomization.patches:
        if patch.is_json_patch and (id(patch) in ours or names_trainer(patch)):
            yield from _unguarded(patch)


def _unguarded(patch: Patch) -> Findings:
    tested: list[Path] = []
    for operation in patch.operations:
        path = pointer(operation.text("path"))
        if operation.text("op") == "test":
            tested.append(path)
            continue
        for item in _items(path, inserts=operation.text("op") == "add"):
            if not any(one[: len(item)] == item for one in tested):
                yield operation.at("path").report(
                    f"item {item[-1]} of '{item[-2]}' is changed whatever it is, for no test says which one is meant",
                    help=f"Put a test of /{'/'.join(map(str, item))}/name before it.",
                )
                break


def _items(path: Path, *, inserts: bool) -> list[Path]:
    """The items of lists that a path leads through; one that is inserted does not count."""
    last = len(path) - 1 if inserts else len(path)
    return [path[: n + 1] for n in range(1, last) if path[n - 1] in _NAMED and str(path[n]).isdecimal()]
