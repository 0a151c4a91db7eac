"""A legacy job as its operator reads it: roles with their defaults, and their containers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from trainergen.admission.legacy.kinds import LegacyKind, legacy_kind
from trainergen.rules.frameworks.command_lines import plain_python, words_of
from trainergen.rules.views.pods import Container, Pods
from trainergen.source.classify import LEGACY_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.rules import Part, Source

KINDS: Final = tuple(sorted(LEGACY_KINDS))


class Role(Pods):
    """The Pods of one role; as a ``Part`` it is the entry of the replica map."""

    def __init__(self, part: Part, role: str, kind: LegacyKind) -> None:
        super().__init__(part.value, part.root, part.path)
        self.role = role
        """The proper spelling of the role; what the manifest says where the kind does not know it."""
        self.kind = kind

    @property
    def words(self) -> str:
        """How messages call it."""
        return f"the {self.role}"

    @property
    def replicas(self) -> int:
        """How many Pods there are of it."""
        found = self.integer("replicas")
        if found is None:
            return 0 if self.kind.kind == "MPIJob" and self.role == "Worker" else 1
        return max(found, 0)

    @property
    def template(self) -> Part:
        """The Pod template."""
        return self.part("template")

    @property
    def main(self) -> Container | None:
        """The container that trains: the one of the kind's name, else the first."""
        return self.container(self.kind.container) or next(iter(self.containers), None)

    @property
    def restart_policy(self) -> str:
        """What the role says, or its default."""
        default = (
            "OnFailure" if self.kind.version == "v2beta1" and self.role == "Launcher" else self.kind.restart_policy
        )
        return self.text("restartPolicy") or default

    @property
    def gpus(self) -> int:
        """How many devices one of its Pods asks for."""
        return sum(sum(one.devices.values()) for one in self.containers)

    def _containers(self, key: str) -> Iterator[Container]:
        for part in self.parts("template.spec", key):
            yield Container(part.value, part.root, part.path, self)


def alone(container: Container) -> str:
    """The word that starts a Python program as one process; empty where a module such as a launcher is run, or none."""
    words = words_of(container)
    return "" if "-m" in words or "--module" in words else plain_python(container)


class Legacy(NamedTuple):
    """A job of a legacy kind."""

    source: Source
    kind: LegacyKind
    roles: tuple[Role, ...]

    @property
    def total(self) -> int:
        """The number of Pods."""
        return sum(role.replicas for role in self.roles)

    def role(self, name: str) -> Role | None:
        """The role of that name, if it has Pods."""
        return next((role for role in self.roles if role.role == name and role.replicas), None)


def legacy_job(source: Source) -> Legacy | None:
    """The job in an object; None when no operator served the kind in its version. For ``source.once``."""
    kind = legacy_kind(source.text("apiVersion"), source.kind)
    if kind is None:
        return None
    spelt = {name.lower(): name for name in kind.roles}
    entries = source.entries("spec", kind.replicas_key)
    return Legacy(source, kind, tuple(Role(part, spelt.get(key.lower(), key), kind) for key, part in entries))
