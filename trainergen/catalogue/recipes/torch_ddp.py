"""PyTorch with DistributedDataParallel."""

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

NAME = "torch-ddp"
IMAGE = "pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime"
SCRIPT = """\
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

gpu = torch.cuda.is_available()
dist.init_process_group("nccl" if gpu else "gloo")
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if gpu else torch.device("cpu")
if gpu:
    torch.cuda.set_device(device)
model = DistributedDataParallel(torch.nn.Linear(16, 1).to(device))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(100):
    inputs = torch.randn(64, 16, device=device)
    loss = (model(inputs) - inputs.sum(dim=1, keepdim=True)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
if dist.get_rank() == 0:
    print(f"{dist.get_world_size()} processes, loss {loss.item():.4f}")
dist.destroy_process_group()
"""

_node = in_home(
    NODE,
    IMAGE,
    Size(cpu=8, memory="64Gi", gpus=1),
    env=[{"name": "PYTHONUNBUFFERED", "value": "1"}],
    command=["torchrun"],
)
_pod = pod(grace=120, volumes=[home(), shared_memory("16Gi")])

TORCH_DDP = Recipe(
    use="Data-parallel training with PyTorch: the model fits on one GPU, and each GPU has a copy. Also for anything "
    "else that is started by torchrun.",
    change=(
        "The image, once your own holds your code; the user 1000 has to be able to read it.",
        "Resources of a node, and the size of shared-memory with them: it counts as memory of the container.",
        (
            "Without GPUs, remove nvidia.com/gpu; then a node runs as many processes as it has CPUs, unless the "
            "TrainJob sets numProcPerNode."
        ),
    ),
    lifespan=Lifespan(since="2.2"),
    runtime=cluster_runtime(
        NAME,
        MLPolicy(num_nodes=1, torch=TorchPolicy()),
        hardened_jobset(hardened_job(NODE, _node, _pod, step=TRAINER)),
        labels={FRAMEWORK: "torch"},
    ),
    job=example_job(
        NAME,
        Trainer(
            num_nodes=2, args=torch_script(SCRIPT), resources_per_node=per_node(Size(cpu=16, memory="128Gi", gpus=2))
        ),
    ),
)
