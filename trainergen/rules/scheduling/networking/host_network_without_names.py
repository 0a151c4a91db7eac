"""Pods on the network of their node that cannot look up each other."""

from __future__ import annotations

from trainergen.rules import Findings, Job, fix, rule
from trainergen.rules.scheduling.networking.multi import talking_pods
from trainergen.rules.security.writing import document_of
from trainergen.source.edits import insert_entry

_POLICY = "ClusterFirstWithHostNet"


@rule(
    "TG555",
    "host-network-without-names",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("hostNetwork",),
    fix="unsafe",
)
def host_network_without_names(job: Job) -> Findings:
    """Pods of a job with several nodes use the network of the host, but not the DNS of the cluster.

    ## Why
    With `hostNetwork` a Pod asks the name servers of its node, unless `dnsPolicy` is ClusterFirstWithHostNet. Those do
    not know `<trainjob>-node-0-0.<trainjob>`, so that all nodes but the first wait for a name until they time out.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: plainml
    spec:
      mlPolicy:
        numNodes: 2
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
                      hostNetwork: true  # <-
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [/opt/solver]
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: plainml
    spec:
      mlPolicy:
        numNodes: 2
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
                      hostNetwork: true
                      dnsPolicy: ClusterFirstWithHostNet
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [/opt/solver]
    ```
    """
    for pods in talking_pods(job):
        if pods.spec.get("hostNetwork") is not True or pods.spec.text("dnsPolicy") in (_POLICY, "None"):
            continue
        spot = pods.spec.at("hostNetwork")
        document = document_of(job, spot)
        edit = insert_entry(document, spot.path[:-1], "dnsPolicy", _POLICY, after="hostNetwork") if document else None
        yield spot.report(
            f"the Pods of {pods.words} use the network of the host without dnsPolicy {_POLICY}, "
            "so they cannot look up each other",
            help=f"Set dnsPolicy to {_POLICY}.",
            fix=fix(f"set dnsPolicy to {_POLICY}", edit) if not pods.spec.has("dnsPolicy") else None,
        )
