"""Schemes that came with Trainer 2.1."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.scheduling.data.initializers import initializers

_LATER = ("s3", "cache")


@rule(
    "TG571",
    "storage-scheme-too-new",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    until="2.0",
    triggers=("dataset-initializer", "model-initializer", "initializer"),
    answers=("A45",),
)
def storage_scheme_too_new(job: Job) -> Findings:
    """An initializer of Trainer 2.0 is given an address that only 2.1 can read.

    ## Why
    The initializers of 2.0 read `hf://` alone; `s3://` and `cache://` end with an exception in the Pod.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torchtune-llama3.2-1b
      initializer:
        dataset:
          storageUri: s3://corpus/reviews  # <-
      trainer: {}
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
        name: torchtune-llama3.2-1b
      initializer:
        dataset:
          storageUri: hf://example/reviews
      trainer: {}
    ```
    """
    for initializer in initializers(job):
        if initializer.is_trainers and initializer.scheme in _LATER:
            yield (
                initializer.container.env["STORAGE_URI"]
                .at("value")
                .report(
                    f"the address of the {initializer.section} is '{initializer.address}', "
                    f"but the initializers of Trainer {job.release.name} read hf:// only",
                    help="Take the data from Hugging Face, or upgrade Trainer to 2.1 or later.",
                )
            )
