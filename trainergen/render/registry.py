"""The plugins of a release, in a fixed order: the controller's own is random, and nothing may depend on it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen.errors import TrainergenError
from trainergen.render.jobset import JobSet
from trainergen.render.plainml import PlainML
from trainergen.render.torch import Torch
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.render.model import Draft
    from trainergen.render.plugin import Builds, EnforcesMLPolicy, EnforcesPodGroupPolicy


class OnDemand:
    """A plugin that is imported for the first runtime with its policy; with any other it does nothing.

    ``place`` is its module and class, ``policy`` the key of its ML policy; one for gangs waits for any podGroupPolicy.
    """

    def __init__(self, name: str, place: str, *, policy: str = "", gang: bool = False) -> None:
        self.name = name
        self._place = place
        self._policy = policy
        self._gang = gang

    def enforce_ml_policy(self, draft: Draft) -> None:
        """As the plugin."""
        if self._is_asked(draft):
            self._plugin.enforce_ml_policy(draft)

    def enforce_pod_group_policy(self, draft: Draft) -> None:
        """As the plugin."""
        if self._is_asked(draft):
            self._plugin.enforce_pod_group_policy(draft)

    def build(self, draft: Draft) -> list[JsonObject]:
        """As the plugin."""
        made: list[JsonObject] = self._plugin.build(draft) if self._is_asked(draft) else []
        return made

    def _is_asked(self, draft: Draft) -> bool:
        if self._gang:
            return draft.pod_group_policy is not None
        return not self._policy or draft.policy(self._policy) is not None

    @cached_property
    def _plugin(self) -> Any:
        module, _, made = self._place.partition(".")
        return getattr(import_module(f"trainergen.render.{module}"), made)()


_STATUS = OnDemand("TrainJobStatus", "trainjobstatus.TrainJobStatus")
_COSCHEDULING = OnDemand("CoScheduling", "coscheduling.CoScheduling", gang=True)
_VOLCANO = OnDemand("Volcano", "volcano.Volcano", gang=True)
_MPI = OnDemand("MPI", "mpi.MPI", policy="mpi")
_JAX = OnDemand("JAX", "jax.Jax", policy="jax")
_XGBOOST = OnDemand("XGBoost", "xgboost.XGBoost", policy="xgboost")
_FLUX = OnDemand("Flux", "flux.Flux", policy="flux")
ML_POLICY: tuple[EnforcesMLPolicy, ...] = (PlainML(), Torch(), _MPI, _JAX, _XGBOOST, _FLUX, _STATUS)
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
    return _known(release.behaviours.plugins - {gate for gate in GATED if not features.get(gate, alpha)})


@cache
def _known(known: frozenset[str]) -> Plugins:
    return Plugins(
        ml_policy=tuple(plugin for plugin in ML_POLICY if plugin.name in known),
        pod_group_policy=tuple(plugin for plugin in POD_GROUP_POLICY if plugin.name in known),
        build=tuple(plugin for plugin in BUILD if plugin.name in known),
    )
