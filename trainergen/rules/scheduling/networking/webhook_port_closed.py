"""A NetworkPolicy that keeps the API server from the webhook."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.scheduling.networking.policies import (
    admits_from_outside,
    isolates,
    ports_of,
    rules_of,
    selects_all,
)

_CONTROLLERS = ("kubeflow-trainer-controller-manager", "jobset-controller-manager")
_USUAL = "kubeflow-system"
_PORTS = frozenset({"9443", "webhook", "webhook-server"})


@rule(
    "TG554",
    "webhook-port-closed",
    severity="warning",
    kinds=("NetworkPolicy",),
    triggers=("podSelector",),
    looks_up=("NetworkPolicy", "Deployment"),
    answers=("M007",),
)
def webhook_port_closed(policy: Source) -> Findings:
    """The namespace of the controller denies all traffic, and nothing opens the webhook.

    ## Why
    The API server calls the webhooks on port 9443 of the controller, from outside the Pod network, so that only a rule
    without peers or with an ipBlock lets it in. Without it every TrainJob and runtime is refused with a deadline. Pods
    that report their progress need port 10443 as well.

    ## Bad
    ```yaml
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata:
      name: default-deny
      namespace: kubeflow-system
    spec:
      podSelector: {}  # <-
      policyTypes: [Ingress]
    ```

    ## Good
    ```yaml
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata:
      name: default-deny
      namespace: kubeflow-system
    spec:
      podSelector: {}
      policyTypes: [Ingress]
    ---
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata:
      name: webhooks
      namespace: kubeflow-system
    spec:
      podSelector: {}
      policyTypes: [Ingress]
      ingress:
        - ports:
            - port: 9443
            - port: 10443
    ```
    """
    others = policy.objects.of("NetworkPolicy", namespace=policy.namespace)
    closing = [one for one in others if selects_all(one) and isolates(one, "ingress")]
    # One is reported for all: that without rules if there is one.
    first = min(closing, key=lambda one: len(rules_of(one, "ingress")), default=None)
    if first is None or first.name != policy.name:
        return
    deployments = policy.objects.of("Deployment", namespace=policy.namespace)
    if policy.namespace != _USUAL and all(one.name not in _CONTROLLERS for one in deployments):
        return
    for other in others:
        for one in rules_of(other, "ingress"):
            if admits_from_outside(one) and (not ports_of(one) or _PORTS & set(ports_of(one))):
                return
    yield policy.at("spec.podSelector").key.report(
        f"the NetworkPolicy '{policy.name}' of '{policy.namespace}' keeps the API server from port 9443",
        help="Add a NetworkPolicy that opens port 9443 to everybody, and 10443 to Pods that train.",
    )
