"""PyTorch with fully sharded data parallelism."""

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
from trainergen.catalogue.recipes.torch_ddp import IMAGE
from trainergen.releases import Lifespan

NAME = "torch-fsdp"
SIZE = Size(cpu=64, memory="512Gi", gpus=8)
SCRIPT = """\
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
model = torch.nn.Sequential(*(torch.nn.Linear(4096, 4096) for _ in range(16))).cuda()
for layer in model:
    fully_shard(layer)
fully_shard(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(20):
    loss = model(torch.randn(8, 4096, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
if dist.get_rank() == 0:
    print(f"{dist.get_world_size()} processes, loss {loss.item():.4f}")
dist.destroy_process_group()
"""

_env = [
    {"name": "PYTHONUNBUFFERED", "value": "1"},
    # Sharding makes tensors of changing sizes, which the plain allocator leaves holes between.
    {"name": "PYTORCH_CUDA_ALLOC_CONF", "value": "expandable_segments:True"},
]
_node = in_home(NODE, IMAGE, SIZE, env=_env, command=["torchrun"])
_pod = pod(grace=300, volumes=[home("100Gi"), shared_memory("64Gi")])

TORCH_FSDP = Recipe(
    use="Models that do not fit on one GPU: parameters, gradients and optimizer state are sharded over all GPUs of all "
    "nodes. A node is a whole machine of eight GPUs.",
    change=(
        "The image, once your own holds your code; the user 1000 has to be able to read it.",
        "CPUs, memory and GPUs, to what a machine can give; shared-memory counts as memory of the container.",
        "terminationGracePeriodSeconds, to the time that writing a checkpoint takes after SIGTERM.",
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
