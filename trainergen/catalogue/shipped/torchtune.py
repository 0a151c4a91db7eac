"""Fine-tuning of language models with TorchTune, one runtime a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.api import DependsOn, JobSetSpec, MLPolicy, TorchPolicy, VolumeClaimPolicy
from trainergen.catalogue.changing import Changing
from trainergen.catalogue.definition import FOREVER, Shipped
from trainergen.catalogue.parts import (
    DATASET,
    FRAMEWORK,
    MODEL,
    NODE,
    TRAINER,
    cluster_runtime,
    completed,
    replicated_job,
)
from trainergen.releases import Lifespan

if TYPE_CHECKING:
    from trainergen.api import ClusterTrainingRuntime
    from trainergen.api.fields import JsonMap

VOLUME = "initializer"
MOUNTS = [{"name": VOLUME, "mountPath": "/workspace"}]
CLAIM = VolumeClaimPolicy(
    templates=[
        {
            "metadata": {"name": VOLUME},
            "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "20Gi"}}},
        }
    ]
)
OWN_CLAIM = Changing({"2.0": True, "2.2": False})
"""Whether the user makes the claim, named as the runtime, or the JobSet does."""
# One dependency was the limit in the first release, hence the chain.
MODEL_WAITS: Changing[list[DependsOn]] = Changing({"2.0": completed(DATASET), "2.1": []})
NODE_WAITS = Changing({"2.0": completed(MODEL), "2.1": completed(DATASET, MODEL)})


@dataclass(frozen=True, slots=True)
class Tuned:
    """One model."""

    name: str
    config: str
    storage: str
    tokenizer: tuple[str, ...]

    def runtime(self, release: str) -> ClusterTrainingRuntime:
        """The runtime that fine-tunes the model."""
        claim = {"name": VOLUME, "persistentVolumeClaim": {"claimName": self.name}}
        pod: JsonMap = {"volumes": [claim]} if OWN_CLAIM.at(release) else {}
        model_waits = MODEL_WAITS.at(release)
        dataset, model = initializer(DATASET, "hf://tatsu-lab/alpaca"), initializer(MODEL, self.storage)
        jobs = [
            replicated_job(DATASET, dataset, step=DATASET, pod=pod),
            replicated_job(MODEL, model, step=MODEL, pod=pod, depends_on=model_waits),
            replicated_job(NODE, self._node(), step=TRAINER, pod=pod, depends_on=NODE_WAITS.at(release)),
        ]
        policies = None if OWN_CLAIM.at(release) else [CLAIM]
        return cluster_runtime(
            self.name,
            MLPolicy(num_nodes=1, torch=TorchPolicy(num_proc_per_node="auto")),
            JobSetSpec(volume_claim_policies=policies, replicated_jobs=jobs),
            labels={FRAMEWORK: "torchtune"},
        )

    def _node(self) -> JsonMap:
        return {
            "name": NODE,
            "image": "ghcr.io/kubeflow/trainer/torchtune-trainer",
            "command": tune_command(self.config, self.tokenizer),
            "resources": {"limits": {"nvidia.com/gpu": 2}},
            "volumeMounts": MOUNTS,
        }


def initializer(name: str, storage: str) -> JsonMap:
    """The container that downloads what lies at ``storage``."""
    return {
        "name": name,
        "image": f"ghcr.io/kubeflow/trainer/{name}",
        "env": [{"name": "STORAGE_URI", "value": storage}],
        "volumeMounts": MOUNTS,
    }


def tune_command(config: str, tokenizer: tuple[str, ...]) -> list[str]:
    """Full fine-tuning on one node; a TrainJob whose command is ``tune run`` has it written anew by Trainer."""
    return [
        "tune",
        "run",
        "--rdzv_endpoint=localhost:29500",
        "full_finetune_distributed",
        "--config",
        config,
        "dataset=torchtune.datasets.instruct_dataset",
        "dataset.source=parquet",
        "dataset.data_dir=/workspace/dataset/data",
        "output_dir=/workspace/output",
        *tokenizer,
        "checkpointer.checkpoint_dir=/workspace/model",
    ]


LLAMA_TOKENIZER = ("tokenizer.path=/workspace/model/original/tokenizer.model",)
QWEN_TOKENIZER = ("tokenizer.path=/workspace/model/vocab.json", "tokenizer.merges_file=/workspace/model/merges.txt")
ABOUT = (
    "Fine-tunes {} on one node. Dataset and model are downloaded to a shared volume first; Trainer writes the command "
    "of a TrainJob that says just 'tune run', and finds the model by the name of this runtime."
)


def _shipped(tuned: Tuned, title: str, file: str, lifespan: Lifespan) -> Shipped:
    return Shipped(
        about=ABOUT.format(title),
        source=f"manifests/base/runtimes/torchtune/{file}",
        runtime=tuned.runtime,
        lifespan=lifespan,
    )


LLAMA_1B = _shipped(
    Tuned("torchtune-llama3.2-1b", "llama3_2/1B_full", "hf://meta-llama/Llama-3.2-1B-Instruct", LLAMA_TOKENIZER),
    "Llama 3.2 1B Instruct",
    "llama3_2/llama3_2_1B.yaml",
    FOREVER,
)
LLAMA_3B = _shipped(
    Tuned("torchtune-llama3.2-3b", "llama3_2/3B_full", "hf://meta-llama/Llama-3.2-3B-Instruct", LLAMA_TOKENIZER),
    "Llama 3.2 3B Instruct",
    "llama3_2/llama3_2_3B.yaml",
    FOREVER,
)
QWEN = _shipped(
    Tuned("torchtune-qwen2.5-1.5b", "qwen2_5/1.5B_full", "hf://Qwen/Qwen2.5-1.5B-Instruct", QWEN_TOKENIZER),
    "Qwen 2.5 1.5B Instruct",
    "qwen2_5/qwen2_5_1.5B.yaml",
    Lifespan(since="2.1"),
)
