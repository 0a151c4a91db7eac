"""One ClusterTrainingRuntime that two namespaces of a build seem to have each."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build
from trainergen.rules.tree import join

_KIND = "ClusterTrainingRuntime"


@rule("TG719", "cluster-runtime-twice", severity="error", answers=("K020",))
def cluster_runtime_twice(kustomization: Kustomization) -> Findings:
    """Two overlays of one build bring the same ClusterTrainingRuntime, told apart only by a namespace.

    ## Why
    With the namespace that kustomize stamps on it, the runtime of each overlay counts as an object of its own, so the
    build does not complain. In the cluster there is one. What is applied last wins, and its patches hold for the other
    team as well. The runtime belongs into a platform unit, or should be a TrainingRuntime in each namespace.

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
    ```yaml title="team-a/kustomization.yaml"
    namespace: team-a
    resources:
      - ../base
    ```
    ```yaml title="team-b/kustomization.yaml"
    namespace: team-b
    resources:
      - ../base
    ```
    ```yaml title="kustomization.yaml"
    resources:
      - team-a
      - team-b  # <-
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
    ```yaml title="kustomization.yaml"
    resources:
      - base
    ```
    """
    seen: dict[str, str] = {}
    for base in kustomization.bases:
        for name in sorted({one.names[-1] for one in build(base).resources if one.kind == _KIND}):
            other = seen.setdefault(name, base.folder)
            if other != base.folder:
                yield kustomization.at("resources", _place(kustomization, base)).report(
                    f"'{base.folder}' and '{other}' both bring the {_KIND} '{name}', of which a cluster has one",
                    help="Bring it once in a unit of its own, or use a TrainingRuntime in each namespace.",
                )


def _place(kustomization: Kustomization, base: Kustomization) -> int:
    """The index of the entry that names a base."""
    names = kustomization.values("resources")
    return next((n for n, name in enumerate(names) if join(kustomization.folder, str(name)) == base.folder), 0)
