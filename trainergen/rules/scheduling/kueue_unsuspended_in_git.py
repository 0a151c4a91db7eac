"""A queued TrainJob that the manifest starts."""

from __future__ import annotations

from trainergen.rules import Findings, Source, fix, rule
from trainergen.source.edits import delete_entry


@rule(
    "TG509",
    "kueue-unsuspended-in-git",
    severity="warning",
    triggers=("kueue.x-k8s.io/queue-name",),
    answers=("A019",),
    fix="safe",
)
def kueue_unsuspended_in_git(source: Source) -> Findings:
    """A TrainJob with a Kueue queue says suspend: false.

    ## Why
    Kueue suspends a TrainJob with a queue until there is quota. A manifest that says `suspend: false` is applied again
    and again by a GitOps tool, which starts the job past the queue, and Kueue stops it again. Without the field, false
    is the default and Kueue alone decides.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      suspend: false  # <-
      trainer:
        numNodes: 1
        command: [torchrun, /workspace/train.py]
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 1
        command: [torchrun, /workspace/train.py]
    ```
    """
    if "kueue.x-k8s.io/queue-name" in source.labels and source.get("spec.suspend") is False:
        yield source.at("spec.suspend").report(
            "suspend is false, but Kueue decides when this TrainJob runs",
            help="Remove the field.",
            fix=fix("remove suspend", delete_entry(source.document, source.at("spec.suspend").path)),
        )
