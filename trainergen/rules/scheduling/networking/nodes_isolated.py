"""NetworkPolicies that keep the nodes of a job from each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.scheduling.networking.multi import talking_pods
from trainergen.rules.scheduling.networking.policies import (
    admits_neighbours,
    isolates,
    may_select,
    ports_of,
    rules_of,
    selects_all,
)

if TYPE_CHECKING:
    from trainergen.rules import Entry, Pods


@rule(
    "TG553",
    "nodes-isolated",
    severity="error",
    looks_up=("NetworkPolicy",),
    answers=("M007",),
)
def nodes_isolated(job: Job) -> Findings:
    """The NetworkPolicies of a namespace keep the nodes of a job from each other.

    ## Why
    In a namespace with a default deny, all nodes start and wait for each other until they time out. Port 29500 alone is
    not enough: it is for the rendezvous, while NCCL, Gloo and MPI then connect on ports that the system chooses.
    Policies with other selectors that may let Pods through are given the benefit of the doubt.

    ## Bad
    ```yaml title="network.yaml"
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata:
      name: default-deny
      namespace: team-a
    spec:
      podSelector: {}  # <-
      policyTypes: [Ingress]
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        image: ghcr.io/example/train:1.0
        command: [torchrun, train.py]
        numNodes: 2
    ```

    ## Good
    ```yaml title="network.yaml"
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata:
      name: default-deny
      namespace: team-a
    spec:
      podSelector: {}
      policyTypes: [Ingress]
    ---
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata:
      name: train-together
      namespace: team-a
    spec:
      podSelector:
        matchExpressions:
          - key: jobset.sigs.k8s.io/jobset-name
            operator: Exists
      policyTypes: [Ingress]
      ingress:
        - from:
            - podSelector:
                matchExpressions:
                  - key: jobset.sigs.k8s.io/jobset-name
                    operator: Exists
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        image: ghcr.io/example/train:1.0
        command: [torchrun, train.py]
        numNodes: 2
    ```
    """
    policies = job.objects.of("NetworkPolicy", namespace=job.namespace)
    for pods in talking_pods(job) if policies else ():
        for direction in ("ingress", "egress"):
            denying = next((one for one in policies if selects_all(one) and isolates(one, direction)), None)
            fault = _fault(policies, pods, direction) if denying else ""
            if denying and fault:
                yield denying.object.at("spec.podSelector").key.report(
                    f"the NetworkPolicy '{denying.name}' isolates all Pods of namespace '{job.namespace}', and {fault}",
                    help=f"Add a NetworkPolicy whose {direction} lets Pods of one TrainJob through on all ports.",
                )


def _fault(policies: list[Entry], pods: Pods, direction: str) -> str:
    """Why Pods do not reach each other, empty if they may."""
    labels = {key: part.get() for key, part in pods.template.entries("metadata.labels")}
    applying = [policy for policy in policies if may_select(policy, labels)]
    admitting = [
        rule for policy in applying for rule in rules_of(policy, direction) if admits_neighbours(rule, direction)
    ]
    if not admitting:
        return f"none lets the {direction} of Pods that train together through"
    ports = sorted({port for rule in admitting for port in ports_of(rule)})
    if ports and all(ports_of(rule) for rule in admitting):
        return f"the {direction} between Pods that train together is open on {', '.join(ports)} alone, not on all ports"
    return ""
