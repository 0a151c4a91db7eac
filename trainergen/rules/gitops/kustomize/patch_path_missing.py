"""A JSON patch for a place that the object does not have."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build
from trainergen.rules.gitops.kustomize.fields import unknown_fields, wrapped
from trainergen.rules.gitops.kustomize.merging import pointer


@rule("TG709", "patch-path-missing", severity="warning", answers=("K010",))
def patch_path_missing(kustomization: Kustomization) -> Findings:
    """A JSON patch replaces a field that the object does not have, or works at a place that is not there.

    ## Why
    `replace` of an entry that is missing adds it: a misspelt name builds, and what was meant keeps its value. Where the
    parent is missing, `remove` finds nothing, or a `test` does not hold, the build fails.

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
          - op: replace
            path: /metadata/labels/trainer.kubeflow.org~1framwork  # <-
            value: torchtune
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
          - op: replace
            path: /metadata/labels/trainer.kubeflow.org~1framework
            value: torchtune
    ```
    """
    for step in build(kustomization).steps:
        if step.failed is not None:
            operation, reason = step.failed
            yield operation.at("path").report(
                f"the build fails on the {step.resource.label}: {reason}",
                help="Write the patch for what the object holds now.",
                severity="error",
            )
        for operation in step.added:
            steps = pointer(operation.text("path"))
            if unknown_fields(wrapped(operation.get("value"), steps), step.resource.kind, kustomization.release.name):
                continue
            yield operation.at("path").report(
                f"the {step.resource.label} has no '{operation.text('path')}' to replace, so kustomize adds it",
                help="Correct the path, or write add when the field is new.",
            )
