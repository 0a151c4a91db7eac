"""A JSON patch that replaces a list and loses what its items held."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import RUNTIMES, build
from trainergen.rules.gitops.kustomize.merging import found
from trainergen.rules.gitops.kustomize.ordering import JOBS

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.rules import Spot
    from trainergen.rules.gitops.kustomize.building import Step

_LABEL = "trainer.kubeflow.org/trainjob-ancestor-step"
_PODS = ("template", "spec", "template", "spec")


@rule("TG729", "content-lost-by-patch", severity="error", answers=("K002",))
def content_lost_by_patch(kustomization: Kustomization) -> Findings:
    """A JSON patch replaces a job or container of a runtime that then lacks its image or the label of the trainer.

    ## Why
    A JSON patch puts its value in the place of the old one as a whole. A container that is written anew to set one
    field has no image any more unless the patch repeats it; a job without the ancestor label gets nothing of what the
    TrainJob says. The build succeeds all the same.

    ## Bad
    ```yaml title="base/kustomization.yaml"
    resources:
      - runtime.yaml
    ```
    ```yaml title="base/runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
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
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    patches:
      - target:
          kind: ClusterTrainingRuntime
          name: my-torch
        patch: |-
          - op: replace
            path: /spec/template/spec/replicatedJobs/0/template/spec/template/spec/containers  # <-
            value:
              - name: node
                resources:
                  limits: {nvidia.com/gpu: 8}
    ```

    ## Good
    ```yaml title="base/kustomization.yaml"
    resources:
      - runtime.yaml
    ```
    ```yaml title="base/runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
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
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    patches:
      - target:
          kind: ClusterTrainingRuntime
          name: my-torch
        patch: |-
          - op: test
            path: /spec/template/spec/replicatedJobs/0/template/spec/template/spec/containers/0/name
            value: node
          - op: add
            path: /spec/template/spec/replicatedJobs/0/template/spec/template/spec/containers/0/resources
            value:
              limits: {nvidia.com/gpu: 8}
    ```
    """
    for step in build(kustomization).steps:
        if step.document is None and step.resource.kind in RUNTIMES:
            for lost in _lost(step):
                yield _place(step).report(
                    f"after the patch the {step.resource.label} has no more {lost}",
                    help="Change only the field that is meant, with a test of the item's name before it.",
                )


def _place(step: Step) -> Spot:
    """The first operation that writes more than a scalar."""
    whole = (one for one in step.patch.operations if isinstance(one.get("value"), dict | list))
    return next((one.at("path") for one in whole), step.patch.spot)


def _lost(step: Step) -> Iterator[str]:
    before, after = _content(step.before), _content(step.after)
    yield from (words for place, words in before.items() if place in _places(step.after) and place not in after)


def _content(runtime: JsonObject) -> dict[tuple[str, ...], str]:
    """What a runtime should keep, by job and container."""
    kept: dict[tuple[str, ...], str] = {}
    for job in _items(runtime, *JOBS):
        name = str(found(job, "name"))
        if found(job, "template", "metadata", "labels", _LABEL):
            kept[name,] = f"ancestor label on the job '{name}'"
        for container in _items(job, *_PODS, "containers"):
            if found(container, "image"):
                inner = str(found(container, "name"))
                kept[name, inner] = f"image for the container '{inner}' of the job '{name}'"
    return kept


def _places(runtime: JsonObject) -> set[tuple[str, ...]]:
    """The jobs and containers that there are."""
    jobs = {str(found(job, "name")): job for job in _items(runtime, *JOBS)}
    inner = {(name, str(found(one, "name"))) for name, job in jobs.items() for one in _items(job, *_PODS, "containers")}
    return {*((name,) for name in jobs), *inner}


def _items(value: object, *steps: str) -> list[JsonValue]:
    items = found(value, *steps)
    return items if isinstance(items, list) else []
