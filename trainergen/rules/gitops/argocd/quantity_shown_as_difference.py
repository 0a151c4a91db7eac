"""A TrainJob whose quantities the webhook writes in another way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.api.quantity import QuantityError, parse_quantity
from trainergen.rules import ArgoApplication, Findings, fix, rule
from trainergen.rules.gitops.argocd.annotations import compares_on_the_server
from trainergen.source.edits import replace_value

if TYPE_CHECKING:
    from trainergen.rules import Entry, Part

_RESOURCES = "spec.trainer.resourcesPerNode"


@rule(
    "TG758",
    "quantity-shown-as-difference",
    severity="warning",
    profile="strict",
    kinds=("Application", "ApplicationSet"),
    since="2.2",
    triggers=("Application", "ApplicationSet", "controller.diff.server.side"),
    looks_up=("ConfigMap", "TrainJob"),
    answers=("A118", "A006"),
    fix="safe",
)
def quantity_shown_as_difference(app: ArgoApplication) -> Findings:
    """A TrainJob that Argo CD delivers has a quantity which is stored in another form.

    ## Why
    Since 2.2 a mutating webhook writes TrainJobs anew, and with them their quantities in canonical form: `0.5` becomes
    `500m`, `1024Mi` becomes `1Gi`, and the number `1` the text `1`. Argo CD compares the texts, so the TrainJob is
    OutOfSync for ever; and since the trainer of a TrainJob cannot change, no sync ever ends that.

    ## Bad
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: training
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/training.git
        targetRevision: main
        path: jobs
      destination:
        server: https://kubernetes.default.svc
        namespace: team-a
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        resourcesPerNode:
          requests:
            cpu: "0.5"  # <-
            memory: 1024Mi  # <-
          limits:
            cpu: "2"
            memory: 1Gi
    ```

    ## Good
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: training
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/training.git
        targetRevision: main
        path: jobs
      destination:
        server: https://kubernetes.default.svc
        namespace: team-a
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        resourcesPerNode:
          requests:
            cpu: 500m
            memory: 1Gi
          limits:
            cpu: "2"
            memory: 1Gi
    ```
    """
    jobs = [entry for entry in app.delivers if entry.kind == "TrainJob"]
    if not jobs or compares_on_the_server(app):
        return
    for entry in jobs:
        for part, canonical in _rewritten(entry):
            yield part.at().report(
                f"{_words(part)} is stored as '{canonical}', which Argo CD shows as a difference",
                help=f"Write '{canonical}', as a text.",
                fix=fix(f"write {canonical}", replace_value(entry.document, part.path, canonical)),
            )


def _words(part: Part) -> str:
    return f"'{part.value}'" if isinstance(part.value, str) else f"the number {part.value}"


def _rewritten(entry: Entry) -> Iterator[tuple[Part, str]]:
    for half in ("requests", "limits"):
        for _, part in entry.object.entries(_RESOURCES, half):
            try:
                canonical = parse_quantity(part.value).canonical()
            except QuantityError:
                continue
            if canonical != part.value:
                yield part, canonical
