"""JAX."""

from __future__ import annotations

from trainergen.api import JAXPolicy, MLPolicy, Trainer
from trainergen.catalogue.definition import Recipe
from trainergen.catalogue.parts import FRAMEWORK, NODE, TRAINER, cluster_runtime
from trainergen.catalogue.recipes.example import example_job, per_node
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

NAME = "jax"
SIZE = Size(cpu=16, memory="128Gi", gpus=1)
SCRIPT = """\
import os

import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils

jax.distributed.initialize(
    coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
    num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
    process_id=int(os.environ["JAX_PROCESS_ID"]),
)
gathered = multihost_utils.process_allgather(jnp.array([jax.process_index()]))
print(f"process {jax.process_index()} of {jax.process_count()}, {jax.device_count()} devices, sum {gathered.sum()}")
"""

_node = in_home(
    NODE,
    "nvcr.io/nvidia/jax:25.10-py3",
    SIZE,
    env=[{"name": "PYTHONUNBUFFERED", "value": "1"}],
    command=["python3"],
)
_pod = pod(grace=120, volumes=[home(), shared_memory("16Gi")])

JAX = Recipe(
    use="Training with JAX on GPUs. One process on each node drives all its devices; it has to call "
    "jax.distributed.initialize with the JAX_* variables, which Trainer sets.",
    change=(
        "The image, once your own holds your code; the user 1000 has to be able to read it.",
        "Resources of a node: more GPUs need no more processes.",
        "Leave the JAX_* variables alone: Trainer accepts a TrainJob that sets them, and the processes never meet.",
    ),
    lifespan=Lifespan(since="2.2"),
    runtime=cluster_runtime(
        NAME,
        MLPolicy(num_nodes=1, jax=JAXPolicy()),
        hardened_jobset(hardened_job(NODE, _node, _pod, step=TRAINER)),
        labels={FRAMEWORK: "jax"},
    ),
    job=example_job(NAME, Trainer(num_nodes=2, args=["-c", SCRIPT], resources_per_node=per_node(SIZE))),
)
