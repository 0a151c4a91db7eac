"""A path of torchtune that both the runtime and the TrainJob give."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_PATHS = frozenset({"output_dir", "tokenizer.path", "tokenizer.merges_file", "checkpointer.checkpoint_dir"})


@rule(
    "TG414",
    "torchtune-path-given-twice",
    severity="warning",
    until="2.2",
    triggers=("torch",),
    mirrors="kubeflow/trainer#2929",
    answers=("A32",),
)
def torchtune_path_given_twice(job: Job) -> Findings:
    """A TrainJob gives torchtune a path that the runtime's command gives as well.

    ## Why
    The paths of model, tokenizer and output in the runtime's command are those of its volumes. The controller keeps
    them in the command, and the TrainJob's are added behind: what is read or written then lies where no volume is, and
    is lost with the Pod. Release 2.3 refuses such a TrainJob.

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
        command: [tune, run]
        args:
          - output_dir=/mnt/out  # <-
          - epochs=2
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
        args:
          - epochs=2
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    if container is None or job.texts("spec.trainer.command") != ["tune", "run"]:
        return
    given = {word.partition("=")[0]: word for word in container.command}
    for number, argument in enumerate(job.texts("spec.trainer.args")):
        key = argument.partition("=")[0]
        if key in _PATHS and key in given and given[key] != argument:
            yield job.at("spec.trainer.args", number).report(
                f"'{argument}' comes after '{given[key]}' of the runtime",
                help="Remove it, or change it in the runtime together with the volume.",
            )
