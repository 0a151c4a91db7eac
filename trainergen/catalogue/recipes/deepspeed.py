"""DeepSpeed under mpirun."""

from __future__ import annotations

from trainergen.api import Trainer
from trainergen.catalogue.definition import Recipe
from trainergen.catalogue.parts import FRAMEWORK, cluster_runtime
from trainergen.catalogue.recipes.example import example_job, per_node
from trainergen.catalogue.recipes.hardening import Size
from trainergen.catalogue.recipes.launched import CHANGES, SINCE, launched_jobset, launched_policy

NAME = "deepspeed"
SIZE = Size(cpu=16, memory="128Gi", gpus=1)
SCRIPT = """\
import deepspeed
import torch
import torch.distributed as dist

deepspeed.init_distributed("nccl")
model = torch.nn.Linear(16, 1)
config = {
    "train_micro_batch_size_per_gpu": 64,
    "optimizer": {"type": "Adam", "params": {"lr": 1e-3, "torch_adam": True}},
    "zero_optimization": {"stage": 2},
}
engine, _, _, _ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
for step in range(100):
    inputs = torch.randn(64, 16, device=engine.device)
    loss = (engine(inputs) - inputs.sum(dim=1, keepdim=True)).square().mean()
    engine.backward(loss)
    engine.step()
if dist.get_rank() == 0:
    print(f"{dist.get_world_size()} processes, loss {loss.item():.4f}")
"""

DEEPSPEED = Recipe(
    use="Training with DeepSpeed (ZeRO, offloading) that is started by mpirun. DeepSpeed started by torchrun takes "
    "torch-ddp instead, with an image that has it.",
    change=CHANGES,
    lifespan=SINCE,
    runtime=cluster_runtime(
        NAME,
        launched_policy(),
        launched_jobset("ghcr.io/kubeflow/trainer/deepspeed-runtime:v2.3.0", SIZE, memory="16Gi"),
        labels={FRAMEWORK: "deepspeed"},
    ),
    job=example_job(
        NAME,
        Trainer(num_nodes=2, args=["python3", "-c", SCRIPT], resources_per_node=per_node(SIZE)),
        deadline=None,
    ),
)
