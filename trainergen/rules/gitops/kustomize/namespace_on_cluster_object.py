"""A namespace that kustomize writes on objects outside namespaces."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build

_KINDS = {
    "ClusterTrainingRuntime": "clustertrainingruntimes",
    "ClusterQueue": "clusterqueues",
    "ResourceFlavor": "resourceflavors",
    "WorkloadPriorityClass": "workloadpriorityclasses",
}
"""Kinds that kustomize does not know, and their plural as a schema's paths have it."""


@rule(
    "TG718",
    "namespace-on-cluster-object",
    severity="warning",
    profile="strict",
    triggers=("namespace",),
    mirrors=("kubernetes-sigs/kustomize#2498",),
    answers=("K019",),
)
def namespace_on_cluster_object(kustomization: Kustomization) -> Findings:
    """`namespace:` of a kustomization is stamped on a ClusterTrainingRuntime or another object outside namespaces.

    ## Why
    kustomize takes every kind that it does not know for one in a namespace. The API server ignores the field, but tools
    that compare or refuse by namespace do not, and two overlays seem to have an object each where the cluster has one.
    Cluster-wide objects belong into a kustomization of their own; a `paths` entry in the schema tells their scope.

    ## Bad
    ```yaml title="kustomization.yaml"
    namespace: team-a  # <-
    resources:
      - runtime.yaml
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

    ## Good
    ```yaml title="kustomization.yaml"
    resources:
      - runtime.yaml
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
    if not kustomization.text("namespace"):
        return
    paths = " ".join(str(schema.get("paths", "")) for _, _, schema in kustomization.openapi)
    for resource in build(kustomization).resources:
        if resource.kind in _KINDS and f"/{_KINDS[resource.kind]}/" not in paths:
            yield kustomization.at("namespace").report(
                f"kustomize writes the namespace '{kustomization.text('namespace')}' on the {resource.label}, which "
                "is in none",
                help="Move it to a kustomization without namespace, or name its path in the schema of openapi.path.",
            )
            return
