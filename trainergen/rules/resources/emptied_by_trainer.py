"""Empty values of a TrainJob that wipe what the runtime has."""

from __future__ import annotations

from trainergen.rules import Findings, Job, fix, rule
from trainergen.rules.resources.amounts import container_of_runtime
from trainergen.source.edits import delete_entry


@rule(
    "TG317",
    "emptied-by-trainer",
    severity="warning",
    triggers=("image", "command", "args"),
    answers=("T10",),
    fix="unsafe",
)
def emptied_by_trainer(job: Job) -> Findings:
    """An empty image, command or list of arguments wipes that of the runtime.

    ## Why
    `command: []` is not the same as no command: it clears the runtime's, and the image's own runs instead. With
    `image: ""` the container has no image at all, and the Pods are refused. Templates with empty values write such
    fields.

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
        image: ""  # <-
        numNodes: 2
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
        numNodes: 2
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    if container is None:
        return
    before = container_of_runtime(job, container.pods.name, container.name)
    for field in ("image", "command", "args"):
        written, had = job.source.get("spec.trainer", field), before.get(field) if before else None
        if written not in ("", []) or container.get(field) or not had:
            continue
        place = job.at("spec.trainer", field)
        yield place.report(
            f"{field} is empty, which wipes the {field} of the {job.runtime.words}",
            help="Remove the field to keep what the runtime has.",
            severity="error" if field == "image" else "",
            fix=fix(f"remove {field}", delete_entry(job.document, place.path)),
        )
