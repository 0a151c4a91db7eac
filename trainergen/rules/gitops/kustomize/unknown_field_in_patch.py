"""A patch that sets a field that the release does not have."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import TRAINER, Step, build
from trainergen.rules.gitops.kustomize.fields import unknown_fields, wrapped
from trainergen.rules.gitops.kustomize.merging import pointer

_WRITES = ("add", "replace")


@rule(
    "TG710",
    "unknown-field-in-patch",
    severity="error",
    mirrors=("yannh/kubeconform#171",),
    answers=("K011", "A115"),
)
def unknown_field_in_patch(kustomization: Kustomization) -> Findings:
    """A patch on a Trainer object sets a field that its kind does not have in this release.

    ## Why
    kustomize knows nothing of the fields of custom resources and takes a misspelt or removed one over into the object.
    A patch is no manifest, so no schema check of the files sees it. The API server then drops the field without a word,
    or refuses the object where it checks fields strictly.

    ## Bad
    ```yaml title="base/kustomization.yaml"
    resources:
      - job.yaml
    ```
    ```yaml title="base/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        image: ghcr.io/example/bert:3.2.1
        command: [torchrun, /workspace/bert.py]
        numNodes: 2
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    patches:
      - path: nodes.yaml
    ```
    ```yaml title="prod/nodes.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
    spec:
      trainer:
        numNode: 8  # <-
    ```

    ## Good
    ```yaml title="base/kustomization.yaml"
    resources:
      - job.yaml
    ```
    ```yaml title="base/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        image: ghcr.io/example/bert:3.2.1
        command: [torchrun, /workspace/bert.py]
        numNodes: 2
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    patches:
      - path: nodes.yaml
    ```
    ```yaml title="prod/nodes.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
    spec:
      trainer:
        numNodes: 8
    ```
    """
    release = kustomization.release.name
    for document in (document for patch in kustomization.patches for document in patch.documents):
        if document.text("apiVersion").partition("/")[0] == TRAINER:
            for fault in unknown_fields(document.mapping(), document.text("kind"), release):
                if not str(fault.at[-1]).startswith("$"):
                    yield document.at("", *fault.at).key.report(fault.message, help=fault.help)
    seen: set[int] = set()
    for step in build(kustomization).steps:
        if step.document is None and step.resource.is_ours and id(step.patch) not in seen:
            seen.add(id(step.patch))
            yield from _in_operations(step, release)


def _in_operations(step: Step, release: str) -> Findings:
    for operation in step.patch.operations:
        steps = pointer(operation.text("path"))
        if operation.text("op") not in _WRITES or not steps:
            continue
        value = wrapped(operation.get("value"), steps)
        for fault in unknown_fields(value, step.resource.kind, release):
            if len(fault.at) <= len(steps):
                yield operation.at("path").report(fault.message, help=fault.help)
            else:
                yield operation.at("value", *fault.at[len(steps) :]).key.report(fault.message, help=fault.help)
