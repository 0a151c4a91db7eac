"""Megatron-Core over several machines."""

from __future__ import annotations

from trainergen.api import MLPolicy, TorchPolicy, Trainer
from trainergen.catalogue.definition import Recipe
from trainergen.catalogue.parts import FRAMEWORK, NODE, TRAINER, cluster_runtime
from trainergen.catalogue.recipes.example import example_job, per_node, torch_script
from trainergen.catalogue.recipes.hardening import (
    Size,
    hardened_job,
    hardened_jobset,
    home,
    in_home,
    pod,
    shared_memory,
)
from trainergen.releases import Lifespan

NAME = "megatron"
IMAGE = "nvcr.io/nvidia/nemo:25.07"
SIZE = Size(cpu=96, memory="1Ti", gpus=8)
SCRIPT = """\
import os

import torch
import torch.distributed as dist
from megatron.core import parallel_state

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
parallel_state.initialize_model_parallel(tensor_model_parallel_size=8, pipeline_model_parallel_size=2)
total = torch.ones(1, device="cuda")
dist.all_reduce(total, group=parallel_state.get_tensor_model_parallel_group())
print(
    f"rank {dist.get_rank()}: tensor {parallel_state.get_tensor_model_parallel_rank()} of {int(total.item())},"
    f" stage {parallel_state.get_pipeline_model_parallel_rank()},"
    f" data {parallel_state.get_data_parallel_rank()}"
)
dist.destroy_process_group()
"""

_env = [
    {"name": "PYTHONUNBUFFERED", "value": "1"},
    # Megatron overlaps communication with computing by the order in which kernels enter one queue.
    {"name": "CUDA_DEVICE_MAX_CONNECTIONS", "value": "1"},
]
_node = in_home(NODE, IMAGE, SIZE, env=_env, command=["torchrun"])
_pod = pod(grace=600, volumes=[home("200Gi"), shared_memory("128Gi")])

MEGATRON = Recipe(
    use="Large models with tensor, pipeline and data parallelism (Megatron-Core, Megatron-LM, NeMo) over whole "
    "machines of eight GPUs: tensors are split within a machine, layers between machines.",
    change=(
        (
            "CPUs and memory, to what a machine can give; shared-memory counts as memory of the container, and each "
            "parallel group takes some of it."
        ),
        "The parallel sizes of your program: their product has to divide the number of GPUs.",
        (
            "For InfiniBand or EFA, the extended resource of the device in requests and limits. Where drivers demand "
            "the capability IPC_LOCK, the Pod is no longer 'restricted'."
        ),
        "For checkpoints, a claim that all nodes can write to, as a further volume; home is lost with the Pod.",
    ),
    lifespan=Lifespan(since="2.2"),
    runtime=cluster_runtime(
        NAME,
        MLPolicy(num_nodes=2, torch=TorchPolicy()),
        hardened_jobset(hardened_job(NODE, _node, _pod, step=TRAINER)),
        labels={FRAMEWORK: "torch"},
    ),
    job=example_job(NAME, Trainer(num_nodes=2, args=torch_script(SCRIPT), resources_per_node=per_node(SIZE))),
)
