"""PyTorch, alone and with the distributed data cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api import JobSetSpec, MLPolicy, TorchPolicy
from trainergen.catalogue.changing import Changing
from trainergen.catalogue.definition import Shipped
from trainergen.catalogue.parts import (
    DATASET,
    FRAMEWORK,
    NODE,
    TRAINER,
    UNCHECKED,
    cluster_runtime,
    completed,
    replicated_job,
    trainjob_name,
)
from trainergen.releases import Lifespan, get_release

if TYPE_CHECKING:
    from trainergen.api import ClusterTrainingRuntime
    from trainergen.api.fields import JsonMap

LABELS = {FRAMEWORK: "torch"}
POLICY = MLPolicy(num_nodes=1, torch=TorchPolicy(num_proc_per_node="auto"))
IMAGE = Changing(
    {
        "2.0": "pytorch/pytorch:2.7.1-cuda12.8-cudnn9-runtime",
        "2.2": "pytorch/pytorch:2.10.0-cuda12.8-cudnn9-runtime",
        "2.3": "pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime",
    }
)
SHOWS_ITS_ENVIRONMENT = (
    'echo "Torch Distributed Runtime"\n\necho "--------------------------------------"\n'
    'echo "Torch Default Runtime Env"\nenv | grep PET_\n\npip list\n'
)
COMMAND: Changing[JsonMap] = Changing({"2.0": {"command": ["/bin/bash", "-c", SHOWS_ITS_ENVIRONMENT]}, "2.1": {}})
CACHE_LABELS = Changing({"2.1": LABELS, "2.3": LABELS | UNCHECKED})


def _torch_distributed(release: str) -> ClusterTrainingRuntime:
    container = {"name": NODE, "image": IMAGE.at(release), **COMMAND.at(release)}
    jobs = [replicated_job(NODE, container, step=TRAINER)]
    return cluster_runtime("torch-distributed", POLICY, JobSetSpec(replicated_jobs=jobs), labels=LABELS)


def _with_cache(release: str) -> ClusterTrainingRuntime:
    cache = {
        "name": DATASET,
        "image": "ghcr.io/kubeflow/trainer/dataset-initializer",
        "env": [
            {"name": "CACHE_IMAGE", "value": f"ghcr.io/kubeflow/trainer/data-cache:{get_release(release).tag}"},
            trainjob_name(),
        ],
    }
    node = {"name": NODE, "image": IMAGE.at(release), "env": [trainjob_name()]}
    account = {"serviceAccountName": "kubeflow-trainer-cache-initializer"}
    initializer = replicated_job(DATASET, cache, step=DATASET, pod=account)
    initializer.replicas = 1
    trainer = replicated_job(NODE, node, step=TRAINER, depends_on=completed(DATASET))
    return cluster_runtime(
        "torch-distributed-with-cache",
        POLICY,
        JobSetSpec(replicated_jobs=[initializer, trainer]),
        labels=CACHE_LABELS.at(release),
    )


TORCH_DISTRIBUTED = Shipped(
    about="PyTorch on any number of nodes. The variables of torchrun are set; the TrainJob brings the command, which "
    "has to be torchrun or something that reads them.",
    source="manifests/base/runtimes/torch_distributed.yaml",
    runtime=_torch_distributed,
)
TORCH_DISTRIBUTED_WITH_CACHE = Shipped(
    about="PyTorch that reads its data from a distributed cache, which the dataset initializer starts in the namespace "
    "of the TrainJob. It needs LeaderWorkerSet in the cluster and the service account of the initializer in each "
    "namespace.",
    source="manifests/base/runtimes/data-cache/torch_distributed_with_cache.yaml",
    runtime=_with_cache,
    lifespan=Lifespan(since="2.1"),
)
