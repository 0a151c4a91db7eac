"""A field of a legacy job that its operator has no code for."""

from __future__ import annotations

from trainergen.rules import Findings, Source, fix, rule
from trainergen.source.edits import delete_entry

_IGNORED = {
    ("PaddleJob", "spec.elasticPolicy"): "the number of its Pods stays as the roles say",
    ("JAXJob", "spec.runPolicy.managedBy"): "the Training Operator runs the job whoever is named",
}


@rule(
    "TG462",
    "legacy-field-ignored",
    severity="warning",
    kinds=("PaddleJob", "JAXJob"),
    triggers=("elasticPolicy", "managedBy"),
    answers=("A108",),
    fix="unsafe",
)
def legacy_field_ignored(source: Source) -> Findings:
    """A field is part of the kind, and nothing in the Training Operator reads it.

    ## Why
    `elasticPolicy` of a PaddleJob never made it into the controller: the job does not grow or shrink. The controller of
    JAXJob does not look at `managedBy`, so that a job dispatched by MultiKueue runs here as well.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PaddleJob
    metadata:
      name: resnet
    spec:
      elasticPolicy:  # <-
        minReplicas: 2
        maxReplicas: 8
      paddleReplicaSpecs:
        Worker:
          replicas: 2
          template:
            spec:
              containers:
                - name: paddle
                  image: ghcr.io/example/train:1.0
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PaddleJob
    metadata:
      name: resnet
    spec:
      paddleReplicaSpecs:
        Worker:
          replicas: 2
          template:
            spec:
              containers:
                - name: paddle
                  image: ghcr.io/example/train:1.0
    ```
    """
    for (kind, path), meaning in _IGNORED.items():
        if source.kind == kind and source.has(path):
            spot = source.at(path)
            edit = delete_entry(source.document, spot.path)
            yield spot.key.report(
                f"{spot.path[-1]} of a {kind} has no effect: {meaning}",
                help=f"Remove {spot.path[-1]}.",
                fix=fix(f"remove {spot.path[-1]}", edit),
            )
