"""What is refused in a TrainJob that runs ``tune run``."""

from __future__ import annotations

import pytest

import trainergen
from tests.admission.webhooks.world import job, runtime, said_by, train_job
from trainergen.admission.webhooks.torchtune import lora_is_on, model_of, qlora_is_on

ALL = ("2.0", "2.1", "2.2", "2.3")
QLORA = ["model.lora_attn_modules=[q_proj]", "model.quantize_base=True"]
LORA = QLORA[:1]
DEVICES = ["qlora-devices spec.trainer.numProcPerNode", "qlora-devices spec.trainer.resourcesPerNode"]


def tune(**trainer):
    """A TrainJob with the command ``tune run``; numNodes and numProcPerNode are set, which all releases check."""
    return {"trainer": {"command": ["tune", "run"], "numNodes": 1, "numProcPerNode": 2, **trainer}}


def on(name: str, gpus: int | None = None):
    """A torch runtime of that name, and a TrainJob on it."""
    node = {"name": "node"} | ({} if gpus is None else {"resources": {"limits": {"nvidia.com/gpu": gpus}}})
    return {"runtime": runtime({"torch": {}}, name=name, jobs=[job(containers=[node])]), "more": {"ref": name}}


SMALL = on("torchtune-llama3.2-1b")
LARGE = on("torchtune-llama3.3-70b")
QWEN = on("torchtune-qwen2.5-1.5b")

CASES = {
    "a supported model on one node": {**SMALL, "spec": tune(), "release": "2.0 2.1 2.2 2.3"},
    "the model must be supported by the release": {
        **on("torchtune-llama3.2-3b"),
        "spec": tune(),
        "said": {"2.0": ["unsupported-tune-model spec.runtimeRef.name"], "2.1": [], "2.2": [], "2.3": []},
    },
    "a model may be supported by an old release alone": {
        **on("torchtune-llama3.2-7b"),
        "spec": tune(),
        "said": {
            "2.0": [],
            "2.1": ["unsupported-tune-model spec.runtimeRef.name"],
            "2.3": ["unsupported-tune-model spec.runtimeRef.name"],
        },
    },
    "a runtime name without three parts gives no model": {
        **on("my-tune"),
        "spec": tune(),
        "said": said_by(ALL, ["unsupported-tune-model spec.runtimeRef.name"]),
    },
    "another command is not looked at": {
        **on("my-tune"),
        "spec": tune(command=["tune", "run", "x"]),
        "release": "2.0 2.1 2.2 2.3",
    },
    "a small model runs on one node": {
        **SMALL,
        "spec": tune(numNodes=2),
        "said": said_by(ALL, ["tune-nodes spec.trainer.numNodes"]),
    },
    "the large model runs on several": {**LARGE, "spec": tune(numNodes=4), "release": "2.0 2.1 2.2 2.3"},
    "before 2.2 the webhook crashes without numNodes": {
        **SMALL,
        "spec": {"trainer": {"command": ["tune", "run"], "numProcPerNode": 2}},
        "said": {
            "2.0": ["tune-without-nodes spec.trainer.numNodes"],
            "2.1": ["tune-without-nodes spec.trainer.numNodes"],
            "2.2": [],
            "2.3": [],
        },
    },
    "QLoRA of a small model needs a single device": {
        **SMALL,
        "spec": tune(args=QLORA),
        "said": {"2.0": [], "2.1": DEVICES, "2.2": DEVICES, "2.3": DEVICES},
    },
    "one process is a single device": {**SMALL, "spec": tune(args=QLORA, numProcPerNode=1), "release": "2.1 2.2 2.3"},
    "one GPU is a single device": {
        **SMALL,
        "spec": tune(args=QLORA, resourcesPerNode={"requests": {"nvidia.com/gpu": 1}}),
        "release": "2.1 2.2 2.3",
    },
    "one GPU of the runtime is a single device": {
        **on("torchtune-llama3.2-1b", gpus=1),
        "spec": tune(args=QLORA),
        "release": "2.1 2.2 2.3",
    },
    "resources of the TrainJob hide those of the runtime": {
        **on("torchtune-llama3.2-1b", gpus=1),
        "spec": tune(args=QLORA, resourcesPerNode={"requests": {"cpu": "4"}}),
        "said": DEVICES,
    },
    "requests for GPUs come before limits": {
        **SMALL,
        "spec": tune(args=QLORA, resourcesPerNode={"requests": {"gpu.intel.com/i915": 2}, "limits": {"x/GPU": 1}}),
        "said": DEVICES,
    },
    "a request for no GPU leaves it to the limits": {
        **SMALL,
        "spec": tune(args=QLORA, resourcesPerNode={"requests": {"x/gpu": 0}, "limits": {"x/gpu": "1"}}),
    },
    "a quarter of a GPU counts as one": {
        **SMALL,
        "spec": tune(args=QLORA, resourcesPerNode={"limits": {"x/gpu": "250m"}}),
    },
    "a job without a node container has no GPUs to count": {
        "runtime": runtime({"torch": {}}, name="torchtune-llama3.2-1b", jobs=[job(containers=[{"name": "main"}])]),
        "more": {"ref": "torchtune-llama3.2-1b"},
        "spec": tune(args=QLORA),
        "said": DEVICES,
    },
    "DoRA is not QLoRA": {
        **SMALL,
        "spec": tune(args=[*QLORA, "model.use_dora=True"]),
        "release": "2.1 2.2 2.3",
    },
    "a false flag counted as true before 2.3": {
        **SMALL,
        "spec": tune(args=["model.quantize_base=False"]),
        "said": {"2.1": DEVICES, "2.2": DEVICES, "2.3": []},
    },
    "QLoRA does not work with Qwen": {
        **QWEN,
        "spec": tune(args=QLORA),
        "said": said_by(("2.1", "2.2", "2.3"), ["qlora-model spec.runtimeRef.name"]),
    },
    "nor on a single device": {
        **QWEN,
        "spec": tune(args=QLORA, numProcPerNode=1),
        "said": ["qlora-model spec.runtimeRef.name"],
    },
    "LoRA on several nodes is refused since 2.3": {
        **LARGE,
        "spec": tune(args=LORA, numNodes=2),
        "said": {"2.1": [], "2.2": [], "2.3": ["lora-nodes spec.trainer.numNodes"]},
    },
    "so is QLoRA": {
        **LARGE,
        "spec": tune(args=["model.quantize_base=true"], numNodes=2),
        "said": ["lora-nodes spec.trainer.numNodes"],
    },
    "options of the runtime are locked since 2.3": {
        **SMALL,
        "spec": tune(args=["dataset=x", "output_dir=/o", "tokenizer.path", "checkpointer.checkpoint_dir=a=b"]),
        "said": {
            "2.2": [],
            "2.3": [f"locked-tune-arg spec.trainer.args[{at}]" for at in (1, 2, 3)],
        },
    },
}


def test_a_train_job_that_runs_torchtune(case, check_case):
    """What the webhook says of the table's cases."""
    check_case(case)


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("torchtune-llama3.2-1b", "llama3_2/1B"),
        ("torchtune-qwen2.5-1.5b", "qwen2_5/1.5B"),
        ("torchtune-llama", ""),
        ("my-torchtune-llama3.2-1b", ""),
        ("", ""),
    ],
)
def test_the_model_is_in_the_name_of_the_runtime(name, model):
    """Three parts between hyphens give a model, dots in the second become underscores."""
    assert model_of(name) == model


def test_gpus_that_are_no_quantity_count_as_none():
    """The schema refuses them, and the other checks go on."""
    spec = tune(args=QLORA, resourcesPerNode={"limits": {"x/gpu": "many"}})
    admission = trainergen.admit(train_job(spec, ref="torchtune-llama3.2-1b"), objects=[SMALL["runtime"]])
    names = [finding.name for finding in admission.findings]
    assert names == ["pattern-mismatch", "qlora-devices", "qlora-devices"]


def test_flags_are_found_anywhere_in_a_key_and_blanks_around_their_value_do_not_count():
    """The key only has to contain the option."""
    assert qlora_is_on(["x.model.quantize_base.y= TRUE "], values_count=True)
    assert not qlora_is_on(["model.quantize_base"], values_count=True)
    assert qlora_is_on(["model.quantize_base"], values_count=False)
    assert lora_is_on(["--model.lora_attn_modules"])
