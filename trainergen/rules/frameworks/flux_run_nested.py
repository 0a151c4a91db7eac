"""A command for a Flux runtime that starts Flux itself."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import program

_STARTING = frozenset({"run", "submit", "start", "batch", "alloc"})


@rule(
    "TG442",
    "flux-run-nested",
    severity="warning",
    since="2.2",
    triggers=("flux",),
    mirrors="kubeflow/trainer#2841",
    answers=("A68",),
)
def flux_run_nested(job: Job) -> Findings:
    """The command of a TrainJob on a Flux runtime starts Flux once more.

    ## Why
    The controller puts the command behind `flux run` with the nodes and tasks of the TrainJob. A `flux run` in the
    command is started by each of these tasks, so that the program runs as often as there are tasks, times the tasks it
    asks for.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-flux
      labels:
        trainer.kubeflow.org/framework: flux
    spec:
      mlPolicy:
        flux: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/lammps:1.0
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-flux
      trainer:
        numNodes: 2
        command: [flux, run, -N, "2", lmp, -in, in.lj]  # <-
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-flux
      labels:
        trainer.kubeflow.org/framework: flux
    spec:
      mlPolicy:
        flux: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/lammps:1.0
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-flux
      trainer:
        numNodes: 2
        command: [lmp, -in, in.lj]
    ```
    """
    words = [*job.source.texts("spec.trainer.command"), *job.source.texts("spec.trainer.args")]
    words = words[0].split() if len(words) == 1 else words
    if job.runtime.policy("flux") is None or len(words) < 2 or program(words[0]) != "flux" or words[1] not in _STARTING:
        return
    yield job.at("spec.trainer", "command" if job.has("spec.trainer.command") else "args", 0).report(
        f"'{words[0]} {words[1]}' is started by the 'flux run' that the controller puts before it",
        help="Give the program alone; nodes and tasks come from numNodes and numProcPerNode.",
    )
