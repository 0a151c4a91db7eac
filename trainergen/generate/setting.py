"""One environment while its objects are made: what the specification says of it, and where faults go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from trainergen.generate.images import Registries

if TYPE_CHECKING:
    from pathlib import Path as FilePath

    from trainergen.finding import Path
    from trainergen.generate.facts import Facts
    from trainergen.generate.faults import Faults
    from trainergen.generate.spec import EnvironmentSpec, NodePool, Spec
    from trainergen.generate.spec.jobs import JobSpec
    from trainergen.generate.spec.runtimes import RuntimeSpec

OwnT = TypeVar("OwnT", "JobSpec", "RuntimeSpec")


@dataclass(frozen=True, slots=True)
class Setting:
    """What every step of resolving one environment needs."""

    spec: Spec
    name: str
    """The name of the environment."""
    environment: EnvironmentSpec
    facts: Facts
    faults: Faults
    root: FilePath
    """The folder that files of the specification are relative to."""
    texts: dict[FilePath, str] = field(default_factory=dict)
    """Files that were read already."""

    def overridden(self, spec: OwnT) -> OwnT:
        """A job or runtime with what is different about it in the environment."""
        override = spec.environments.get(self.name)
        if override is None:
            return spec
        changes = {name: getattr(override, name) for name in override.model_fields_set}
        if "env" in changes:
            changes["env"] = {**spec.env, **override.env}
        return spec.model_copy(update=changes)

    @property
    def namespace(self) -> str:
        """The namespace of the environment."""
        return self.environment.namespace or f"{self.spec.name}-{self.name}"

    @property
    def registries(self) -> Registries:
        """Where images come from here."""
        return Registries(self.environment.registry or "", self.environment.registries)

    def pool(self, name: str | None, path: Path) -> NodePool | None:
        """The node pool called ``name``, or that of the environment; a fault at ``path`` when there is none."""
        wanted = name or self.environment.node_pool
        if wanted is None:
            return None
        pool = self.environment.node_pools.get(wanted)
        if pool is None:
            where: Path = path if name else ("environments", self.name, "node-pool")
            self.faults.add(
                where,
                f"there is no node pool '{wanted}' in the environment '{self.name}'",
                f"Add it to environments.{self.name}.node-pools.",
            )
        return pool
