"""Nodes that cannot be found by name."""

from __future__ import annotations

from trainergen.rules import Findings, Job, fix, rule
from trainergen.rules.scheduling.networking.multi import talking_pods
from trainergen.rules.security.writing import document_of
from trainergen.source.edits import replace_value

_FIELDS = {
    "enableDNSHostnames": ("error", "the Pods get no host names, and those that should meet find nobody"),
    "publishNotReadyAddresses": ("warning", "names are published once Pods are ready, while they wait for each other"),
}


@rule(
    "TG552",
    "pod-names-unpublished",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=tuple(_FIELDS),
    mirrors=("kubernetes-sigs/jobset#504", "kubernetes-sigs/lws#85", "kubeflow/trainer#3783"),
    answers=("A92", "A63"),
    fix="unsafe",
)
def pod_names_unpublished(job: Job) -> Findings:
    """The runtime of a job with several Pods switches off their DNS names.

    ## Why
    Rendezvous and MPI go by the names that the headless Service of the JobSet publishes. They are needed before Pods
    are ready, since Pods get ready by meeting; a launcher has to resolve even its own. Both settings are on by default.

    ## Bad
    ```yaml
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
          network:
            publishNotReadyAddresses: false  # <-
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
    ```

    ## Good
    ```yaml
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
          network:
            publishNotReadyAddresses: true
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
    ```
    """
    if not talking_pods(job):
        return
    for field, (severity, consequence) in _FIELDS.items():
        if job.jobset.get("spec.network", field) is False:
            spot = job.jobset.at("spec.network", field)
            document = document_of(job, spot)
            edit = replace_value(document, spot.path, value=True) if document else None
            yield spot.report(
                f"{field} is false: {consequence}",
                help="Remove it, or set it to true; an existing runtime needs a new name for that.",
                severity=severity,
                fix=fix(f"set {field} to true", edit),
            )
