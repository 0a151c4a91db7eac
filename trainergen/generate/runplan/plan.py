"""What a plan is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject


@dataclass(frozen=True, slots=True)
class Node:
    """One process to start: ``name`` is unique, a word of the shell; ``index`` is the completion index of the Pod."""

    name: str
    job: str
    index: int
    command: tuple[str, ...]
    env: dict[str, str]


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that the cluster has and this machine has not; ``kind`` is variable, mount or folder."""

    kind: str
    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Plan:
    """All that runs here, and what does not.

    ``missing`` is what the program may ask for in vain, ``inherited`` the variables that stay as they are here,
    ``skipped`` says of each job or container that is not run why, ``notes`` what else to know.
    """

    job: str
    about: str
    nodes: tuple[Node, ...]
    missing: tuple[Missing, ...] = ()
    inherited: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> JsonObject:
        """Everything as plain JSON values."""
        return {
            "job": self.job,
            "about": self.about,
            "nodes": [
                {
                    "name": node.name,
                    "job": node.job,
                    "index": node.index,
                    "command": list(node.command),
                    "env": dict(node.env),
                }
                for node in self.nodes
            ],
            "notAvailable": [{"kind": each.kind, "name": each.name, "source": each.source} for each in self.missing],
            "inherited": list(self.inherited),
            "skipped": list(self.skipped),
            "notes": list(self.notes),
        }
