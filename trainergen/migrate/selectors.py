"""Selectors on the labels of legacy Pods, and what selects the same Pods now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trainergen.migrate.pods import NODE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.migrate.places import Place

PREFIX: Final = "training.kubeflow.org/"
JOBSET: Final = "jobset.sigs.k8s.io/jobset-name"
REPLICATED: Final = "jobset.sigs.k8s.io/replicatedjob-name"
INDEX: Final = "batch.kubernetes.io/job-completion-index"
_LEADERS: Final = ("master", "chief", "launcher")
_BARE: Final = frozenset({"job-name", "replica-type", "replica-index", "job-role"})

Known = dict[str, "Mapping[str, Place]"]
"""The places of the roles by the name of the job."""


def names_legacy_pods(labels: JsonObject) -> bool:
    """Whether labels are those of legacy Pods: with their prefix, or as they were before it came up."""
    if any(key.startswith(PREFIX) for key in labels):
        return True
    return "replica-type" in labels or (labels.get("group-name") == "kubeflow.org" and bool(_BARE & labels.keys()))


def translated(labels: JsonObject, known: Known) -> tuple[JsonObject, list[JsonValue]]:
    """Labels that select the same Pods, and the ``matchExpressions`` that are needed besides.

    Labels of others stay. A role that is one of several in a job is told from them by the completion index.
    """
    own = {key.removeprefix(PREFIX): value for key, value in labels.items() if _is_legacy(key, labels)}
    out: JsonObject = {key: value for key, value in labels.items() if not _is_legacy(key, labels)}
    more: list[JsonValue] = []
    name = str(own.get("job-name", ""))
    if name:
        out[JOBSET] = name
    role = str(own.get("replica-type", "")).lower()
    if own.get("job-role") in _LEADERS:
        role = role or str(own["job-role"])
    if not role:
        return out, more
    place = known.get(name, {}).get(role)
    job, first = (place.job, place.first) if place else _guess(role)
    out[REPLICATED] = job
    index = str(own.get("replica-index", ""))
    if index.isdecimal():
        out[INDEX] = str(first + int(index))
    elif role in ("master", "chief") and job == NODE:
        out[INDEX] = "0"
    elif first:
        more.append({"key": INDEX, "operator": "NotIn", "values": [str(at) for at in range(first)]})
    return out, more


def _is_legacy(key: str, labels: JsonObject) -> bool:
    if key.startswith(PREFIX):
        return True
    return key in (*_BARE, "group-name") and names_legacy_pods({k: v for k, v in labels.items() if "/" not in k})


def _guess(role: str) -> tuple[str, int]:
    """Where a role is when the job is not known: one job for all nodes, but for those that always get their own."""
    if role in ("launcher", "ps", "evaluator"):
        return role, 0
    return NODE, 1 if role == "worker" else 0


def translated_key(key: str) -> str:
    """The label that says the same; empty where none does."""
    return {"job-name": JOBSET, "replica-type": REPLICATED, "replica-index": INDEX}.get(key.removeprefix(PREFIX), "")
