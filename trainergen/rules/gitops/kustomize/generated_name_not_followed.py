"""A reference to what a generator makes, by the name without the hash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, fix, rule
from trainergen.rules.gitops.kustomize.building import build
from trainergen.rules.gitops.kustomize.references import follows, references_of
from trainergen.source.edits import insert_entry

if TYPE_CHECKING:
    from trainergen.rules.gitops.kustomize.building import Resource


@rule(
    "TG714",
    "generated-name-not-followed",
    severity="error",
    mirrors=("kubernetes-sigs/kustomize#758", "kubernetes-sigs/kustomize#5889"),
    answers=("A113", "K015"),
    fix="unsafe",
)
def generated_name_not_followed(kustomization: Kustomization) -> Findings:
    """A TrainJob or runtime refers to a generated ConfigMap or Secret, whose name gets a hash that the reference lacks.

    ## Why
    kustomize appends a hash to the names of what it generates and renames references in the kinds that it knows. In a
    TrainJob or runtime nothing is renamed: the Pods wait for a ConfigMap or Secret that does not exist. A configuration
    with `nameReference` for the field, or generating without the hash, keeps the two together.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - job.yaml
    configMapGenerator:
      - name: bert-config  # <-
        literals: [EPOCHS=3]
    ```
    ```yaml title="job.yaml"
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
        env:
          - name: EPOCHS
            valueFrom:
              configMapKeyRef: {name: bert-config, key: EPOCHS}
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    resources:
      - job.yaml
    configMapGenerator:
      - name: bert-config
        literals: [EPOCHS=3]
        options:
          disableNameSuffixHash: true
    ```
    ```yaml title="job.yaml"
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
        env:
          - name: EPOCHS
            valueFrom:
              configMapKeyRef: {name: bert-config, key: EPOCHS}
    ```
    """
    made = build(kustomization)
    own = {id(entry) for entry in kustomization.own_objects}
    for generated in made.resources:
        if generated.generator is None or not generated.hashed:
            continue
        is_own = generated.entry.file == kustomization.entry.file
        for resource in made.ours:
            if is_own or id(resource.entry) in own:
                yield from _stale(kustomization, generated, resource, at_generator=is_own)


def _stale(kustomization: Kustomization, generated: Resource, resource: Resource, *, at_generator: bool) -> Findings:
    for one in references_of(resource):
        if (one.kind, one.name) != (generated.kind, generated.names[0]) or follows(kustomization, resource, one):
            continue
        assert generated.generator is not None
        path = (*generated.generator.path, "options")
        edit = insert_entry(generated.entry.document, path, "disableNameSuffixHash", True)
        spot = generated.generator.at("name") if at_generator else resource.entry.object.at("", *one.path)
        yield spot.report(
            f"the name of the generated {one.kind} gets a hash, but {one.field} of the {resource.label} keeps "
            f"'{one.name}'",
            help="Set disableNameSuffixHash, or add a nameReference for the field to configurations.",
            fix=fix("generate it without a hash", edit) if at_generator else None,
        )
        return
