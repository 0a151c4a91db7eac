"""PyTorch that reads from the distributed data cache."""

from __future__ import annotations

from trainergen.api import (
    EnvVar,
    FailurePolicyRule,
    Initialization,
    Initializer,
    MLPolicy,
    TorchPolicy,
    Trainer,
)
from trainergen.catalogue.definition import Recipe
from trainergen.catalogue.parts import (
    DATASET,
    FRAMEWORK,
    NODE,
    TRAINER,
    cluster_runtime,
    completed,
    trainjob_name,
)
from trainergen.catalogue.recipes.example import example_job, per_node, torch_script
from trainergen.catalogue.recipes.hardening import (
    HOME_MOUNT,
    Size,
    hardened_job,
    hardened_jobset,
    home,
    in_home,
    pod,
    shared_memory,
)
from trainergen.releases import Lifespan

NAME = "torch-data-cache"
SIZE = Size(cpu=8, memory="64Gi", gpus=1)
VOLUME = "initializer"
SCRIPT = """\
import os

import pyarrow.flight
import torch.distributed as dist

dist.init_process_group("gloo")
rank, processes = dist.get_rank(), dist.get_world_size()
cache = pyarrow.flight.connect(f"grpc://{os.environ['TRAIN_JOB_NAME']}-cache-service:50051")
shard = cache.get_flight_info(pyarrow.flight.FlightDescriptor.for_path(str(rank), str(processes)))
rows = 0
for endpoint in shard.endpoints:
    for location in endpoint.locations:
        for chunk in pyarrow.flight.connect(location.uri).do_get(endpoint.ticket):
            rows += chunk.data.num_rows
print(f"process {rank} of {processes} read {rows} rows")
dist.destroy_process_group()
"""

_cache = in_home(
    DATASET,
    "ghcr.io/kubeflow/trainer/dataset-initializer:v2.3.0",
    Size(cpu=1, memory="1Gi"),
    env=[{"name": "CACHE_IMAGE", "value": "ghcr.io/kubeflow/trainer/data-cache:v2.3.0"}, trainjob_name()],
    # Nothing is written to the second one, but since 2.3 no TrainJob may use an initializer that does not mount it.
    volumeMounts=[HOME_MOUNT, {"name": VOLUME, "mountPath": "/workspace"}],
    workingDir="/app",
)
_cache_pod = pod(
    grace=30,
    volumes=[home("1Gi"), {"name": VOLUME, "emptyDir": {"sizeLimit": "1Gi"}}],
    serviceAccountName="kubeflow-trainer-cache-initializer",
    automountServiceAccountToken=True,
)
_node = in_home(
    NODE,
    "ghcr.io/kubeflow/trainer/torchtune-trainer:v2.3.0",
    SIZE,
    env=[{"name": "PYTHONUNBUFFERED", "value": "1"}, trainjob_name()],
    command=["torchrun"],
)
_node_pod = pod(grace=120, volumes=[home(), shared_memory("16Gi")])
_TIMED_OUT = FailurePolicyRule(
    name="cacheNotReady",
    action="FailJobSet",
    on_job_failure_reasons=["DeadlineExceeded"],
    target_replicated_jobs=[DATASET],
)

DATA_CACHE = Recipe(
    use="Training with PyTorch on an Iceberg table that a cache in the cluster serves to all nodes, instead of each "
    "node downloading all of it.",
    change=(
        (
            "In the TrainJob, schema and table, the place of the table's metadata, and the IAM role. CLUSTER_SIZE, "
            "HEAD_CPU, HEAD_MEM, WORKER_CPU and WORKER_MEM size the cache."
        ),
        (
            "The namespace needs the service account kubeflow-trainer-cache-initializer, bound to the ClusterRole of "
            "that name; the cluster needs LeaderWorkerSet."
        ),
        "The initializer waits for the cache without end, hence the deadline of its Job. Raise it for a large table.",
        (
            "This runtime's Pods are 'restricted', but those of the cache, which the initializer makes, are not: let "
            "their namespace enforce 'baseline' and only warn of 'restricted'."
        ),
        "The image of the node has PyTorch and pyarrow. Replace it by your own.",
    ),
    lifespan=Lifespan(since="2.2"),
    runtime=cluster_runtime(
        NAME,
        MLPolicy(num_nodes=1, torch=TorchPolicy()),
        hardened_jobset(
            hardened_job(DATASET, _cache, _cache_pod, step=DATASET, backoffLimit=3, activeDeadlineSeconds=30 * 60),
            hardened_job(NODE, _node, _node_pod, step=TRAINER, depends_on=completed(DATASET)),
            rules=[_TIMED_OUT],
        ),
        labels={FRAMEWORK: "torch"},
    ),
    job=example_job(
        NAME,
        Trainer(num_nodes=2, args=torch_script(SCRIPT), resources_per_node=per_node(SIZE)),
        initializer=Initializer(
            dataset=Initialization(
                storage_uri="cache://reviews/train",
                env=[
                    EnvVar(name="METADATA_LOC", value="s3a://example-bucket/reviews/train/metadata/v1.metadata.json"),
                    EnvVar(name="IAM_ROLE", value="arn:aws:iam::123456789012:role/reviews-reader"),
                    EnvVar(name="CLUSTER_SIZE", value="3"),
                ],
            )
        ),
    ),
)
