"""Our own hardened runtimes, each with a TrainJob that works on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.catalogue.recipes.accelerate import ACCELERATE
from trainergen.catalogue.recipes.data_cache import DATA_CACHE
from trainergen.catalogue.recipes.deepspeed import DEEPSPEED
from trainergen.catalogue.recipes.jax import JAX
from trainergen.catalogue.recipes.megatron import MEGATRON
from trainergen.catalogue.recipes.mlx import MLX
from trainergen.catalogue.recipes.mpi import MPI
from trainergen.catalogue.recipes.torch_ddp import TORCH_DDP
from trainergen.catalogue.recipes.torch_fsdp import TORCH_FSDP
from trainergen.catalogue.recipes.torchtune import TORCHTUNE
from trainergen.catalogue.recipes.xgboost import XGBOOST

if TYPE_CHECKING:
    from trainergen.catalogue.definition import Recipe

RECIPES: tuple[Recipe, ...] = (
    DEEPSPEED,
    TORCHTUNE,
    JAX,
    MEGATRON,
    MLX,
    MPI,
    ACCELERATE,
    DATA_CACHE,
    TORCH_DDP,
    TORCH_FSDP,
    XGBOOST,
)
