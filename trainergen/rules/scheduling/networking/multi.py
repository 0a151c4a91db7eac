"""Whether the Pods of a job have to reach each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.rules import Job, Pods

_INITIALIZERS = ("dataset-initializer", "model-initializer")


def talking_pods(job: Job) -> list[Pods]:
    """The Pods that find and reach each other: all but initializers, if there are several of them."""
    found = [pods for pods in job.pods if pods.ancestor not in _INITIALIZERS]
    return found if sum(pods.count for pods in found) > 1 else []
