"""A strategic merge patch that replaces a list of a Trainer object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule
from trainergen.source.classify import LEGACY_GROUP, LEGACY_KINDS

if TYPE_CHECKING:
    from trainergen.rules import Part

_TRAINER = "trainer.kubeflow.org"
_LISTS = frozenset(
    {"replicatedJobs", "containers", "initContainers", "env", "volumes", "volumeMounts", "runtimePatches"}
)
_DIRECTIVE = "$patch"
_BY_POSITION = "Write a JSON patch with test operations instead."
_BY_SCHEMA = "Add the schema with merge keys as openapi.path, or write a JSON patch with test operations."


@rule(
    "TG701",
    "list-wiped-by-patch",
    severity="error",
    mirrors=("kubernetes-sigs/kustomize#1027", "kubernetes-sigs/kustomize#2825", "llm-d/llm-d#1323"),
    answers=("A112", "K001"),
)
def list_wiped_by_patch(kustomization: Kustomization) -> Findings:
    """A strategic merge patch names a list of a Trainer object or legacy job, and kustomize replaces the whole list.

    ## Why
    kustomize merges lists of built-in kinds by their keys. Of custom resources it knows none, so the list in the patch
    takes the place of the one in the base: images, variables and labels vanish, and the exit code is 0. With a schema
    that has the merge keys (`openapi.path`) the items are merged; a JSON patch names the place by itself.

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
      - path: gpus.yaml
    ```
    ```yaml title="prod/gpus.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
    spec:
      template:
        spec:
          replicatedJobs:  # <-
            - name: node
              replicas: 1
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
          - {op: test, path: /spec/template/spec/replicatedJobs/0/name, value: node}
          - {op: add, path: /spec/template/spec/replicatedJobs/0/replicas, value: 1}
    ```
    """
    for patch in kustomization.patches:
        for document in patch.documents:
            kind = document.text("kind") or patch.target.text("kind")
            legacy = _is_legacy(document, kind)
            ours = document.text("apiVersion").partition("/")[0] == _TRAINER
            if not (ours or legacy) or kustomization.merge_keys_known(kind):
                continue
            for wiped in _lists(document):
                yield wiped.at().key.report(
                    f"the patch replaces the whole list '{wiped.path[-1]}' of the {kind}, since kustomize knows no "
                    "merge keys for it",
                    help=_BY_POSITION if legacy else _BY_SCHEMA,
                )


def _is_legacy(document: Part, kind: str) -> bool:
    return kind in LEGACY_KINDS and document.text("apiVersion").partition("/")[0] == LEGACY_GROUP


def _lists(part: Part) -> Iterator[Part]:
    """The outermost lists that have merge keys, those that are replaced on purpose left out."""
    for key, value in part.entries():
        if key in _LISTS and isinstance(value.value, list):
            yield value
        elif isinstance(value.value, dict) and value.get(_DIRECTIVE) != "replace":
            yield from _lists(value)
