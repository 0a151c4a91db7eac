"""Network interfaces of nodes that Pods do not have."""

from __future__ import annotations

import re

from trainergen.rules import Container, Findings, Job, rule
from trainergen.rules.scheduling.networking.multi import talking_pods

_VARIABLES = ("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME")
_OF_NODES = re.compile(r"(?:en[ospx]\w*|em\d\w*|bond\w*|ib\w*|p\d+p\w*|wl\w*)$")
_NETWORKS = "k8s.v1.cni.cncf.io/networks"


@rule(
    "TG556",
    "interface-not-in-pod",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=_VARIABLES,
)
def interface_not_in_pod(job: Job) -> Findings:
    """A variable names a network interface that the Pods do not have.

    ## Why
    In a Pod there are `lo` and `eth0`, and what a secondary network adds; `ens5`, `bond0` or `ib0` are names on nodes,
    copied from a cluster without containers or from jobs with `hostNetwork`. NCCL and Gloo then find no interface and
    end; with `lo` each node listens to itself.

    ## Bad
    ```yaml
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
        env:
          - name: NCCL_SOCKET_IFNAME
            value: ens5  # <-
    ```

    ## Good
    ```yaml
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
        env:
          - name: NCCL_SOCKET_IFNAME
            value: eth0
    ```
    """
    for pods in talking_pods(job):
        if pods.spec.get("hostNetwork") is True:
            continue
        secondary = pods.template.has("metadata.annotations", _NETWORKS)
        for container in pods.containers:
            for name in _VARIABLES:
                wrong = _wrong(container, name, secondary=secondary)
                if wrong:
                    yield (
                        container.env[name]
                        .at("value")
                        .report(
                            f"{name} is '{wrong}', which Pods without hostNetwork do not reach other nodes by",
                            help="Remove the variable, or name an interface of the Pod, such as eth0.",
                        )
                    )


def _wrong(container: Container, name: str, *, secondary: bool) -> str:
    """The value, when no interface in it can be one of a Pod that leads to others."""
    value = container.variable(name) or ""
    if not value or value.startswith("^") or "$" in value:
        return ""
    names = [one.strip().lstrip("=").partition(":")[0] for one in value.split(",")]
    bad = [one for one in names if one == "lo" or (_OF_NODES.match(one) and not secondary)]
    return value if len(bad) == len(names) else ""
