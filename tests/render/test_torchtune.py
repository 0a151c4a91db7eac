"""The command line of torchtune."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import container, env, job_of, node, rendered, runtime, trainer_job
from trainergen.render.torchtune import Tuning, model_of, recipe_and_suffix, uses_qlora

RUNTIME_COMMAND = ["tune", "run", "dataset.source=parquet", "output_dir=/data/out", "tokenizer.path=/data/tok"]
KEPT = ["output_dir=/data/out", "tokenizer.path=/data/tok"]
RENDEZVOUS = "--rdzv_endpoint=ft-node-0-0.ft:29500"
LORA = "model.lora_attn_modules=[q_proj]"
QUANTIZED = "model.quantize_base=True"


def tune(
    trainer: dict[str, Any], *, gpus: int = 2, name: str = "torchtune-llama3.2-1b", release: str = "2.3", **policy: Any
) -> Any:
    resources = {"limits": {"nvidia.com/gpu": gpus}} if gpus else {}
    job = trainer_job(container(command=RUNTIME_COMMAND, resources=resources))
    rt = runtime(job, name=name, policy={"torch": {}, **policy})
    trainer = {"command": ["tune", "run"], **trainer}
    return rendered(trainer, rt, release=release, name="ft", runtimeRef={"name": name})


def after(result: Any) -> list[str]:
    command = list(node(result)["command"])
    assert command[:2] == ["tune", "run"]
    return command[2:]


# trainer, words after "tune run"
COMMANDS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "two GPUs of the runtime": ({}, [RENDEZVOUS, "full_finetune_distributed", "--config", "llama3_2/1B_full", *KEPT]),
    "one GPU in the TrainJob": (
        {"resourcesPerNode": {"limits": {"nvidia.com/gpu": 1}}},
        ["full_finetune_single_device", "--config", "llama3_2/1B_full_single_device", *KEPT],
    ),
    "LoRA": ({"args": [LORA]}, [RENDEZVOUS, "lora_finetune_distributed", "--config", "llama3_2/1B_lora", *KEPT]),
    "LoRA with a quantised base and one process": (
        {"args": [LORA, QUANTIZED], "numProcPerNode": 1},
        ["lora_finetune_single_device", "--config", "llama3_2/1B_qlora_single_device", *KEPT],
    ),
    "the same with DoRA": (
        {"args": [LORA, QUANTIZED, "model.use_dora=True"], "numProcPerNode": 1},
        ["lora_finetune_single_device", "--config", "llama3_2/1B_lora_single_device", *KEPT],
    ),
    "a quantised base alone": (
        {"args": [QUANTIZED]},
        [RENDEZVOUS, "lora_finetune_distributed", "--config", "llama3_2/1B_qlora", *KEPT],
    ),
    "several nodes, where LoRA is dropped": (
        {"args": [LORA], "numNodes": 3},
        [RENDEZVOUS, "full_finetune_distributed", "--config", "llama3_2/1B_full_multinode", *KEPT],
    ),
}


@pytest.mark.parametrize("case", COMMANDS)
def test_the_command_is_rewritten(case: str) -> None:
    trainer, expected = COMMANDS[case]
    assert after(tune(trainer)) == expected


def test_arguments_stay_and_the_master_is_not_set_but_the_port_is() -> None:
    result = tune({"args": [LORA]})
    assert node(result)["args"] == [LORA]
    assert list(env(result)) == ["PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK"]
    assert node(result)["ports"] == [{"containerPort": 29500}]
    assert env(result)["PET_NPROC_PER_NODE"] == "auto"


def test_eight_processes_on_two_nodes_are_set_as_given() -> None:
    result = tune({"numNodes": 2, "numProcPerNode": 8}, name="torchtune-llama3.3-70b")
    assert (env(result)["PET_NNODES"], env(result)["PET_NPROC_PER_NODE"]) == ("2", "8")
    assert after(result)[:4] == [RENDEZVOUS, "full_finetune_distributed", "--config", "llama3_3/70B_full_multinode"]


def test_a_node_count_of_the_runtime_chooses_a_config_that_does_not_exist_for_the_model() -> None:
    assert "llama3_2/1B_full_multinode" in after(tune({}, numNodes=2))


@pytest.mark.parametrize("command", [["tune"], ["tune", "run", "x"], ["bash"], None])
def test_any_other_command_is_left_alone_and_gets_the_master(command: list[str] | None) -> None:
    result = tune({"command": command})
    assert node(result)["command"] == (command or RUNTIME_COMMAND)
    assert "PET_MASTER_ADDR" in env(result)


def test_overrides_come_only_from_the_container_node_of_labelled_jobs() -> None:
    jobs = [
        job_of("aux", container(command=["output_dir=/aux"])),
        trainer_job(
            container(command=["output_dir=/node", "x=output_dir"]), container("side", command=["output_dir=/s"])
        ),
    ]
    result = rendered({"command": ["tune", "run"]}, runtime(*jobs, policy={"torch": {}}))
    assert [word for word in node(result)["command"] if word.startswith("output_dir")] == ["output_dir=/node"]


@pytest.mark.parametrize(("release", "kept"), [("2.0", False), ("2.1", True)])
def test_the_merges_file_survives_since_2_1(release: str, kept: bool) -> None:
    job = trainer_job(container(command=["tokenizer.merges_file=/m"]))
    result = rendered({"command": ["tune", "run"]}, runtime(job, policy={"torch": {}}), release=release)
    assert ("tokenizer.merges_file=/m" in node(result)["command"]) is kept


def test_the_first_release_knew_neither_adapters_nor_single_gpus() -> None:
    trainer = {"args": [LORA], "resourcesPerNode": {"requests": {"nvidia.com/gpu": 1}}}
    expected = [RENDEZVOUS, "full_finetune_distributed", "--config", "llama3_2/1B_full", *KEPT]
    assert after(tune(trainer, release="2.0")) == expected
    one = tune({"numProcPerNode": 1}, release="2.0")
    assert after(one) == ["full_finetune_single_device", "--config", "llama3_2/1B_full_single_device", *KEPT]


MODELS = {
    "torchtune-llama3.2-1b": "llama3_2/1B",
    "torchtune-qwen2.5-1.5b": "qwen2_5/1.5B",
    "torchtune-llama": "",
    "torchtune-llama-3.2-1b": "",
    "": "",
}


@pytest.mark.parametrize("name", MODELS)
def test_the_model_is_in_a_name_of_three_parts(name: str) -> None:
    assert model_of(name) == MODELS[name]


ONE, MANY = "single_device", "distributed"
RECIPES: dict[str, tuple[Tuning, tuple[str, str]]] = {
    "one process": (Tuning(1, 1, 0), (f"full_finetune_{ONE}", "_full_single_device")),
    "one process though there are four GPUs": (Tuning(1, 1, 4), (f"full_finetune_{ONE}", "_full_single_device")),
    "one GPU": (Tuning(1, "auto", 1), (f"full_finetune_{ONE}", "_full_single_device")),
    "LoRA on one GPU": (Tuning(1, "auto", 1, lora=True), (f"lora_finetune_{ONE}", "_lora_single_device")),
    "QLoRA on one GPU": (Tuning(1, "auto", 1, qlora=True), (f"lora_finetune_{ONE}", "_qlora_single_device")),
    "LoRA on one node": (Tuning(1, "auto", 2, lora=True), (f"lora_finetune_{MANY}", "_lora")),
    "QLoRA beats LoRA on one node": (Tuning(1, 4, 4, lora=True, qlora=True), (f"lora_finetune_{MANY}", "_qlora")),
    "four processes": (Tuning(1, 4, 0), (f"full_finetune_{MANY}", "_full")),
    "several nodes": (Tuning(2, 1, 1, lora=True), (f"full_finetune_{MANY}", "_full_multinode")),
}


@pytest.mark.parametrize("case", RECIPES)
def test_recipes(case: str) -> None:
    tuning, expected = RECIPES[case]
    assert recipe_and_suffix(tuning) == expected


# arguments, uses QLoRA since 2.3, uses QLoRA before
QLORA: dict[str, tuple[list[str], bool, bool]] = {
    "a quantised base": ([QUANTIZED], True, True),
    "in any spelling of true": (["model.quantize_base= TRUE "], True, True),
    "not if it is false": (["model.quantize_base=False"], False, True),
    "not without a value": (["model.quantize_base"], False, True),
    "not with DoRA": ([QUANTIZED, "model.use_dora=True"], False, False),
    "but with DoRA set to false": ([QUANTIZED, "model.use_dora=False"], True, False),
    "the key may be part of a longer one": (["x.model.quantize_base.y=true"], True, True),
    "not without the key": ([LORA], False, False),
}


@pytest.mark.parametrize("case", QLORA)
def test_qlora(case: str) -> None:
    args, now, before = QLORA[case]
    assert (uses_qlora(args, by_value=True), uses_qlora(args, by_value=False)) == (now, before)


def test_a_false_flag_counted_as_true_before_2_3() -> None:
    trainer = {"args": ["model.quantize_base=False"]}
    assert "llama3_2/1B_qlora" in after(tune(trainer, release="2.2"))
    assert "llama3_2/1B_full" in after(tune(trainer))
