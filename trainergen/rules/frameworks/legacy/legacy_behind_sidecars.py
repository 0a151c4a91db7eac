"""Pods of a legacy job that a service mesh keeps from each other."""

from __future__ import annotations

from trainergen.rules import Findings, Source, fix, rule
from trainergen.rules.frameworks.legacy.jobs import KINDS, legacy_job
from trainergen.rules.scheduling.networking.mesh import INJECT, LOOKED_UP, injecting, wish
from trainergen.source.edits import insert_entry


@rule(
    "TG459",
    "legacy-behind-sidecars",
    severity="warning",
    kinds=KINDS,
    looks_up=LOOKED_UP,
    mirrors=("kubeflow/trainer#1681", "kubeflow/trainer#1636", "canonical/bundle-kubeflow#610"),
    answers=("A90",),
    fix="unsafe",
)
def legacy_behind_sidecars(source: Source) -> Findings:
    """The Pods of a legacy job get Istio sidecars.

    ## Why
    Rendezvous, NCCL and kubectl-exec speak to Pods directly and not by the protocol of the mesh, and a sidecar that
    goes on when the container has ended keeps the job from ending. The annotation belongs to the template of every
    role: the operator copies nothing from the job to its Pods. Namespaces of Kubeflow Profiles are injected.

    ## Bad
    ```yaml title="namespace.yaml"
    apiVersion: v1
    kind: Namespace
    metadata:
      name: team-a
      labels:
        istio-injection: enabled
    ```
    ```yaml title="job.yaml"
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
      namespace: team-a
    spec:
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template:  # <-
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
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
    ```yaml title="job.yaml"
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
      namespace: team-a
    spec:
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template:
            metadata:
              annotations:
                sidecar.istio.io/inject: "false"
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
    ```
    """
    job = source.once(legacy_job)
    reason = injecting(source.objects, source.namespace) if job is not None else ""
    for role in job.roles if job is not None and reason else ():
        if not wish(role.template):
            spot = role.at("template")
            edit = insert_entry(source.document, (*spot.path, "metadata", "annotations"), INJECT, "false")
            yield spot.key.report(
                f"namespace '{source.namespace}' {reason}, so the Pods of {role.words} get Istio sidecars",
                help=f'Set the annotation {INJECT}: "false" on the Pod template.',
                fix=fix("keep sidecars from the Pods", edit),
            )
