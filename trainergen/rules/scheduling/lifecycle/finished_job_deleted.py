"""A time after which finished JobSets or Jobs are deleted and then made again."""

from __future__ import annotations

from trainergen.rules import Findings, Job, fix, rule
from trainergen.source.edits import delete_entry


@rule(
    "TG530",
    "finished-job-deleted",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("ttlSecondsAfterFinished",),
    mirrors=("kubeflow/trainer#2981", "kubeflow/trainer#3737", "kubeflow/trainer#4052"),
    answers=("A81", "A83", "T16"),
    fix="unsafe",
)
def finished_job_deleted(job: Job) -> Findings:
    """ttlSecondsAfterFinished in a runtime makes failed or finished work run again.

    ## Why
    The TrainJob stays when its JobSet is deleted, and the controller makes a new one: a failed TrainJob trains again,
    each time after this many seconds. On a Job inside of the template JobSet does the same, so that an initializer that
    has finished downloads once more.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch: {}
      template:
        spec:
          ttlSecondsAfterFinished: 3600  # <-
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
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
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
    jobset = job.jobset.part("spec")
    entry = job.runtime.entry
    for part in (jobset, *(pods.part("template.spec") for pods in job.pods)):
        if part.has("ttlSecondsAfterFinished"):
            spot = part.at("ttlSecondsAfterFinished")
            edit = delete_entry(entry.document, spot.path) if entry else None
            yield spot.key.report(
                f"what has finished is deleted after {part.get('ttlSecondsAfterFinished')} seconds and made again",
                help="Remove it, and delete TrainJobs that have finished.",
                fix=fix("remove ttlSecondsAfterFinished", edit),
            )
