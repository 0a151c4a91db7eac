"""A PyTorchJob whose WORLD_SIZE counts processes that nothing starts."""

from __future__ import annotations

import re

from trainergen.rules import Findings, Source, rule
from trainergen.rules.frameworks.command_lines import place_of, text_of
from trainergen.rules.frameworks.legacy.jobs import alone, legacy_job

_AS_NODES = re.compile(r"--?nnodes[= ]\"?\$[({]?WORLD_SIZE\b")


@rule(
    "TG451",
    "legacy-world-size-miscounted",
    severity="warning",
    kinds=("PyTorchJob",),
    triggers=("nprocPerNode",),
    mirrors=("kubeflow/pytorch-operator#331", "kubeflow/pytorch-operator#340", "kubeflow/trainer#1872"),
    answers=("A52", "A57"),
)
def legacy_world_size_miscounted(source: Source) -> Findings:
    """nprocPerNode makes WORLD_SIZE count processes, and the command takes it for something else.

    ## Why
    With a number in `nprocPerNode` the Training Operator sets `WORLD_SIZE` to Pods times processes, but `RANK` to the
    number of the Pod. A program that Python starts alone is one process in each Pod, so that the others are waited for
    until the rendezvous times out; a launcher told `--nnodes=$WORLD_SIZE` waits for Pods that do not exist.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
    spec:
      nprocPerNode: "4"
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template:
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [python, train.py]  # <-
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
    spec:
      nprocPerNode: "4"
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template:
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
    ```
    """
    job = source.once(legacy_job)
    processes = source.text("spec.nprocPerNode")
    if job is None or not processes.isdecimal() or int(processes) < 2 or job.role("Master") is None:
        return
    size = int(processes) * job.total
    for role in job.roles:
        container = role.main
        if container is None:
            continue
        started = alone(container)
        if _AS_NODES.search(text_of(container)):
            yield place_of(container, "WORLD_SIZE").report(
                f"WORLD_SIZE is {size}, the number of processes, but --nnodes asks for Pods, of which there are "
                f"{job.total}",
                help="Leave --nnodes out: torchrun reads PET_NNODES, which the operator sets.",
            )
        elif started:
            yield place_of(container, started).report(
                f"WORLD_SIZE is {size}, but '{started}' starts one process in each of {job.total} Pods",
                help="Start the program with torchrun, or leave nprocPerNode out.",
            )
