"""The Pods of a TrainJob as plain JSON values."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from itertools import islice
from typing import TYPE_CHECKING

from trainergen.api.quantity import Quantity
from trainergen.finding import format_path
from trainergen.render.provenance import Origin

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.render.pods.model import JobPods, PodKind

MOST_LISTED = 10_000
"""Pods of one kind that are listed one by one; of more only the first are."""


def job_pods_to_dict(pods: JobPods) -> JsonObject:
    """All fields by their names, the sums, and the Pods one by one."""
    plain = _fields(pods)
    plain["kinds"] = [_kind(kind) for kind in pods.kinds]
    plain |= {"count": pods.count, "processes": pods.processes, "requests": {**pods.requests}}
    return plain


def _kind(kind: PodKind) -> JsonObject:
    plain = _fields(kind)
    listed = [_fields(pod) for pod in islice(kind.pods(), MOST_LISTED)]
    plain |= {
        "count": kind.count,
        "processes_per_pod": kind.processes_per_pod,
        "total_processes": kind.total_processes,
        "gpus": kind.gpus,
        "jobs": [*kind.jobs],
        "pods": [*listed],
        "pods_listed": len(listed),
    }
    return plain


def _fields(value: object) -> JsonObject:
    assert is_dataclass(value)
    return {field.name: plain_value(getattr(value, field.name)) for field in fields(value)}


def plain_value(value: object) -> JsonValue:
    """A value of the expansion as JSON; amounts as text, origins with their paths in the API server's notation."""
    if isinstance(value, Origin):
        return {"kind": value.kind, "path": format_path(value.path), "detail": value.detail}
    if isinstance(value, Quantity):
        return value.canonical()
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, dict):
        return {str(key): plain_value(child) for key, child in value.items()}
    if isinstance(value, tuple | list):
        return [plain_value(child) for child in value]
    if value is None or isinstance(value, str | int):
        return value
    raise TypeError(f"{type(value).__name__} is no part of an expansion")
