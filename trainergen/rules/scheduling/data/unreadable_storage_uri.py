"""Addresses that Trainer's initializers cannot read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.scheduling.data.initializers import initializers

if TYPE_CHECKING:
    from trainergen.rules.found import Found
    from trainergen.rules.scheduling.data.initializers import Initializer

_SCHEMES = {"dataset": ("hf", "s3", "cache"), "model": ("hf", "s3")}
_ADDRESS = "STORAGE_URI"


@rule(
    "TG570",
    "unreadable-storage-uri",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("dataset-initializer", "model-initializer", "initializer"),
    mirrors=("kubeflow/trainer#3834", "kubeflow/trainer#3825"),
    answers=("A45",),
)
def unreadable_storage_uri(job: Job) -> Findings:
    """An initializer is given an address that it cannot read, or none.

    ## Why
    Admission looks at the form `scheme://…` alone. Trainer's initializers know `hf://` and `s3://`, for datasets
    `cache://` too, and end with an exception for anything else; a dataset of Hugging Face needs organization and name,
    a cache schema and table. Initializers run even when the TrainJob says nothing of them, with the address of the
    runtime if it has one. Images and commands other than Trainer's are left alone.

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
          storageUri: gs://corpus/reviews  # <-
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
          storageUri: s3://corpus/reviews
          secretRef:
            name: corpus-reader
      trainer: {}
    ```
    """
    for initializer in initializers(job):
        if not initializer.is_trainers:
            continue
        if not initializer.address:
            if not job.is_probe and not initializer.is_set_elsewhere:
                yield _without_address(job, initializer.section)
        elif initializer.scheme and not set("${") & set(initializer.address):
            fault, ignored = _fault(initializer)
            if fault:
                yield (
                    initializer.container.env[_ADDRESS]
                    .at("value")
                    .report(
                        f"the address of the {initializer.section} is '{initializer.address}', but {fault}",
                        help=_help(initializer.section),
                        severity="warning" if ignored else "",
                    )
                )


def _without_address(job: Job, section: str) -> Found:
    named = job.has("spec.initializer", section)
    spot = job.at("spec.initializer", section).key if named else job.at("spec.runtimeRef.name")
    return spot.report(
        f"neither the TrainJob nor its runtime says what {section} to download, so '{section}-initializer' fails",
        help=f"Set spec.initializer.{section}.storageUri.",
    )


def _fault(initializer: Initializer) -> tuple[str, bool]:
    """What is wrong with an address that has a scheme, and whether a part of it is only ignored."""
    section, scheme = initializer.section, initializer.scheme
    parts = (initializer.address or "").partition("://")[2].split("/")
    if scheme not in _SCHEMES[section]:
        return f"the initializer reads {_schemes(section)} only", False
    if scheme == "cache" and (len(parts) < 2 or not parts[1]):
        return "a cache is cache://<schema>/<table>", False
    if scheme == "hf" and section == "dataset" and (len(parts) < 2 or not parts[1]):
        return "a dataset is hf://<organization>/<name>", False
    if scheme == "hf" and len([part for part in parts if part]) > 2:
        rest = "/".join(parts[2:])
        if section == "model":
            return f"a model is hf://<organization>/<name>, without '{rest}'", False
        return f"the initializer downloads all of '{parts[0]}/{parts[1]}' and ignores '{rest}'", True
    return "", False


def _help(section: str) -> str:
    return f"Use one of {_schemes(section)}, or an image of your own for the initializer."


def _schemes(section: str) -> str:
    return ", ".join(f"{scheme}://" for scheme in _SCHEMES[section])
