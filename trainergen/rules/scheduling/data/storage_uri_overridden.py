"""A storageUri that a variable takes the place of."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule

_ADDRESS = "STORAGE_URI"


@rule(
    "TG573",
    "storage-uri-overridden",
    severity="warning",
    triggers=(_ADDRESS,),
)
def storage_uri_overridden(job: Source) -> Findings:
    """The variable STORAGE_URI of an initializer replaces its storageUri.

    ## Why
    `storageUri` becomes the variable STORAGE_URI, and `env` is written after it. What is downloaded is what `env` says,
    while everybody reads the other.

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
          storageUri: hf://example/reviews
          env:
            - name: STORAGE_URI  # <-
              value: hf://example/reviews-small
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
          env:
            - name: IGNORE_PATTERNS
              value: "*.csv"
      trainer: {}
    ```
    """
    for section in ("dataset", "model"):
        address = job.text("spec.initializer", section, "storageUri")
        for entry in job.parts("spec.initializer", section, "env") if address else ():
            if entry.text("name") == _ADDRESS and entry.text("value") != address:
                yield entry.at("name").report(
                    f"the variable {_ADDRESS} replaces '{address}', the storageUri of the {section}",
                    help="Say it once, as storageUri.",
                )
