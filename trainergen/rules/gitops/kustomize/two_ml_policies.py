"""A patch that gives a runtime a second framework policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, fix, rule
from trainergen.rules.gitops.kustomize.building import RUNTIMES, Step, build
from trainergen.rules.gitops.kustomize.merging import found
from trainergen.source.edits import insert_entry

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.fix import Fix

_SOURCES = frozenset({"torch", "mpi", "jax", "xgboost", "flux"})


@rule("TG720", "two-ml-policies", severity="error", since="2.2", answers=("K021",), fix="unsafe")
def two_ml_policies(kustomization: Kustomization) -> Findings:
    """A patch adds a framework policy to a runtime that has another one, and both remain.

    ## Why
    A strategic merge patch merges mappings: `mpi` in the patch comes beside `torch` of the base. The API server accepts
    a single one of torch, mpi, jax, xgboost and flux, so it refuses the runtime. A null in the patch takes the other
    one out.

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
    ```yaml title="mpi/kustomization.yaml"
    resources:
      - ../base
    patches:
      - path: mpi.yaml
    ```
    ```yaml title="mpi/mpi.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
    spec:
      mlPolicy:
        mpi:  # <-
          numProcPerNode: 2
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
    ```yaml title="mpi/kustomization.yaml"
    resources:
      - ../base
    patches:
      - path: mpi.yaml
    ```
    ```yaml title="mpi/mpi.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
    spec:
      mlPolicy:
        mpi:
          numProcPerNode: 2
        torch: null
    ```
    """
    for step in build(kustomization).steps:
        before, after = _policies(step.before), _policies(step.after)
        new = sorted(after - before)
        if step.resource.kind in RUNTIMES and len(after) > 1 and new:
            old = sorted(before & after)
            at = step.document.at("spec.mlPolicy", new[0]).key if step.document else step.patch.spot
            yield at.report(
                f"the {step.resource.label} gets the policy '{new[0]}' beside '{(old or new)[-1]}', but can have one",
                help=f"Write '{(old or new)[-1]}: null' beside it in the patch.",
                fix=_removal(step, old),
            )


def _policies(runtime: JsonObject) -> set[str]:
    policy = found(runtime, "spec", "mlPolicy")
    return {key for key, value in policy.items() if value is not None} & _SOURCES if isinstance(policy, dict) else set()


def _removal(step: Step, old: list[str]) -> Fix | None:
    document = step.document
    if document is None or len(old) != 1 or not step.patch.file:
        return None
    text = document.root.spot(()).where.document
    edit = insert_entry(text, ("spec", "mlPolicy"), old[0], None)  # type: ignore[arg-type]  # the patch is in a file
    return fix(f"remove the policy {old[0]}", edit)
