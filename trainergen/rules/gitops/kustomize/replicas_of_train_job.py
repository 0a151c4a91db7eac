"""A replicas entry for a TrainJob."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build


@rule(
    "TG722",
    "replicas-of-train-job",
    severity="error",
    profile="minimal",
    triggers=("replicas",),
    answers=("K023",),
)
def replicas_of_train_job(kustomization: Kustomization) -> Findings:
    """`replicas:` of a kustomization names a TrainJob or a runtime.

    ## Why
    The field is for Deployments and StatefulSets. For another kind kustomize finds no place for the number and the
    build fails. The count of Pods of a TrainJob is `spec.trainer.numNodes`, set by a patch.

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
    replicas:
      - name: bert  # <-
        count: 8
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
    patches:
      - target:
          kind: TrainJob
          name: bert
        patch: |-
          - {op: replace, path: /spec/trainer/numNodes, value: 8}
    ```
    """
    entries = list(kustomization.parts("replicas"))
    resources = build(kustomization).resources if entries else []
    if any(configuration.get("replicas") for configuration in kustomization.configurations):
        return
    for entry in entries:
        named = [resource for resource in resources if entry.text("name") in resource.names]
        if named and all(resource.is_ours for resource in named):
            yield entry.at("name").report(
                f"replicas names the {named[0].label}, which kustomize cannot set a count of",
                help="Set spec.trainer.numNodes, or spec.mlPolicy.numNodes of a runtime, by a patch.",
            )
