"""The command line of torchtune: recipe and config chosen from nodes, devices and arguments.

Source: kubeflow/trainer pkg/runtime/framework/plugins/torch/torchtune.go @ v2.1.0, v2.3.0, torch.go @ v2.0.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import list_at, text_at
from trainergen.render.model import NODE, TRAINER, TRAINER_PORT
from trainergen.render.resources import gpu_count
from trainergen.render.torch import TUNE

if TYPE_CHECKING:
    from trainergen.finding import JsonValue
    from trainergen.render.model import Draft


class Tuning(NamedTuple):
    """What recipe and config depend on."""

    nodes: int
    processes: int | str
    gpus: int
    lora: bool = False
    qlora: bool = False

    @property
    def single_device(self) -> bool:
        """True for one process on one node."""
        return self.nodes == 1 and (self.processes == 1 or self.gpus == 1)

    @property
    def rendezvous(self) -> bool:
        """True when several processes have to find each other."""
        return self.nodes > 1 or (self.processes if isinstance(self.processes, int) else self.gpus) > 1


def tune_command(draft: Draft, *, nodes: int, processes: int | str) -> list[JsonValue]:
    """The whole command of the trainer's container."""
    tuning = _tuning(draft, nodes, processes)
    recipe, suffix = recipe_and_suffix(tuning)
    # The first release knew one device only as one process, and let everything else meet.
    meets = tuning.rendezvous if draft.rendering.torchtune_adapters else nodes > 1 or processes != 1
    rendezvous: list[JsonValue] = [f"--rdzv_endpoint={draft.job.host}:{TRAINER_PORT}"] if meets else []
    config = model_of(text_at(draft.job.spec, "runtimeRef", "name")) + suffix
    return [*TUNE, *rendezvous, recipe, "--config", config, *_overrides(draft)]


def _tuning(draft: Draft, nodes: int, processes: int | str) -> Tuning:
    if not draft.rendering.torchtune_adapters:
        return Tuning(nodes, processes, gpus=0)
    args = [str(arg) for arg in list_at(draft.job.trainer, "args")]
    return Tuning(
        nodes,
        processes,
        gpus=gpu_count(draft.node_resources()),
        lora=any("model.lora_attn_modules" in arg for arg in args),
        qlora=uses_qlora(args, by_value=draft.behaviours.torchtune_flag_values),
    )


def recipe_and_suffix(tuning: Tuning) -> tuple[str, str]:
    """The recipe, and what the model's name is followed by in the name of the config."""
    devices, end = ("single_device", "_single_device") if tuning.single_device else ("distributed", "")
    # NB: on several nodes the wish for an adapter is dropped without a word.
    if tuning.nodes == 1 and (tuning.qlora or tuning.lora):
        return f"lora_finetune_{devices}", ("_qlora" if tuning.qlora else "_lora") + end
    if tuning.nodes > 1:
        end = "_multinode"
    return f"full_finetune_{devices}", "_full" + end


def uses_qlora(args: list[str], *, by_value: bool) -> bool:
    """True when the arguments ask for a quantised base, not for DoRA; ``by_value`` looks at what they are set to."""
    dora, quantised = (_asks(args, key, by_value=by_value) for key in ("model.use_dora", "model.quantize_base"))
    return quantised and not dora


def _asks(args: list[str], key: str, *, by_value: bool) -> bool:
    if not by_value:
        return any(key in arg for arg in args)
    pairs = [arg.partition("=") for arg in args]
    return any(key in name and value.strip().lower() == "true" for name, _, value in pairs)


def model_of(runtime: str) -> str:
    """The model in a runtime's name: ``torchtune-llama3.2-1b`` is ``llama3_2/1B``; empty unless it has three parts."""
    parts = runtime.split("-")
    return f"{parts[1].replace('.', '_')}/{parts[2].upper()}" if len(parts) == 3 else ""


def _overrides(draft: Draft) -> list[JsonValue]:
    """The words of the runtime's own command that survive: where data, tokenizer and checkpoints are."""
    kept = draft.rendering.torchtune_overrides
    commands = [
        list_at(container, "command")
        for pods in draft.pod_sets
        if pods.ancestor == TRAINER
        for container in pods.containers(NODE)
    ]
    return [word for command in commands for word in command if str(word).split("=")[0] in kept]
