"""Nodes that a service mesh keeps from each other."""

from __future__ import annotations

from trainergen.rules import Findings, Fix, Job, Pods, Spot, fix, rule
from trainergen.rules.scheduling.networking.mesh import INJECT, LOOKED_UP, injecting, wish
from trainergen.rules.scheduling.networking.multi import talking_pods
from trainergen.rules.security.writing import document_of
from trainergen.source.edits import insert_entry


@rule(
    "TG550",
    "nodes-behind-sidecars",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime"),
    looks_up=LOOKED_UP,
    mirrors=(
        "kubeflow/trainer#2872",
        "kubeflow/trainer#2794",
        "kubeflow/trainer#1681",
        "kubeflow/trainer#1636",
        "canonical/bundle-kubeflow#610",
    ),
    answers=("A89", "A90"),
    fix="unsafe",
)
def nodes_behind_sidecars(job: Job) -> Findings:
    """The nodes of a job get Istio sidecars.

    ## Why
    Rendezvous, NCCL and MPI connect to addresses of Pods, on ports of their choice, and not with the protocol of the
    mesh. With one node all is well; with two they get `RBAC: access denied`, resets, or a store that reads 0 bytes. A
    sidecar that does not end with the container also keeps the Job from completing. Namespaces of Kubeflow Profiles are
    injected.

    ## Bad
    ```yaml title="namespace.yaml"
    apiVersion: v1
    kind: Namespace
    metadata:
      name: team-a
      labels:
        istio-injection: enabled
    ```
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
        numNodes: 2
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
                  template:  # <-
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
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
      trainer: {}
    ```

    ## Good
    ```yaml title="namespace.yaml"
    apiVersion: v1
    kind: Namespace
    metadata:
      name: team-a
      labels:
        istio-injection: enabled
    ```
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
        numNodes: 2
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
                    metadata:
                      labels:
                        sidecar.istio.io/inject: "false"
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
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
      trainer: {}
    ```
    """
    reason = injecting(job.objects, job.namespace)
    for pods in talking_pods(job):
        said = wish(pods.template)
        if said == "true" or (reason and not said):
            why = f"{INJECT} is true" if said else f"namespace '{job.namespace}' {reason}"
            spot = _place(pods, said)
            yield spot.report(
                f"{why}, so the Pods of {pods.words} get Istio sidecars and do not reach each other through them",
                help=f'Set the label {INJECT}: "false" on the Pod template.',
                fix=_opt_out(job, pods) if not said else None,
            )


def _place(pods: Pods, said: str) -> Spot:
    if not said:
        return pods.template.at().key
    labelled = pods.template.has("metadata.labels", INJECT)
    return pods.template.at("metadata.labels" if labelled else "metadata.annotations", INJECT)


def _opt_out(job: Job, pods: Pods) -> Fix | None:
    spot = pods.template.at()
    document = document_of(job, spot)
    if document is None:
        return None
    edit = insert_entry(document, (*spot.path, "metadata", "labels"), INJECT, "false")
    return fix("keep sidecars from the Pods", edit)
