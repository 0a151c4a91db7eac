"""Device claims that do not reach the Pods."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.resources.amounts import container_of_runtime

_FIELD = "spec.trainer.resourcesPerNode"


@rule("TG308", "claims-lost", severity="error", triggers=("claims",), answers=("T11",))
def claims_lost(job: Job) -> Findings:
    """Resource claims of a TrainJob or of its runtime are lost.

    ## Why
    `resourcesPerNode.claims` is accepted and never copied. Any `resourcesPerNode` also drops the claims of the
    runtime's container, so that the Pod starts without the devices that were allocated for it.

    ## Bad
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
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
                          command: [torchrun, train.py]
                          resources:
                            claims:
                              - name: gpus
                      resourceClaims:
                        - name: gpus
                          resourceClaimTemplateName: eight-gpus
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
      trainer:
        resourcesPerNode:  # <-
          limits:
            memory: 64Gi
    ```

    ## Good
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
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
                          command: [torchrun, train.py]
                          resources:
                            limits:
                              memory: 64Gi
                            claims:
                              - name: gpus
                      resourceClaims:
                        - name: gpus
                          resourceClaimTemplateName: eight-gpus
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
      trainer:
        numNodes: 2
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    if container is None or not job.has(_FIELD):
        return
    kept = _claims(container.values("resources.claims"))
    lost = _claims(job.values(_FIELD, "claims")) - kept
    if lost:
        yield job.at(_FIELD, "claims").key.report(
            f"the claims {', '.join(sorted(lost))} of resourcesPerNode reach no Pod",
            help="Claim the devices in the container of the runtime, and set no resourcesPerNode.",
        )
    before = container_of_runtime(job, container.pods.name, container.name)
    lost = _claims(before.values("resources.claims")) - kept if before else set()
    if lost:
        yield job.at(_FIELD).key.report(
            f"resourcesPerNode takes the claims {', '.join(sorted(lost))} of the {job.runtime.words} away",
            help="Set limits and requests in the runtime, beside its claims, and remove resourcesPerNode.",
        )


def _claims(entries: object) -> set[str]:
    return (
        {str(entry.get("name")) for entry in entries if isinstance(entry, dict)} if isinstance(entries, list) else set()
    )
