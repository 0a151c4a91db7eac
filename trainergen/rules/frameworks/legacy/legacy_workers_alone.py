"""A PyTorchJob of Workers that are not told of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule
from trainergen.rules.frameworks.command_lines import runs_file, text_of, torchrun_options, words_of
from trainergen.rules.frameworks.legacy.jobs import alone, legacy_job

if TYPE_CHECKING:
    from trainergen.rules import Container

_RENDEZVOUS = ("rdzv", "master_addr", "master-addr", "MASTER_ADDR", "init_method", "init-method", "main_process_ip")


@rule(
    "TG452",
    "legacy-workers-alone",
    severity="warning",
    kinds=("PyTorchJob",),
    triggers=("Worker",),
    mirrors="kubeflow/trainer#1992",
    answers=("A51",),
)
def legacy_workers_alone(source: Source) -> Findings:
    """The Workers of a PyTorchJob without a Master have nothing by which they find each other.

    ## Why
    The Training Operator sets `MASTER_ADDR`, `RANK` and `WORLD_SIZE` where there is a Master. Without one an
    `elasticPolicy` sets the rendezvous of torchrun, and else there is nothing. torchrun waits for the others in vain;
    a program that Python starts alone trains the whole model in every Pod, on one of its GPUs, and the job succeeds.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
    spec:
      pytorchReplicaSpecs:
        Worker:  # <-
          replicas: 4
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
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template: &node
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
        Worker:
          replicas: 3
          template: *node
    ```
    """
    job = source.once(legacy_job)
    workers = None if job is None else job.role("Worker")
    if job is None or workers is None or job.role("Master") is not None:
        return
    container = workers.main
    if container is None or _finds_others(container):
        return
    if source.has("spec.elasticPolicy"):
        started = alone(container)
        if started and (workers.replicas > 1 or workers.gpus > 1):
            yield container.at("command" if container.command else "args").key.report(
                f"the elasticPolicy sets the rendezvous of torchrun, but '{started}' starts the program without it",
                help="Start the program with torchrun.",
            )
    elif workers.replicas > 1 and (alone(container) or torchrun_options(words_of(container)) is not None):
        yield workers.at().key.report(
            f"{workers.replicas} Workers get neither MASTER_ADDR nor RANK, since there is no Master",
            help="Make one of them the Master, or add an elasticPolicy and start the program with torchrun.",
        )


def _finds_others(container: Container) -> bool:
    """Whether the command or a variable names the others, or the command cannot be looked into."""
    words = words_of(container)
    if not words or runs_file(words) or any(name in ("MASTER_ADDR", "PET_RDZV_ENDPOINT") for name in container.env):
        return True
    return any(word in text_of(container) for word in _RENDEZVOUS)
