"""Addresses without a scheme."""

from __future__ import annotations

import re

from trainergen.rules import Findings, Source, fix, rule
from trainergen.source.edits import replace_value

_HUGGING_FACE = re.compile(r"[\w.-]+/[\w.-]+")


@rule(
    "TG572",
    "storage-uri-without-scheme",
    severity="error",
    until="2.2",
    triggers=("storageUri",),
    mirrors=("kubeflow/trainer#3834",),
    answers=("A45",),
    fix="unsafe",
)
def storage_uri_without_scheme(job: Source) -> Findings:
    """A storageUri has no scheme.

    ## Why
    Up to 2.2 anything is accepted, but Trainer's initializers choose the provider by the scheme, and fail without one.
    From 2.3 on such a TrainJob is refused.

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
          storageUri: tatsu-lab/alpaca  # <-
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
          storageUri: hf://tatsu-lab/alpaca
      trainer: {}
    ```
    """
    for section in ("dataset", "model"):
        spot = job.at("spec.initializer", section, "storageUri")
        address = job.text("spec.initializer", section, "storageUri")
        if not address or "://" in address or "$" in address:
            continue
        edit = None
        if _HUGGING_FACE.fullmatch(address):
            edit = replace_value(job.document, spot.path, f"hf://{address}")
        yield spot.report(
            f"the storageUri of the {section} is '{address}', without a scheme such as hf:// or s3://",
            help="Put the scheme before it.",
            fix=fix(f"write hf://{address}", edit),
        )
