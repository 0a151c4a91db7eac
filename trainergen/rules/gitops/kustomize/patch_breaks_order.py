"""A patch that moves a replicated job before one that it depends on."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import RUNTIMES, build
from trainergen.rules.gitops.kustomize.ordering import misplaced


@rule("TG704", "patch-breaks-order", severity="error", mirrors=("kubernetes-sigs/kustomize#5878",), answers=("K005",))
def patch_breaks_order(kustomization: Kustomization) -> Findings:
    """After a patch, a replicated job of a runtime comes before a job that it depends on.

    ## Why
    Where kustomize merges lists, the items of the patch come first in the result. A patch of a later job alone moves it
    to the front, before the job that it waits for. JobSet accepts a dependency only on an earlier job, so every
    TrainJob with that runtime fails. Items with nothing but a name, for the earlier jobs, keep the order.

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
            - name: fetch
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: fetch
                          image: ghcr.io/example/fetch:1.0
            - name: node
              dependsOn:
                - name: fetch
                  status: Complete
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
    openapi:
      path: schema.json
    patches:
      - path: node.yaml
    ```
    ```json title="prod/schema.json"
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
    ```yaml title="prod/node.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
    spec:
      template:
        spec:
          replicatedJobs:  # <-
            - name: node
              replicas: 1
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
            - name: fetch
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: fetch
                          image: ghcr.io/example/fetch:1.0
            - name: node
              dependsOn:
                - name: fetch
                  status: Complete
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
    openapi:
      path: schema.json
    patches:
      - path: node.yaml
    ```
    ```json title="prod/schema.json"
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
    ```yaml title="prod/node.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
    spec:
      template:
        spec:
          replicatedJobs:
            - name: fetch
            - name: node
              replicas: 1
    ```
    """
    for step in build(kustomization).steps:
        if step.resource.kind not in RUNTIMES or step.failed:
            continue
        before = {(one.job, one.needs) for one in misplaced(step.before)}
        for one in misplaced(step.after):
            if (one.job, one.needs) in before or not one.known:
                continue
            spot = step.document.at("spec.template.spec.replicatedJobs").key if step.document else step.patch.spot
            yield spot.report(
                f"the patch moves the job '{one.job}' of the {step.resource.label} before '{one.needs}', which it "
                "depends on",
                help=f"Put '- name: {one.needs}' before it in the patch, or write a JSON patch with test operations.",
            )
