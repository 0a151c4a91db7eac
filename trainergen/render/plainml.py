"""The plugin for TrainJobs without a framework, and for those whose framework leaves count and environment to it.

Source: kubeflow/trainer pkg/runtime/framework/plugins/plainml/plainml.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.render.counts import count_nodes
from trainergen.render.trainer import add_trainer_env

if TYPE_CHECKING:
    from trainergen.render.model import Draft


class PlainML:
    """Node count and environment of the TrainJob."""

    name = "PlainML"

    def enforce_ml_policy(self, draft: Draft) -> None:
        """Do nothing where a policy's own plugin does it. NB: XGBoost and Flux are not among those."""
        if any(draft.policy(name) is not None for name in draft.rendering.plain_excludes):
            return
        count_nodes(draft)
        container = draft.trainer_container()
        if container is not None:
            add_trainer_env(draft, container)
