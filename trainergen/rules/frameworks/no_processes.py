"""A number of processes below one."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule

_PLACES = ("spec.trainer.numProcPerNode", "spec.mlPolicy.mpi.numProcPerNode", "spec.mlPolicy.flux.numProcPerNode")


@rule(
    "TG418",
    "no-processes",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    until="2.3",
    triggers=("numProcPerNode",),
    mirrors="kubeflow/trainer#3805",
    answers=("A21",),
)
def no_processes(source: Source) -> Findings:
    """numProcPerNode is zero or negative.

    ## Why
    No release up to 2.3 checks `numProcPerNode` of torch and MPI. It is written to `PET_NPROC_PER_NODE` and to the
    slots of the host file as it is, where torchrun and mpirun stop on it.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numProcPerNode: 0  # <-
        command: [torchrun, /workspace/train.py]
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
        name: torch-distributed
      trainer:
        numProcPerNode: 1
        command: [torchrun, /workspace/train.py]
    ```
    """
    for place in _PLACES:
        processes = source.integer(place)
        if processes is not None and processes < 1:
            yield source.at(place).report(
                f"numProcPerNode is {processes}, but a node runs one process at least",
                help="Ask for 1 process or more, or remove the field.",
            )
