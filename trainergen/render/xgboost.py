"""The plugin for XGBoost: a tracker on the first node, one worker a node or a GPU.

Source: kubeflow/trainer pkg/runtime/framework/plugins/xgboost/xgboost.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.render.counts import count_nodes
from trainergen.render.env import completion_index, literal
from trainergen.render.model import TRAINER_PORT
from trainergen.render.resources import gpu_count
from trainergen.render.trainer import add_env, add_trainer_port, framework_container

if TYPE_CHECKING:
    from trainergen.render.model import Draft


class XGBoost:
    """Tracker address, worker count and rank."""

    name = "XGBoost"

    def enforce_ml_policy(self, draft: Draft) -> None:
        """Set up the trainer's container."""
        pods = draft.trainer_set()
        if draft.policy("xgboost") is None or pods is None:
            return
        count_nodes(draft)
        container = framework_container(draft, self.name)
        if container is None:
            return
        pods.processes = max(gpu_count(draft.node_resources()), 1)
        entries = [
            literal("DMLC_TRACKER_URI", draft.job.host),
            literal("DMLC_TRACKER_PORT", TRAINER_PORT),
            completion_index("DMLC_TASK_ID"),
            literal("DMLC_NUM_WORKER", pods.count * pods.processes),
        ]
        add_env(draft, container, entries, self.name)
        add_trainer_port(draft, container, self.name)
