"""MLX under mpirun."""

from __future__ import annotations

from trainergen.api import Trainer
from trainergen.catalogue.definition import Recipe
from trainergen.catalogue.parts import FRAMEWORK, cluster_runtime
from trainergen.catalogue.recipes.example import example_job, per_node
from trainergen.catalogue.recipes.hardening import Size
from trainergen.catalogue.recipes.launched import CHANGES, SINCE, launched_jobset, launched_policy

NAME = "mlx"
SIZE = Size(cpu=8, memory="64Gi", gpus=1)
SCRIPT = """\
import mlx.core as mx

world = mx.distributed.init(strict=True, backend="mpi")
total = mx.distributed.all_sum(mx.ones(1))
print(f"rank {world.rank()} of {world.size()}, sum {total.item()}")
"""

MLX = Recipe(
    use="Training with MLX on NVIDIA GPUs or CPUs, started by mpirun.",
    change=CHANGES,
    lifespan=SINCE,
    runtime=cluster_runtime(
        NAME,
        launched_policy(),
        launched_jobset("ghcr.io/kubeflow/trainer/mlx-runtime:v2.3.0", SIZE, memory="8Gi"),
        labels={FRAMEWORK: "mlx"},
    ),
    job=example_job(
        NAME,
        Trainer(num_nodes=2, args=["python3", "-c", SCRIPT], resources_per_node=per_node(SIZE)),
        deadline=None,
    ),
)
