"""The environment that the training container of each migrated Pod sees, read off the rendered JobSet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trainergen.api.access import list_at, object_at, text_at, value_at
from trainergen.migrate.simulation.legacy_pods import OWN_IP
from trainergen.render.pods.env import expand_text

if TYPE_CHECKING:
    from trainergen.finding import JsonObject

_INDEX: Final = "batch.kubernetes.io/job-completion-index"
_COUNTED = re.compile(r"export (\w+)=\$\(\((?:JOB_COMPLETION_INDEX|\$JOB_COMPLETION_INDEX)\+(\d+)\)\)")
_SET = re.compile(r"(?:^|[\s;&])(?:export\s+)?([A-Z_][A-Z0-9_]*)=")


@dataclass(frozen=True, slots=True)
class Seen:
    """The variables with known values, those whose value only the cluster knows, and what the container runs."""

    values: dict[str, str]
    unknown: frozenset[str]
    words: tuple[str, ...]

    @property
    def set_by_command(self) -> frozenset[str]:
        """The variables that the command sets itself."""
        return frozenset(name for word in self.words for name in _SET.findall(word))


def environment(jobset: JsonObject, replicated: str, index: int, containers: tuple[str, ...]) -> Seen | None:
    """What the first container of these names sees in one Pod of a replicated job; None when there is none."""
    job = next(
        (each for each in list_at(jobset, "spec", "replicatedJobs") if text_at(each, "name") == replicated), None
    )
    pod = object_at(job, "template", "spec", "template", "spec")
    found = {text_at(each, "name"): each for each in list_at(pod, "containers")}
    container = next((found[name] for name in containers if name in found), None)
    if container is None:
        return None
    fields = {
        f"metadata.annotations['{_INDEX}']": str(index),
        "metadata.labels['jobset.sigs.k8s.io/jobset-name']": text_at(jobset, "metadata", "name"),
        "metadata.labels['jobset.sigs.k8s.io/replicatedjob-name']": replicated,
        "metadata.namespace": text_at(jobset, "metadata", "namespace"),
        "status.podIP": OWN_IP,
    }
    known: dict[str, str] = {}
    unknown: set[str] = set()
    for entry in list_at(container, "env"):
        name = text_at(entry, "name")
        source = value_at(entry, "valueFrom")
        value = fields.get(text_at(source, "fieldRef", "fieldPath")) if source is not None else None
        if source is not None and value is None:
            unknown.add(name)
            known.pop(name, None)
        else:
            known[name] = value if value is not None else expand_text(text_at(entry, "value"), known)
    known["JOB_COMPLETION_INDEX"] = str(index)
    words = tuple(str(word) for key in ("command", "args") for word in list_at(container, key))
    known |= {name: str(index + int(more)) for word in words for name, more in _COUNTED.findall(word)}
    return Seen(known, frozenset(unknown), words)
