"""A reference to an object that a prefix or suffix renames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build
from trainergen.rules.gitops.kustomize.references import follows, references_of

if TYPE_CHECKING:
    from trainergen.rules.gitops.kustomize.building import Build
    from trainergen.rules.gitops.kustomize.references import Reference


@rule(
    "TG715",
    "prefixed-name-not-followed",
    severity="error",
    triggers=("namePrefix", "nameSuffix"),
    mirrors=("kubernetes-sigs/kustomize#4674",),
    answers=("A113", "K017"),
)
def prefixed_name_not_followed(kustomization: Kustomization) -> Findings:
    """`namePrefix` or `nameSuffix` renames an object that a TrainJob or runtime refers to by its old name.

    ## Why
    kustomize renames the runtime, Secret, ConfigMap, claim or service account, but of TrainJobs and runtimes it does
    not know which fields are references. The TrainJob then names a runtime that does not exist, or its Pods wait for a
    volume that nobody makes. A configuration with `nameReference` says where the references are.

    ## Bad
    ```yaml title="kustomization.yaml"
    namePrefix: team-a-  # <-
    resources:
      - runtime.yaml
      - job.yaml
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
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
    spec:
      runtimeRef:
        name: my-torch
      trainer:
        command: [torchrun, /workspace/bert.py]
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    namePrefix: team-a-
    resources:
      - runtime.yaml
      - job.yaml
    configurations:
      - references.yaml
    ```
    ```yaml title="references.yaml"
    nameReference:
      - kind: ClusterTrainingRuntime
        group: trainer.kubeflow.org
        fieldSpecs:
          - path: spec/runtimeRef/name
            kind: TrainJob
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
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
    spec:
      runtimeRef:
        name: my-torch
      trainer:
        command: [torchrun, /workspace/bert.py]
    ```
    """
    made = build(kustomization)
    key = "namePrefix" if kustomization.text("namePrefix") else "nameSuffix"
    for resource in made.ours if kustomization.text(key) else ():
        for one in references_of(resource):
            renamed = _renamed(made, one)
            if renamed and not follows(kustomization, resource, one):
                yield kustomization.at(key).report(
                    f"the {one.kind} '{one.name}' becomes '{renamed}', but {one.field} of the {resource.label} does "
                    "not follow",
                    help="Add a nameReference for the field to configurations, or do without the prefix.",
                )
                break


def _renamed(made: Build, reference: Reference) -> str:
    """The new name of the object that is referred to; empty when it is not in the build or keeps its name."""
    for resource in made.resources:
        if resource.kind == reference.kind and reference.name in resource.names[:-1]:
            return resource.names[-1]
    return ""
