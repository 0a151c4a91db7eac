"""Environment variables: how entries of a TrainJob are taken over, and those that plugins make.

Source: kubeflow/trainer pkg/apply/apply.go EnvVar, pkg/constants/constants.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import text_at

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue

COMPLETION_INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']"


def literal(name: str, value: object) -> JsonObject:
    """A variable with a plain value."""
    return {"name": name, "value": str(value)}


def completion_index(name: str) -> JsonObject:
    """A variable that holds the Pod's index in its Job."""
    return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": COMPLETION_INDEX}}}


def taken_over(entry: JsonValue) -> JsonObject:
    """An entry of a TrainJob as it reaches a container. Sources that the controller does not know become empty."""
    name = text_at(entry, "name")
    source = entry.get("valueFrom") if isinstance(entry, dict) else None
    if not isinstance(source, dict):
        return {"name": name, "value": text_at(entry, "value")}
    taken: JsonObject = {kind: _reference(kind, ref) for kind, ref in source.items() if kind in _KNOWN}
    return {"name": name, "valueFrom": taken}


_KNOWN = frozenset({"fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef"})


def _reference(kind: str, ref: JsonValue) -> JsonObject:
    if kind == "fieldRef":
        return {"fieldPath": text_at(ref, "fieldPath")}
    if kind == "resourceFieldRef":
        return {
            "containerName": text_at(ref, "containerName"),
            "divisor": text_at(ref, "divisor") or "0",
            "resource": text_at(ref, "resource"),
        }
    taken: JsonObject = {"key": text_at(ref, "key"), "name": text_at(ref, "name")}
    if isinstance(ref, dict) and ref.get("optional") is not None:
        taken["optional"] = ref["optional"]
    return taken
