"""The runtimes that Trainer releases ship, each defined once for all releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.catalogue.shipped.mpi import DEEPSPEED, MLX, MPI
from trainergen.catalogue.shipped.plain import FLUX, JAX, XGBOOST
from trainergen.catalogue.shipped.torch import TORCH_DISTRIBUTED, TORCH_DISTRIBUTED_WITH_CACHE
from trainergen.catalogue.shipped.torchtune import LLAMA_1B, LLAMA_3B, QWEN

if TYPE_CHECKING:
    from trainergen.catalogue.definition import Shipped

SHIPPED: tuple[Shipped, ...] = (
    DEEPSPEED,
    FLUX,
    JAX,
    LLAMA_1B,
    LLAMA_3B,
    MLX,
    MPI,
    QWEN,
    TORCH_DISTRIBUTED,
    TORCH_DISTRIBUTED_WITH_CACHE,
    XGBOOST,
)


def shipped_in(release: str) -> list[Shipped]:
    """What the release called ``release`` ships, and what it has among its examples."""
    return [each for each in SHIPPED if each.lifespan.covers(release)]
