"""An mpirun of an MPIJob for another number of processes than there are slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule
from trainergen.rules.frameworks.command_lines import mpirun_processes, place_of, text_of
from trainergen.rules.frameworks.legacy.jobs import legacy_job

if TYPE_CHECKING:
    from trainergen.rules import Container, Spot

_PROGRAMS = ("mpirun", "mpiexec", "horovodrun", "orterun")


@rule(
    "TG456",
    "legacy-slots-miscounted",
    severity="warning",
    kinds=("MPIJob",),
    mirrors="kubeflow/mpi-operator#472",
    answers=("A61",),
)
def legacy_slots_miscounted(source: Source) -> Findings:
    """The launcher of an MPIJob asks mpirun for more processes than there are slots, or leaves some idle.

    ## Why
    The host file gives every Worker `slotsPerWorker` slots, one where it is left out. mpirun refuses to start more
    processes than there are slots; with fewer the last Workers, and their GPUs, have nothing to do.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v2beta1
    kind: MPIJob
    metadata:
      name: horovod
    spec:
      mpiReplicaSpecs:
        Launcher:
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
                  command: [mpirun, -np, "8", python, train.py]  # <-
        Worker:
          replicas: 2
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v2beta1
    kind: MPIJob
    metadata:
      name: horovod
    spec:
      slotsPerWorker: 4
      mpiReplicaSpecs:
        Launcher:
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
                  command: [mpirun, -np, "8", python, train.py]
        Worker:
          replicas: 2
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
    ```
    """
    job = source.once(legacy_job)
    launcher = None if job is None else job.role("Launcher")
    container = None if launcher is None else launcher.main
    if job is None or launcher is None or container is None:
        return
    workers = job.role("Worker")
    each = source.integer("spec.slotsPerWorker") or 1
    # The launcher is a host too if it asks for GPUs (v1), or is to work (v2beta1).
    works = bool(launcher.gpus) if job.kind.version == "v1" else source.get("spec.runLauncherAsWorker") is True
    slots = each * ((workers.replicas if workers else 0) + works)
    text = text_of(container)
    for wanted in mpirun_processes(text):
        if slots and wanted > slots and "oversubscribe" not in text:
            yield _place(container).report(
                f"mpirun is asked for {wanted} processes, but the host file has {slots} slots",
                help="Set slotsPerWorker to the processes of one Worker, or leave -np out.",
            )
        elif workers is not None and workers.gpus and wanted <= slots - each:
            yield _place(container).report(
                f"mpirun is asked for {wanted} processes of {slots} slots, which leaves GPUs of whole Workers idle",
                help="Leave -np out to fill all slots, or ask for fewer Workers.",
            )


def _place(container: Container) -> Spot:
    """Where mpirun is written."""
    return next((place_of(container, word) for word in _PROGRAMS if word in text_of(container)), container.at())
