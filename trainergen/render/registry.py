"""The plugins of a release, in a fixed order: the controller's own is random, and nothing may depend on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trainergen.errors import TrainergenError
from trainergen.render.coscheduling import CoScheduling
from trainergen.render.flux import Flux
from trainergen.render.jax import Jax
from trainergen.render.jobset import JobSet
from trainergen.render.mpi import MPI
from trainergen.render.plainml import PlainML
from trainergen.render.torch import Torch
from trainergen.render.trainjobstatus import TrainJobStatus
from trainergen.render.volcano import Volcano
from trainergen.render.xgboost import XGBoost
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.releases import Release
    from trainergen.render.plugin import Plugin

PLUGINS: tuple[Plugin, ...] = (
    PlainML(),
    Torch(),
    MPI(),
    Jax(),
    XGBoost(),
    Flux(),
    TrainJobStatus(),
    CoScheduling(),
    Volcano(),
    JobSet(),
)
GATED = frozenset({"TrainJobStatus"})
"""The plugins that wait for the feature gate of their name, which is off by default."""


def plugins_of(release: Release, features: Mapping[str, bool]) -> tuple[Plugin, ...]:
    """The plugins that run; raises TrainergenError for a feature gate that no release has."""
    for gate in features:
        if gate not in GATED:
            raise TrainergenError(
                f"unknown feature gate '{gate}'{did_you_mean(gate, GATED)}",
                hint=f"Known feature gates: {', '.join(sorted(GATED))}.",
            )
    return tuple(
        plugin
        for plugin in PLUGINS
        if plugin.name in release.behaviours.plugins and (plugin.name not in GATED or features.get(plugin.name))
    )
