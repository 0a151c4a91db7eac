"""A switch of an elasticPolicy that torchrun cannot read."""

from __future__ import annotations

from trainergen.rules import Findings, Source, fix, rule
from trainergen.source.edits import delete_entry


@rule(
    "TG463",
    "legacy-standalone-breaks-torchrun",
    severity="error",
    kinds=("PyTorchJob",),
    triggers=("standalone",),
    fix="unsafe",
)
def legacy_standalone_breaks_torchrun(source: Source) -> Findings:
    """elasticPolicy.standalone of a PyTorchJob keeps torchrun from starting.

    ## Why
    The Training Operator writes it as `PET_STANDALONE` with an empty value. torchrun reads its switches as integers,
    and ends with `ValueError: invalid literal for int()`. With several Workers it would be wrong in any case: a
    standalone run has one node.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
    spec:
      elasticPolicy:
        standalone: true  # <-
        maxRestarts: 3
      pytorchReplicaSpecs:
        Worker:
          replicas: 1
          template:
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
    spec:
      elasticPolicy:
        maxRestarts: 3
      pytorchReplicaSpecs:
        Worker:
          replicas: 1
          template:
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, --standalone, train.py]
    ```
    """
    if source.get("spec.elasticPolicy.standalone") is True:
        spot = source.at("spec.elasticPolicy.standalone")
        edit = delete_entry(source.document, spot.path)
        yield spot.report(
            "standalone becomes an empty PET_STANDALONE, which torchrun cannot read as a number",
            help="Remove it, and write --standalone into the command.",
            fix=fix("remove standalone", edit),
        )
