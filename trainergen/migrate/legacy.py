"""A legacy job as the operator read it: roles in order, defaults filled in, every part with its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.admission.legacy.kinds import LegacyKind, legacy_kind
from trainergen.api.access import integer_at, list_at, object_at, text_at, value_at

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path


@dataclass(frozen=True, slots=True)
class Role:
    """One entry of the replica map; ``name`` is the role's proper spelling, ``key`` how the manifest spells it."""

    name: str
    path: Path
    spec: JsonObject
    replicas: int
    restart_policy: str

    @property
    def template(self) -> JsonObject:
        """The Pod template."""
        return object_at(self.spec, "template")

    @property
    def template_path(self) -> Path:
        """The place of the Pod template."""
        return (*self.path, "template")


@dataclass(frozen=True, slots=True)
class LegacyJob:
    """A job of a legacy kind. Roles without replicas are in ``empty``."""

    obj: JsonObject
    kind: LegacyKind
    roles: tuple[Role, ...]
    empty: tuple[Role, ...]

    @property
    def name(self) -> str:
        """``metadata.name``; empty for a job with ``generateName`` or none."""
        return text_at(self.obj, "metadata", "name")

    @property
    def spec(self) -> JsonObject:
        """``spec``."""
        return object_at(self.obj, "spec")

    @property
    def run_policy(self) -> JsonObject:
        """``spec.runPolicy``."""
        return object_at(self.spec, "runPolicy")

    @property
    def total(self) -> int:
        """The number of Pods."""
        return sum(role.replicas for role in self.roles)

    def role(self, *names: str) -> Role | None:
        """The first role of these names that there is."""
        return next((role for name in names for role in self.roles if role.name == name), None)

    def main_index(self, role: Role) -> int:
        """Which container trains: the one of the kind's name, else the first."""
        if self.kind.kind == "MPIJob":
            wanted = text_at(self.spec, "mainContainer") or self.kind.container
        else:
            wanted = self.kind.container
        names = [text_at(each, "name") for each in list_at(role.template, "spec", "containers")]
        return names.index(wanted) if wanted in names else 0

    def port(self, role: Role) -> int:
        """The rendezvous port: the container's port of the kind's port name, else the kind's default."""
        containers = list_at(role.template, "spec", "containers")
        main = containers[self.main_index(role)] if containers else None
        for port in list_at(main, "ports"):
            if value_at(port, "name") == self.kind.port_name:
                return integer_at(port, "containerPort") or self.kind.port
        return self.kind.port


def read_job(obj: JsonObject) -> LegacyJob | None:
    """The job in ``obj``; None when no operator served its kind."""
    kind = legacy_kind(text_at(obj, "apiVersion"), text_at(obj, "kind"))
    if kind is None:
        return None
    specs = object_at(obj, "spec", kind.replicas_key)
    found = [_role(key, object_at(specs, key), kind) for key in specs]
    order = {name: number for number, name in enumerate(kind.roles)}
    found.sort(key=lambda role: order.get(role.name, len(order)))
    return LegacyJob(
        obj,
        kind,
        tuple(role for role in found if role.replicas > 0),
        tuple(role for role in found if role.replicas <= 0),
    )


def _role(key: str, spec: JsonObject, kind: LegacyKind) -> Role:
    spelt = {name.lower(): name for name in kind.roles}
    name = spelt.get(key.lower(), key)
    replicas = integer_at(spec, "replicas")
    default = "OnFailure" if kind.version == "v2beta1" and name == "Launcher" else kind.restart_policy
    return Role(
        name=name,
        path=("spec", kind.replicas_key, key),
        spec=spec,
        replicas=(0 if kind.kind == "MPIJob" and name == "Worker" else 1) if replicas is None else replicas,
        restart_policy=text_at(spec, "restartPolicy") or default,
    )
