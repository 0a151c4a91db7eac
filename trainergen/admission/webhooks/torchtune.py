"""Checks of TrainJobs that run ``tune run``, which the Torch plugin turns into a recipe of TorchTune.

Source: kubeflow/trainer pkg/runtime/framework/plugins/torch/torchtune.go @ v2.1.0, v2.2.1, v2.3.0, torch.go @ v2.0.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.webhooks import checks
from trainergen.admission.webhooks.resources import gpus_per_node
from trainergen.api.access import integer_at, list_at, text_at

if TYPE_CHECKING:
    from trainergen.admission.webhooks.review import Outcomes, Review
    from trainergen.finding import Finding, JsonObject

ENTRYPOINT = ["tune", "run"]
LOCKED_ARGS = ("output_dir", "tokenizer.path", "tokenizer.merges_file", "checkpointer.checkpoint_dir")
MULTI_NODE_MODEL = "llama3_3/70B"
NO_QLORA_MODEL = "qwen2_5/1.5B"
ONE_DEVICE_QLORA_MODELS = ("llama3_2/1B", "llama3_2/3B")
_LORA, _QLORA, _DORA = "model.lora_attn_modules", "model.quantize_base", "model.use_dora"
_NODES = ("spec", "trainer", "numNodes")
_RUNTIME_NAME = ("spec", "runtimeRef", "name")


def model_of(runtime_name: str) -> str:
    """The model that a runtime's name stands for (``torchtune-llama3.2-1b``: ``llama3_2/1B``), empty for none."""
    parts = runtime_name.split("-")
    return f"{parts[1].replace('.', '_')}/{parts[2].upper()}" if len(parts) == 3 else ""


def lora_is_on(args: list[str]) -> bool:
    """True when the arguments ask for LoRA."""
    return any(_LORA in arg for arg in args)


def qlora_is_on(args: list[str], *, values_count: bool) -> bool:
    """True when the arguments ask for QLoRA and not for DoRA; ``values_count`` if a value of false turns either off."""
    return _flag(args, _QLORA, values_count=values_count) and not _flag(args, _DORA, values_count=values_count)


def _flag(args: list[str], option: str, *, values_count: bool) -> bool:
    if not values_count:
        return any(option in arg for arg in args)
    pairs = [arg.partition("=") for arg in args]
    return any(option in key and value.strip().lower() == "true" for key, _, value in pairs)


def check(review: Review, trainer: JsonObject) -> Outcomes:
    """What the Torch plugin refuses in a TrainJob with the command ``tune run``."""
    behaviours = review.request.behaviours
    runtime_name = text_at(review.request.job, "spec", "runtimeRef", "name")
    model = model_of(runtime_name)
    if model not in behaviours.torchtune_models:
        yield _unsupported_model(runtime_name, model, behaviours.torchtune_models)
    nodes = integer_at(trainer, "numNodes")
    if nodes is None and behaviours.torchtune_needs_nodes:
        yield checks.TUNE_WITHOUT_NODES.at(
            _NODES,
            "numNodes is absent, but the webhook reads it for 'tune run' and crashes, which fails the request",
            help="Set spec.trainer.numNodes.",
        )
        return
    nodes = 1 if nodes is None else nodes
    args = [arg for arg in list_at(trainer, "args") if isinstance(arg, str)]
    if nodes > 1 and model != MULTI_NODE_MODEL:
        yield checks.TUNE_NODES.at(
            _NODES,
            f"numNodes is {nodes}, but TorchTune trains the model '{model}' on one node only",
            help=f"Set numNodes to 1; only {MULTI_NODE_MODEL} runs on several.",
        )
    if behaviours.torchtune_qlora_limits:
        yield from _qlora(review, trainer, args, nodes)
    if behaviours.torchtune_lora_on_one_node and nodes > 1:
        yield from _lora_nodes(review, args, nodes)
    if behaviours.torchtune_locks_args:
        yield from _locked_args(trainer)


def _unsupported_model(runtime_name: str, model: str, supported: frozenset[str]) -> Finding:
    seen = f"model '{model}'" if model else "no model, since it has not three parts"
    return checks.UNSUPPORTED_TUNE_MODEL.at(
        _RUNTIME_NAME,
        f"runtime name '{runtime_name}' gives {seen}, but TorchTune supports only {', '.join(sorted(supported))}",
        help="Refer to a runtime named as in torchtune-llama3.2-1b, or drop the command 'tune run'.",
    )


def _qlora(review: Review, trainer: JsonObject, args: list[str], nodes: int) -> Outcomes:
    if nodes != 1 or not qlora_is_on(args, values_count=review.request.behaviours.torchtune_flag_values):
        return
    name = text_at(review.request.job, "spec", "runtimeRef", "name")
    model = model_of(name)
    if model == NO_QLORA_MODEL:
        yield checks.QLORA_MODEL.at(
            _RUNTIME_NAME,
            f"runtime '{name}' stands for model '{model}', which TorchTune cannot train with QLoRA",
            help=f"Remove {_QLORA} from spec.trainer.args, or refer to the runtime of another model.",
        )
    gpus = gpus_per_node(review)
    processes = trainer.get("numProcPerNode", "auto")
    if model in ONE_DEVICE_QLORA_MODELS and processes != 1 and gpus != 1:
        yield checks.QLORA_DEVICES.at(
            ("spec", "trainer", "numProcPerNode"),
            f"numProcPerNode is '{processes}', but QLoRA of model '{model}' runs on one device only",
            help="Set numProcPerNode to 1, or ask for one GPU in resourcesPerNode.",
        )
        yield checks.QLORA_DEVICES.at(
            ("spec", "trainer", "resourcesPerNode"),
            f"a node has {gpus} GPUs, but QLoRA of model '{model}' runs on exactly one",
            help="Ask for one GPU in resourcesPerNode, or set numProcPerNode to 1.",
        )


def _lora_nodes(review: Review, args: list[str], nodes: int) -> Outcomes:
    if lora_is_on(args) or qlora_is_on(args, values_count=review.request.behaviours.torchtune_flag_values):
        yield checks.LORA_NODES.at(
            _NODES,
            f"numNodes is {nodes}, but TorchTune fine-tunes with LoRA on one node only",
            help="Set numNodes to 1, or remove the LoRA arguments.",
        )


def _locked_args(trainer: JsonObject) -> Outcomes:
    for at, arg in enumerate(list_at(trainer, "args")):
        key = str(arg).partition("=")[0]
        if key in LOCKED_ARGS:
            yield checks.LOCKED_TUNE_ARG.at(
                ("spec", "trainer", "args", at),
                f"args set '{key}', which belongs to the runtime",
                help=f"Remove the argument; the command of the runtime sets {key}.",
            )
