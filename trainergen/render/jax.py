"""The plugin for JAX: one process a node, found through the first node.

Source: kubeflow/trainer pkg/runtime/framework/plugins/jax/jax.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.render.counts import count_nodes
from trainergen.render.env import completion_index, literal
from trainergen.render.errors import RenderError
from trainergen.render.model import TRAINER_PORT
from trainergen.render.trainer import add_env, add_trainer_port, framework_container

if TYPE_CHECKING:
    from trainergen.render.model import Draft


class Jax:
    """Coordinator address, process count and rank."""

    name = "JAX"

    def enforce_ml_policy(self, draft: Draft) -> None:
        """Set up the trainer's container. Environment of the TrainJob comes later and wins."""
        if draft.policy("jax") is None:
            return
        pods = draft.trainer_set()
        if pods is None:
            if draft.rendering.jax_needs_trainer:
                raise RenderError(
                    "no job of the runtime is labelled as trainer, on which the JAX plugin of this release panics",
                    help="Label the job that trains with trainer.kubeflow.org/trainjob-ancestor-step: trainer.",
                )
            return
        count_nodes(draft)
        container = framework_container(draft, self.name)
        if container is None:
            return
        pods.processes = 1
        entries = [
            literal("JAX_NUM_PROCESSES", pods.count),
            completion_index("JAX_PROCESS_ID"),
            literal("JAX_COORDINATOR_ADDRESS", f"{draft.job.host}:{TRAINER_PORT}"),
        ]
        add_env(draft, container, entries, self.name)
        add_trainer_port(draft, container, self.name)
