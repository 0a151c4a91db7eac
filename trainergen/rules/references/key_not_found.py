"""A key that a ConfigMap or Secret of the repository does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.references.referenced import references
from trainergen.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.rules import Entry

_DATA = ("data", "stringData", "binaryData")


@rule(
    "TG212",
    "key-not-found",
    severity="error",
    triggers=("configMapKeyRef", "secretKeyRef", "configMap", "secret"),
    looks_up=("ConfigMap", "Secret"),
)
def key_not_found(job: Job) -> Findings:
    """A Pod needs a key that the ConfigMap or Secret, as it is in the repository, does not have.

    ## Why
    The Pods are scheduled, hold their GPUs, and stay in CreateContainerConfigError or ContainerCreating for ever. Only
    objects whose keys are in a file are looked at, and references marked `optional` are left alone.

    ## Bad
    ```yaml title="wandb.yaml"
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: wandb
      namespace: team-a
    data:
      base-url: https://wandb.example.com
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        env:
          - name: WANDB_BASE_URL
            valueFrom:
              configMapKeyRef:
                name: wandb
                key: base_url  # <-
    ```

    ## Good
    ```yaml title="wandb.yaml"
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: wandb
      namespace: team-a
    data:
      base-url: https://wandb.example.com
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        env:
          - name: WANDB_BASE_URL
            valueFrom:
              configMapKeyRef:
                name: wandb
                key: base-url
    ```
    """
    if not job.objects.has("ConfigMap", "Secret"):
        return
    for reference in references(job):
        if not reference.keys:
            continue
        known = _keys(job.objects.places(reference.kind, reference.name, job.namespace))
        for number, key in enumerate(reference.keys if known else ()):
            if key in known:
                continue
            where = reference.where
            place = where.at("key") if where.has("key") else where.at("items", number, "key")
            near = nearest(key, known)
            yield place.report(
                f"the {reference.kind} '{reference.name}' has no key '{key}'",
                help=f"Did you mean '{near}'?" if near else f"Its keys are {', '.join(sorted(known)[:5])}.",
            )


def _keys(entries: Iterable[Entry]) -> set[str]:
    """The keys in any of the places where an object is written, such as a base and a patch of it."""
    return {key for entry in entries for field in _DATA for key in entry.object.mapping(field)}
