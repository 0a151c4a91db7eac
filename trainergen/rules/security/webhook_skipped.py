"""A runtime that keeps itself from the webhook."""

from __future__ import annotations

from trainergen.releases.catalogue import shipped_runtimes
from trainergen.rules import Findings, Source, fix, rule
from trainergen.source.edits import delete_entry

_LABEL = "trainer.kubeflow.org/webhook-validation"


@rule(
    "TG640",
    "webhook-skipped",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.3",
    triggers=(_LABEL,),
    mirrors=("kubernetes-sigs/kueue#11985",),
    answers=("A18", "M001"),
    fix="unsafe",
)
def webhook_skipped(source: Source) -> Findings:
    """A runtime of your own has the label that switches off its validation.

    ## Why
    The label is for the runtimes that an installation brings along, which are applied before the webhook is up. Copies
    take it with them. A runtime with it is accepted whatever is wrong, and each TrainJob on it is refused or fails
    later. To get the order right, apply runtimes after the controller is ready.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
        trainer.kubeflow.org/webhook-validation: disabled  # <-
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
    ```
    """
    if source.text("metadata.labels", _LABEL) != "disabled":
        return
    if source.kind == "ClusterTrainingRuntime" and source.name in shipped_runtimes(source.release.name):
        return
    spot = source.at("metadata.labels", _LABEL)
    yield spot.report(
        f"the {source.kind} '{source.name}' is none that Trainer installs, and the label keeps it from being validated",
        help="Remove the label, and apply runtimes once the controller is ready.",
        fix=fix("remove the label", delete_entry(source.document, spot.path)),
    )
