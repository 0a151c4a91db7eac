"""The plugins of a release, in a fixed order: the controller's own is random, and nothing may depend on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

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
    from trainergen.render.plugin import Builds, EnforcesMLPolicy, EnforcesPodGroupPolicy

_STATUS, _COSCHEDULING, _VOLCANO, _MPI, _FLUX = TrainJobStatus(), CoScheduling(), Volcano(), MPI(), Flux()
ML_POLICY: tuple[EnforcesMLPolicy, ...] = (PlainML(), Torch(), _MPI, Jax(), XGBoost(), _FLUX, _STATUS)
POD_GROUP_POLICY: tuple[EnforcesPodGroupPolicy, ...] = (_COSCHEDULING, _VOLCANO)
BUILD: tuple[Builds, ...] = (_MPI, _FLUX, _STATUS, _COSCHEDULING, _VOLCANO, JobSet())
GATED = frozenset({"TrainJobStatus"})
"""The plugins that wait for the feature gate of their name, which is off by default."""
GATES = GATED | {"AllAlpha", "AllBeta"}
"""All feature gates; the two for all of a kind give way to those for one."""


class Plugins(NamedTuple):
    """The plugins that take part in each phase."""

    ml_policy: tuple[EnforcesMLPolicy, ...]
    pod_group_policy: tuple[EnforcesPodGroupPolicy, ...]
    build: tuple[Builds, ...]


def plugins_of(release: Release, features: Mapping[str, bool]) -> Plugins:
    """The plugins that run; raises TrainergenError for a feature gate that no release has."""
    for gate in features:
        if gate not in GATES:
            raise TrainergenError(
                f"unknown feature gate '{gate}'{did_you_mean(gate, GATES)}",
                hint=f"Known feature gates: {', '.join(sorted(GATES))}.",
            )
    # The only gate there is has been alpha in every release.
    alpha = features.get("AllAlpha", False)
    known = release.behaviours.plugins - {gate for gate in GATED if not features.get(gate, alpha)}
    return Plugins(
        ml_policy=tuple(plugin for plugin in ML_POLICY if plugin.name in known),
        pod_group_policy=tuple(plugin for plugin in POD_GROUP_POLICY if plugin.name in known),
        build=tuple(plugin for plugin in BUILD if plugin.name in known),
    )
