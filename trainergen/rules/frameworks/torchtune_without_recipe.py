"""A tune run that has no recipe and config."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import place_of, program


@rule(
    "TG411",
    "torchtune-without-recipe",
    severity="error",
    profile="minimal",
    triggers=("torch",),
    answers=("A32",),
)
def torchtune_without_recipe(job: Job) -> Findings:
    """tune run is started without recipe and config.

    ## Why
    The controller writes recipe and config only for a TrainJob whose command is exactly `[tune, run]`, with the rest in
    `args`. Any other command takes the place of the runtime's and is run as it is, so that torchtune stops with a
    message about its usage.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torchtune-llama3.2-1b
      trainer:
        command: [tune, run, dataset.source=parquet]  # <-
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
        name: torchtune-llama3.2-1b
      trainer:
        command: [tune, run]
        args: [dataset.source=parquet]
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    if container is None or not (job.has("spec.trainer.command") or job.has("spec.trainer.args")):
        return
    words = [*container.command, *container.args]
    if [program(word) for word in words[:2]] != ["tune", "run"]:
        return
    if not any(word.partition("=")[0] == "--config" for word in words):
        yield place_of(container, words[0]).report(
            "'tune run' gets neither recipe nor config, for the command is not exactly [tune, run]",
            help="Set the command to [tune, run] and put everything else into args.",
        )
