"""A runtime in which no job stands for the trainer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, fix, rule
from trainergen.rules.views.pods import ANCESTOR_LABEL
from trainergen.source.edits import insert_entry

if TYPE_CHECKING:
    from trainergen.finding import Path
    from trainergen.rules import Fix

_LABELS = "template.metadata.labels"
_POD_LABELS = "template.spec.template.metadata.labels"


@rule(
    "TG202",
    "no-trainer-job",
    severity="error",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    answers=("A40", "M005"),
    fix="unsafe",
)
def no_trainer_job(job: Job) -> Findings:
    """No job of a runtime is labelled as the trainer, so that TrainJobs configure nothing.

    ## Why
    `spec.trainer` of a TrainJob (image, command, args, env, numNodes, resources) goes to the job whose template is
    labelled `trainer.kubeflow.org/trainjob-ancestor-step: trainer`. Without such a job all of it is dropped without a
    word, and what runs is the runtime as it is. The label belongs to the template of the Job, not to that of the Pod.

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
        numNodes: 1
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:  # <-
                spec:
                  template:
                    metadata:
                      labels:
                        trainer.kubeflow.org/trainjob-ancestor-step: trainer
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
    if job.trainer is not None:
        return
    jobs = list(job.runtime.parts("spec.template.spec.replicatedJobs"))
    misplaced = next((part for part in jobs if part.text(_POD_LABELS, ANCESTOR_LABEL)), None)
    meant = misplaced or next((part for part in jobs if part.text("name") == "node"), None)
    labels = meant.at(_LABELS, ANCESTOR_LABEL) if meant else job.runtime.at("spec.template.spec.replicatedJobs").key
    where = f": that of job '{misplaced.text('name')}' is on its Pods only" if misplaced else ""
    yield labels.report(
        f"no job of the runtime has the label of the trainer{where}, so spec.trainer of TrainJobs has no effect",
        help=f"Set {ANCESTOR_LABEL}: trainer in template.metadata.labels of the job that trains.",
        fix=_labelled(job, meant.at(_LABELS).path) if meant else None,
    )


def _labelled(job: Job, labels: Path) -> Fix | None:
    return fix("label the job as the trainer", insert_entry(job.document, labels, ANCESTOR_LABEL, "trainer"))
