"""Hugging Face Accelerate."""

from __future__ import annotations

from trainergen.api import MLPolicy, TorchPolicy, Trainer
from trainergen.catalogue.definition import Recipe
from trainergen.catalogue.parts import FRAMEWORK, NODE, TRAINER, cluster_runtime
from trainergen.catalogue.recipes.example import example_job, per_node, torch_script
from trainergen.catalogue.recipes.hardening import (
    HOME,
    Size,
    hardened_job,
    hardened_jobset,
    home,
    in_home,
    pod,
    shared_memory,
)
from trainergen.releases import Lifespan

NAME = "torch-accelerate"
IMAGE = "huggingface/accelerate:gpu-release-1.12.0"
SIZE = Size(cpu=16, memory="128Gi", gpus=2)
# The image keeps PyTorch in an environment of conda that is not active.
PATH = (
    "/opt/conda/envs/accelerate/bin:/opt/conda/bin:/usr/local/nvidia/bin:/usr/local/cuda/bin:"
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
)
SCRIPT = """\
import torch
from accelerate import Accelerator

accelerator = Accelerator()
model = torch.nn.Linear(16, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs = torch.randn(4096, 16)
targets = inputs.sum(dim=1, keepdim=True)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(inputs, targets), batch_size=64, num_workers=2)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for batch, expected in loader:
    loss = (model(batch) - expected).square().mean()
    optimizer.zero_grad()
    accelerator.backward(loss)
    optimizer.step()
accelerator.print(f"{accelerator.num_processes} processes, loss {loss.item():.4f}")
accelerator.end_training()
"""

_env = [
    {"name": "PATH", "value": PATH},
    {"name": "PYTHONUNBUFFERED", "value": "1"},
    {"name": "HF_HOME", "value": f"{HOME}/.cache/huggingface"},
    {"name": "ACCELERATE_MIXED_PRECISION", "value": "bf16"},
]
_node = in_home(NODE, IMAGE, SIZE, env=_env, command=["torchrun"])
_pod = pod(grace=120, volumes=[home("100Gi"), shared_memory("16Gi")])

ACCELERATE = Recipe(
    use="Training with Hugging Face Accelerate, or with the Trainer of Transformers on top of it. torchrun starts the "
    "processes, since 'accelerate launch' does not read the variables that Kubeflow Trainer sets.",
    change=(
        "The image, once your own holds your code; PATH with it, if torchrun lies elsewhere there.",
        (
            "What 'accelerate config' would ask for are variables that start with ACCELERATE_: the precision here, "
            "ACCELERATE_USE_FSDP and FSDP_* for sharding."
        ),
        "For gated models, an HF_TOKEN from a Secret, as variable of the TrainJob.",
    ),
    lifespan=Lifespan(since="2.2"),
    runtime=cluster_runtime(
        NAME,
        MLPolicy(num_nodes=1, torch=TorchPolicy()),
        hardened_jobset(hardened_job(NODE, _node, _pod, step=TRAINER)),
        labels={FRAMEWORK: "torch"},
    ),
    job=example_job(NAME, Trainer(num_nodes=2, args=torch_script(SCRIPT), resources_per_node=per_node(SIZE))),
)
