"""The TrainJob with other numbers."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from trainergen.api.access import object_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trainergen.finding import JsonObject
    from trainergen.render.pods import JobPods, PodKind

MOST_NODES, PROCESSES = 2, 1
"""What a small copy has unless somebody asks for more."""


def trainer_kind(pods: JobPods) -> PodKind | None:
    """The Pods that are the nodes of the training."""
    return next((kind for kind in pods.kinds if kind.step == "trainer"), None)


def node_count(pods: JobPods) -> int:
    """How many nodes the whole TrainJob has: under MPI the hosts of the host file."""
    if pods.host_file is not None:
        return pods.host_file.hosts
    kind = trainer_kind(pods)
    return kind.count if kind is not None else pods.count


def processes_of(pods: JobPods) -> int | str | None:
    """The processes of a node as the framework is told; None where it starts just one."""
    kind = trainer_kind(pods)
    return kind.processes if kind is not None else None


def small_copy(job: Mapping[str, object], pods: JobPods, *, nodes: int | None, procs: int | None) -> JsonObject:
    """``job``, whose Pods are ``pods``, with so many nodes and processes on each; None takes a small number."""
    made: JsonObject = copy.deepcopy(dict(job))  # type: ignore[arg-type]
    spec = made["spec"] = dict(object_at(made, "spec"))
    trainer = spec["trainer"] = dict(object_at(spec, "trainer"))
    # What a node of the cluster has is not here, and must not decide on the number of processes, as 2.0 lets it.
    trainer.pop("resourcesPerNode", None)
    trainer["numNodes"] = min(node_count(pods), MOST_NODES) if nodes is None else nodes
    if processes_of(pods) is not None:
        trainer["numProcPerNode"] = PROCESSES if procs is None else procs
    return made
