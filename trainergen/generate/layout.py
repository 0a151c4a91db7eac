"""Where things lie in a generated tree, and which of them are delivered together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.generate.resolved import Environment, Placed, Resolved

COMPONENT = PurePosixPath("components/trainer-kustomize")
"""The folder of the kustomize component, see ``trainergen.generate.component``."""
PLATFORM, TEAMS, CHARTS = PurePosixPath("platform"), PurePosixPath("teams"), PurePosixPath("charts")


@dataclass(frozen=True, slots=True)
class Unit:
    """What is applied, synced and pruned as one; an environment has those that have objects in it."""

    name: str
    parts: tuple[str, ...]
    in_namespace: bool
    """Whether all its objects but the Namespace itself are in the team's namespace."""

    def objects(self, environment: Environment) -> tuple[Placed, ...]:
        """What the unit has in the environment."""
        return environment.of(*self.parts)


RUNTIMES = Unit("runtimes", ("queues", "runtimes"), in_namespace=False)
NAMESPACE = Unit("namespace", ("namespace",), in_namespace=True)
JOBS = Unit("jobs", ("neighbours", "jobs"), in_namespace=True)
UNITS = (RUNTIMES, NAMESPACE, JOBS)
"""In the order in which a cluster needs them."""


def units(resolved: Resolved) -> tuple[Unit, ...]:
    """The units that have something in any environment."""
    return tuple(unit for unit in UNITS if any(unit.objects(each) for each in resolved.environments))


def unit_folder(resolved: Resolved, unit: Unit) -> PurePosixPath:
    """The folder of a unit with ``base`` and ``overlays``, for kustomize."""
    return PLATFORM / unit.name if unit is RUNTIMES else TEAMS / resolved.name / unit.name


def delivered_folder(resolved: Resolved, unit: Unit, environment: Environment) -> PurePosixPath:
    """The folder that a delivery points at for a unit in an environment.

    An overlay for kustomize, a folder of manifests for plain, and the chart for Helm, which all units share.
    """
    if resolved.format == "plain":
        return PurePosixPath(environment.name) / unit.name
    if resolved.format == "helm":
        return CHARTS / resolved.name
    return unit_folder(resolved, unit) / "overlays" / environment.name


def file_name(placed: Placed) -> str:
    """The name of an object's file, the same in every environment."""
    # Units of two parts tell them apart; the part that a unit is called after needs no word.
    prefix = f"{placed.part}-" if placed.part in ("queues", "neighbours") else ""
    return f"{prefix}{placed.key}.yaml"
