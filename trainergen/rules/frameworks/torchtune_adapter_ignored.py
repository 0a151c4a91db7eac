"""Arguments for LoRA where the controller chose another recipe."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_FLAGS = frozenset({"model.use_dora", "model.quantize_base"})
_SHORTEST = 3


@rule(
    "TG413",
    "torchtune-adapter-ignored",
    severity="error",
    triggers=("torch",),
    mirrors="kubeflow/trainer#3302",
    answers=("A32",),
)
def torchtune_adapter_ignored(job: Job) -> Findings:
    """Arguments ask for LoRA or a full fine-tuning, and the controller chooses another recipe.

    ## Why
    The recipe follows from few arguments, which are found by parts of their text: LoRA needs `model.lora_attn_modules`,
    DoRA as well, and on several nodes the wish is dropped. Before 2.3 `model.quantize_base=False` chooses QLoRA. The
    training runs, with many times the memory or with another result than wanted, or stops because the recipe does not
    know the argument.

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
          - model.use_dora=True  # <-
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 1
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
          - model.use_dora=True
          - "model.lora_attn_modules=[q_proj,v_proj]"
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 1
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    if container is None or job.texts("spec.trainer.command") != ["tune", "run"] or len(container.command) < _SHORTEST:
        return
    config = container.command[container.command.index("--config") + 1] if "--config" in container.command else ""
    for number, argument in enumerate(job.texts("spec.trainer.args")):
        key, _, value = argument.partition("=")
        wanted = value.strip().lower() == "true"
        adapts = key.startswith("model.lora_") or (key in _FLAGS and wanted)
        if adapts and "_full" in config:
            yield job.at("spec.trainer.args", number).report(
                f"'{argument}' asks for an adapter, but the controller chooses '{config}', which trains all weights",
                help="Train on one node, and name the layers in model.lora_attn_modules.",
            )
        elif key == "model.quantize_base" and not wanted and "_qlora" in config:
            yield job.at("spec.trainer.args", number).report(
                f"'{argument}' makes the controller choose '{config}', for its value is not looked at",
                help="Remove the argument.",
            )
