"""An MPI launcher that starts its program without mpirun."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import place_of, plain_python, text_of

_STARTERS = ("mpirun", "mpiexec", "orterun", "prterun", "horovod", "deepspeed", "mlx", "srun", "ssh", "spawn", "mpi4py")


@rule(
    "TG425",
    "mpi-without-mpirun",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("mpi",),
    answers=("A57", "A61"),
)
def mpi_without_mpirun(job: Job) -> Findings:
    """The MPI launcher starts the program by python alone, so that nothing runs on the nodes.

    ## Why
    Keys, host file and `OMPI_*` variables are of use to mpirun only. `python train.py` runs one process in the
    launcher, while the nodes with their GPUs wait for somebody to log in.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: deepspeed-distributed
      trainer:
        numNodes: 4
        command: [python, /workspace/train.py]  # <-
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
        name: deepspeed-distributed
      trainer:
        numNodes: 4
        command: [mpirun, python, /workspace/train.py]
    ```
    """
    launcher = next((pods for pods in job.pods if pods.name == "launcher"), None)
    container = launcher.container("node") if launcher else None
    if job.runtime.policy("mpi") is None or container is None or not container.command:
        return
    word = plain_python(container)
    if word and not any(starter in text_of(container) for starter in _STARTERS):
        yield place_of(container, word).report(
            f"'{word}' runs in the launcher only, and nothing starts processes on the nodes",
            help="Put mpirun before it.",
        )
