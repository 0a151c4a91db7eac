"""What differences in the objects beside the JobSet mean, and in the TrainJob's own fields.

Source: kubeflow/trainer pkg/runtime/core/snapshot.go, pkg/runtime/framework/plugins/{mpi,flux,coscheduling,volcano} and
pkg/controller/trainjob_controller.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.diff.change import Impact, Kind
from trainergen.diff.defaults import is_spelled_out
from trainergen.diff.effect import OTHER_VERSION, Effect

if TYPE_CHECKING:
    from trainergen.diff.change import Difference
    from trainergen.finding import JsonObject

_READ_LATER = "it is applied while the job runs as well, and read by Pods that start afterwards"
_SNAPSHOT = Effect(Impact.COSMETIC, "the kept runtime itself; what follows from it is shown in the other objects")
_POD_GROUP = {
    "minMember": Effect(Impact.PROCESSES, "the scheduler waits for another number of Pods"),
    "minResources": Effect(Impact.RESOURCES, "the scheduler reserves other resources"),
}
_TRAIN_JOB = {
    "activeDeadlineSeconds": Effect(Impact.NOTHING, "it decides when the controller ends the job"),
    "managedBy": Effect(Impact.NOTHING, "it decides which controller looks after the TrainJob"),
    "runtimeRef": Effect(Impact.RESTART, "another runtime; what follows from it is shown in the other objects"),
}
# Whole objects by the end of their names.
_WHOLE = {
    "-runtime-snapshot": Effect(
        Impact.COSMETIC, "a copy of the runtime, so that later edits of the runtime do not reach the TrainJob"
    ),
    "-mpi-hostfile": Effect(Impact.RESTART, "the launcher reads its hosts from it"),
    "-tls-config": Effect(Impact.RESTART, "the Pods mount it to report their progress"),
}


def companion_effect(difference: Difference, obj: JsonObject) -> Effect:
    """What a difference in ``obj``, a companion of the JobSet or the TrainJob itself, means."""
    kind, name = text_at(obj, "kind"), text_at(obj, "metadata", "name")
    if not difference.path:
        return _whole(kind, name)
    if is_spelled_out(difference):
        return Effect(Impact.COSMETIC, "it is what holds by default")
    if difference.path[0] == "apiVersion":
        return OTHER_VERSION
    field = str(difference.path[1]) if len(difference.path) > 1 else ""
    if difference.path[0] == "metadata":
        return Effect(Impact.NOTHING, f"only the {kind} object carries it")
    if kind == "PodGroup":
        otherwise = Effect(Impact.NOTHING, "the scheduler reads it when it places the Pods")
        return _POD_GROUP.get(field, otherwise)
    if kind == "TrainJob":
        return _TRAIN_JOB.get(field, Effect(Impact.NOTHING, "only the TrainJob has it"))
    if kind == "Secret":
        return Effect(Impact.RESTART, "the Pods mount it")
    return _config_map(difference, name)


def _whole(kind: str, name: str) -> Effect:
    if kind == "PodGroup":
        return Effect(Impact.RESTART, "the Pods are scheduled together, or no longer are")
    otherwise = Effect(Impact.RESTART, "the Pods mount it")
    return next((effect for end, effect in _WHOLE.items() if name.endswith(end)), otherwise)


def _config_map(difference: Difference, name: str) -> Effect:
    if name.endswith("-runtime-snapshot"):
        return _SNAPSHOT
    if not name.endswith("-mpi-hostfile"):
        return Effect(Impact.RESTART, _READ_LATER)
    if difference.kind is Kind.ORDER:
        return Effect(Impact.RESTART, f"ranks are given to the hosts in this order; {_READ_LATER}")
    return Effect(Impact.PROCESSES, f"it lists the hosts and their processes; {_READ_LATER}")
