"""A hash that reaches a field of a TrainJob that cannot change."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import GENERATORS, build, is_hashed
from trainergen.rules.gitops.kustomize.references import follows, references_of

_FIXED = ("spec/trainer/", "spec/initializer/", "spec/runtimePatches/")


@rule(
    "TG716",
    "hash-in-fixed-field",
    severity="warning",
    since="2.2",
    triggers=tuple(GENERATORS),
    answers=("A111", "K016"),
)
def hash_in_fixed_field(kustomization: Kustomization) -> Findings:
    """A TrainJob with a fixed name refers to a generated object whose name changes with its content.

    ## Why
    The configured reference follows the hash, as it should. But trainer, initializer and patches of a TrainJob cannot
    change: after the next edit of the file that the hash is made from, the reference differs and the API server refuses
    the TrainJob, so that syncing stops. Give the generated object a name without hash, and each run a new name.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - job.yaml
    configurations:
      - references.yaml
    configMapGenerator:
      - name: bert-config  # <-
        literals: [EPOCHS=3]
    ```
    ```yaml title="references.yaml"
    nameReference:
      - kind: ConfigMap
        version: v1
        fieldSpecs:
          - path: spec/trainer/env/valueFrom/configMapKeyRef/name
            kind: TrainJob
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
    generatorOptions:
      disableNameSuffixHash: true
    configMapGenerator:
      - name: bert-r1-config
        literals: [EPOCHS=3]
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert-r1
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
              configMapKeyRef: {name: bert-r1-config, key: EPOCHS}
    ```
    """
    jobs = [resource for resource in build(kustomization).ours if resource.kind == "TrainJob"]
    for key, kind in GENERATORS.items():
        for generator in kustomization.parts(key):
            name = generator.text("name")
            users = [
                (job, one.field)
                for job in jobs
                for one in references_of(job)
                if (one.kind, one.name) == (kind, name) and one.field.startswith(_FIXED)
                if follows(kustomization, job, one)
            ]
            if users and is_hashed(kustomization, generator):
                job, field = users[0]
                yield generator.at("name").report(
                    f"each change of this {kind} changes {field} of the {job.label}, which cannot change",
                    help="Set disableNameSuffixHash, and give a new run a new name.",
                )
