"""Labels for templates, which do not reach the Pods of TrainJobs."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build

_BUILT_IN = frozenset({"Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "ReplicaSet", "Service"})


@rule("TG721", "labels-not-in-pods", severity="warning", triggers=("includeTemplates",), answers=("K022",))
def labels_not_in_pods(kustomization: Kustomization) -> Findings:
    """`labels` with `includeTemplates` is set where only Trainer objects could have templates.

    ## Why
    kustomize writes such labels into the Pod templates of the kinds that it knows. TrainJobs and runtimes get them in
    their own metadata alone, so the Pods lack the label that a policy, a bill or a NetworkPolicy selects them by. Write
    it into the template of the runtime, or give the place with `fields`.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - runtime.yaml
    labels:
      - pairs:
          cost-center: vision
        includeTemplates: true  # <-
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
    labels:
      - pairs:
          cost-center: vision
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
    made = build(kustomization)
    if not made.ours or any(resource.kind in _BUILT_IN for resource in made.resources) or not made.complete:
        return
    for part in kustomization.parts("labels"):
        if part.get("includeTemplates") is True and not part.has("fields"):
            yield part.at("includeTemplates").report(
                f"the labels do not reach the Pods of the {made.ours[0].label}: kustomize does not know its templates",
                help="Write the labels into the Pod template, or name the place with fields.",
            )
