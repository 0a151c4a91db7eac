"""What differences in a JobSet mean, and which of them the JobSet controller's webhook and schema refuse.

Source: kubernetes-sigs/jobset pkg/webhooks/jobset_webhook.go, api/jobset/v1alpha2/jobset_types.go @ v0.12.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, text_at
from trainergen.diff.change import Impact, Kind
from trainergen.diff.defaults import is_spelled_out
from trainergen.diff.effect import OTHER_PODS, OTHER_VERSION, Effect, Situation

if TYPE_CHECKING:
    from trainergen.diff.change import Difference
    from trainergen.finding import JsonObject, JsonValue, Path

_JOBS = ("spec", "replicatedJobs")
_POD_TEMPLATE = ("template", "spec", "template")
_CONTAINERS = frozenset({"containers", "initContainers"})
PROCESS_VARIABLES = frozenset(
    {"DMLC_NUM_WORKER", "JAX_NUM_PROCESSES", "OMPI_MCA_orte_set_default_slots", "PET_NNODES", "PET_NPROC_PER_NODE"}
)
_SECTIONS = {
    "suspend": Effect(Impact.RESTART, "suspending ends the Pods, resuming starts new ones"),
    "network": Effect(Impact.RESTART, "it decides over the host names of the Pods"),
    "startupPolicy": Effect(Impact.RESTART, "it decides in which order the jobs start"),
    "volumeClaimPolicies": Effect(Impact.RESTART, "the Pods would mount other volume claims"),
    "successPolicy": Effect(Impact.NOTHING, "it decides when the job counts as complete, not over its Pods"),
    "failurePolicy": Effect(Impact.NOTHING, "it decides what a failure leads to, not over the Pods"),
    "ttlSecondsAfterFinished": Effect(Impact.NOTHING, "it decides when a finished job is deleted"),
}
_METADATA = Effect(Impact.NOTHING, "only the JobSet object carries it, not its Pods")
_POD_NUMBER = Effect(Impact.PROCESSES, "the job would have another number of Pods")
_SPELLED_OUT = Effect(Impact.COSMETIC, "it is what holds by default")

# The fields that the schema of JobSet locks once they are set, and the parts of a Pod template that its webhook lets
# change, which Kueue needs.
_LOCKED = frozenset({"network", "successPolicy", "failurePolicy", "startupPolicy", "volumeClaimPolicies"})
_OPEN = frozenset(
    {("metadata", "labels"), ("metadata", "annotations")}
    | {("spec", "nodeSelector"), ("spec", "tolerations"), ("spec", "schedulingGates")}
)
LOCKED_BY_SCHEMA = "the API server refuses to change it in a JobSet that exists"
LOCKED_BY_WEBHOOK = (
    "the JobSet exists already, and its webhook lets only labels, annotations, nodeSelector, tolerations and "
    "schedulingGates of the Pods change while it is suspended"
)


def jobset_effect(difference: Difference, old: JsonObject, new: JsonObject, situation: Situation) -> Effect:
    """What a difference between two versions of a JobSet means; its path is not empty."""
    if is_spelled_out(difference):
        return _SPELLED_OUT
    path = difference.path
    if path[:2] != _JOBS:
        effect = _section_effect(path)
    elif difference.kind is Kind.ORDER:
        effect = _order_effect(difference, old, new)
    else:
        effect = _job_effect(path[3:])
    return effect._replace(refusal=_refusal(difference)) if situation.reapplied else effect


def _section_effect(path: Path) -> Effect:
    """What a difference outside the jobs means."""
    if path[0] == "apiVersion":
        return OTHER_VERSION
    if path[0] == "metadata":
        return _METADATA
    return _SECTIONS.get(str(path[-1] if len(path) < 2 else path[1]), Effect(Impact.RESTART, OTHER_PODS))


def _job_effect(path: Path) -> Effect:
    """What a difference at ``path`` of an item of replicatedJobs means."""
    if not path or path == ("replicas",) or path[2:] in (("parallelism",), ("completions",)):
        return _POD_NUMBER
    if path[0] == "dependsOn":
        return Effect(Impact.RESTART, "it decides when the job starts")
    if path[:3] == _POD_TEMPLATE:
        return _pod_effect(path[3:])
    return Effect(Impact.RESTART, "the Jobs would be others")


def _pod_effect(path: Path) -> Effect:
    """What a difference at ``path`` of a Pod template means."""
    if len(path) > 3 and path[1] in _CONTAINERS:
        inner = path[3:]
        if inner[0] == "resources":
            return Effect(Impact.RESOURCES, "the container would ask for other resources")
        if inner[0] == "env" and len(inner) > 1 and inner[1] in PROCESS_VARIABLES:
            return Effect(Impact.PROCESSES, f"{inner[1]} says how many processes there are")
    elif path[1:2] in (("resources",), ("overhead",), ("resourceClaims",)):
        return Effect(Impact.RESOURCES, "the Pod would ask for other resources")
    return Effect(Impact.RESTART, OTHER_PODS)


def _order_effect(difference: Difference, old: JsonObject, new: JsonObject) -> Effect:
    name = difference.path[-1]
    if name == "replicatedJobs":
        return Effect(Impact.RESTART, "jobs are started, and their hosts listed, in this order")
    if name == "initContainers":
        return Effect(Impact.RESTART, "init containers run in this order")
    if name == "env" and (_refers(old, difference.old_at) or _refers(new, difference.new_at)):
        return Effect(Impact.RESTART, "variables can refer with $(NAME) only to those before them")
    return Effect(Impact.COSMETIC, "the order has no meaning here")


def _refers(obj: JsonObject, at: Path) -> bool:
    """Whether a variable of the list at ``at`` refers to another one."""
    value: JsonValue = obj
    for step in at:
        value = value[step]  # type: ignore[index]  # the path was found in this very object
    return any("$(" in text_at(entry, "value") for entry in list_at({"env": value}, "env"))


def _refusal(difference: Difference) -> str:
    """Who refuses the change in a JobSet that exists and is applied again; empty when nobody does."""
    path = difference.path
    if path[:2] == _JOBS:
        return "" if path[3:6] == _POD_TEMPLATE and _is_open(difference) else LOCKED_BY_WEBHOOK
    if path[0] == "spec" and len(path) > 1 and path[1] in _LOCKED:
        # The rule compares two values: a field that one side lacks may come and go.
        whole = len(path) == 2 and difference.kind in (Kind.ADDED, Kind.REMOVED)
        return "" if whole else LOCKED_BY_SCHEMA
    return LOCKED_BY_SCHEMA if path[:2] == ("spec", "managedBy") else ""


def _is_open(difference: Difference) -> bool:
    """Whether a difference in a Pod template is one of those that the webhook lets through."""
    inner = difference.path[6:8]
    if len(inner) == 1:
        # Metadata that one side lacks: whatever is in it has come or gone.
        whole = difference.new if difference.kind is Kind.ADDED else difference.old
        return isinstance(whole, dict) and all((inner[0], name) in _OPEN for name in whole)
    return inner in _OPEN
