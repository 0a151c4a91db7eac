"""Fine-tuning with TorchTune."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api import (
    Initialization,
    Initializer,
    LocalObjectReference,
    MLPolicy,
    TorchPolicy,
    Trainer,
    VolumeClaimPolicy,
    VolumeRetentionPolicy,
)
from trainergen.catalogue.definition import Recipe
from trainergen.catalogue.parts import DATASET, FRAMEWORK, MODEL, NODE, TRAINER, cluster_runtime, completed
from trainergen.catalogue.recipes.example import example_job, per_node
from trainergen.catalogue.recipes.hardening import (
    HOME_MOUNT,
    SHARED_MEMORY_MOUNT,
    Size,
    hardened_job,
    hardened_jobset,
    home,
    in_home,
    pod,
    shared_memory,
)
from trainergen.catalogue.shipped.torchtune import LLAMA_TOKENIZER, VOLUME, tune_command
from trainergen.releases import Lifespan

if TYPE_CHECKING:
    from trainergen.api import ReplicatedJob

NAME = "finetune-llama3.2-1b"
DATASET_URI, MODEL_URI = "hf://tatsu-lab/alpaca", "hf://meta-llama/Llama-3.2-1B-Instruct"
SIZE = Size(cpu=16, memory="128Gi", gpus=2)
DOWNLOAD = Size(cpu=2, memory="8Gi")
WORKSPACE = {"name": VOLUME, "mountPath": "/workspace"}
CLAIM = VolumeClaimPolicy(
    templates=[
        {
            "metadata": {"name": VOLUME},
            "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "50Gi"}}},
        }
    ],
    # The fine-tuned model lies on it, and should not go with the TrainJob.
    retention_policy=VolumeRetentionPolicy(when_deleted="Retain"),
)


def _download(name: str, uri: str, *after: str) -> ReplicatedJob:
    fetch = in_home(
        name,
        f"ghcr.io/kubeflow/trainer/{name}:v2.3.0",
        DOWNLOAD,
        env=[{"name": "STORAGE_URI", "value": uri}],
        volumeMounts=[HOME_MOUNT, WORKSPACE],
        # The program is found from there.
        workingDir="/app",
    )
    in_pod = pod(grace=30, volumes=[home()])
    return hardened_job(
        name,
        fetch,
        in_pod,
        step=name,
        depends_on=completed(*after),
        backoffLimit=3,
        activeDeadlineSeconds=2 * 60 * 60,
    )


_node = in_home(
    NODE,
    "ghcr.io/kubeflow/trainer/torchtune-trainer:v2.3.0",
    SIZE,
    env=[{"name": "PYTHONUNBUFFERED", "value": "1"}],
    command=tune_command("llama3_2/1B_full", LLAMA_TOKENIZER),
    volumeMounts=[HOME_MOUNT, SHARED_MEMORY_MOUNT, WORKSPACE],
)
_pod = pod(grace=120, volumes=[home(), shared_memory("16Gi")])

TORCHTUNE = Recipe(
    use="Fine-tuning Llama 3.2 1B with TorchTune on the GPUs of one node. Dataset, model and training come one after "
    "the other, so that a volume that one machine at a time can mount is enough.",
    change=(
        (
            "The name, for another model: it has three parts, and Trainer reads the model from the last two "
            "(finetune-llama3.2-3b, finetune-qwen2.5-1.5b). Change the config and the tokenizer in the command with it."
        ),
        (
            "Storage of the claim, to what dataset, model and output need, and its storageClassName. It outlives the "
            "TrainJob: delete it when the model is elsewhere."
        ),
        (
            "The TrainJob's Secret hf-token holds ACCESS_TOKEN for the gated model. Its command is 'tune run' alone; "
            "then Trainer chooses recipe and config, by the arguments too, and keeps the paths that are set here."
        ),
    ),
    lifespan=Lifespan(since="2.2"),
    runtime=cluster_runtime(
        NAME,
        MLPolicy(num_nodes=1, torch=TorchPolicy()),
        hardened_jobset(
            _download(DATASET, DATASET_URI),
            _download(MODEL, MODEL_URI, DATASET),
            hardened_job(NODE, _node, _pod, step=TRAINER, depends_on=completed(MODEL)),
            claims=[CLAIM],
        ),
        labels={FRAMEWORK: "torchtune"},
    ),
    job=example_job(
        NAME,
        Trainer(
            command=["tune", "run"],
            args=[
                "dataset=torchtune.datasets.instruct_dataset",
                "dataset.source=parquet",
                "dataset.data_dir=/workspace/dataset/data",
                "epochs=1",
            ],
            num_nodes=1,
            resources_per_node=per_node(SIZE),
        ),
        initializer=Initializer(
            dataset=Initialization(storage_uri=DATASET_URI),
            model=Initialization(storage_uri=MODEL_URI, secret_ref=LocalObjectReference(name="hf-token")),
        ),
    ),
)
