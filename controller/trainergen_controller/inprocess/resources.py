"""The kinds that the server serves, with their schemas: Trainer's of the release, JobSet's, and plain ones of the rest.

Kinds that only pass through, Events and PodGroups for example, have an open schema: everything is taken as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from trainergen.api.structural import Kind, StructuralSchemas, load
from trainergen_controller import kinds
from trainergen_controller.inprocess.shapes import Shape

if TYPE_CHECKING:
    from trainergen.api.structural import Schema
    from trainergen_controller.kinds import ApiKind

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "object", "additionalProperties": _TEXT}
_NUMBER: Schema = {"type": "integer"}
_AMOUNT: Schema = {"type": "integer", "minimum": 0}
_COUNT: Schema = {"type": "integer", "format": "int32"}
_ANYTHING: Schema = {"x-kubernetes-preserve-unknown-fields": True}
_OPEN: Schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}

METADATA: Schema = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"), _TEXT),
        **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), _TEXT),
        **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), _NUMBER),
        **dict.fromkeys(("labels", "annotations"), _TEXTS),
        "ownerReferences": {
            "type": "array",
            "items": {**_OPEN, "x-kubernetes-map-type": "atomic"},
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["uid"],
        },
        "finalizers": {"type": "array", "items": _TEXT, "x-kubernetes-list-type": "set"},
        "managedFields": {"type": "array", "items": _OPEN},
    },
}
"""How metadata merges."""


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


def _map(item: Schema, *keys: str) -> Schema:
    """A list whose entries are told apart by keys."""
    return {"type": "array", "items": item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)}


_JOBS_STATUS = {
    **_object(
        name=_TEXT,
        jobRestarts={"type": "array", "items": _COUNT},
        jobRestartsCountTowardsMax={"type": "array", "items": _COUNT},
        **dict.fromkeys(("active", "failed", "ready", "succeeded", "suspended"), _COUNT),
    ),
    "required": ["active", "failed", "name", "ready", "succeeded", "suspended"],
}
_JOB_SET_STATUS = _object(
    conditions=_map({"$ref": "meta.v1.Condition"}, "type"),
    replicatedJobsStatus=_map(_JOBS_STATUS, "name"),
    terminalState=_TEXT,
    **dict.fromkeys(("restarts", "restartsCountTowardsMax"), _COUNT),
    **dict.fromkeys(("currentInPlaceRestartAttempt", "previousInPlaceRestartAttempt"), _AMOUNT),
)

_PLAIN: dict[ApiKind, Schema] = {
    kinds.CONFIG_MAP: _object(data=_TEXTS, binaryData=_TEXTS, immutable={"type": "boolean"}),
    kinds.SECRET: _object(data=_TEXTS, stringData=_TEXTS, type=_TEXT, immutable={"type": "boolean"}),
    kinds.NAMESPACE: _object(spec=_object(finalizers={"type": "array", "items": _TEXT}), status=_OPEN),
    kinds.LEASE: _object(
        spec=_object(
            **dict.fromkeys(("holderIdentity", "acquireTime", "renewTime", "strategy", "preferredHolder"), _TEXT),
            **dict.fromkeys(("leaseDurationSeconds", "leaseTransitions"), _COUNT),
        )
    ),
}
_WITH_STATUS = (kinds.POD_GROUP, kinds.VOLCANO_POD_GROUP, kinds.NAMESPACE, kinds.CUSTOM_RESOURCE_DEFINITION)
_CUSTOM = (
    kinds.TRAIN_JOB,
    kinds.TRAINING_RUNTIME,
    kinds.CLUSTER_TRAINING_RUNTIME,
    kinds.JOB_SET,
    kinds.POD_GROUP,
    kinds.VOLCANO_POD_GROUP,
    kinds.POLICY_REPORT,
    kinds.CLUSTER_POLICY_REPORT,
)


@dataclass(frozen=True, slots=True, eq=False)
class Resource:
    """One served kind."""

    kind: ApiKind
    structural: Kind
    schemas: StructuralSchemas
    """The definitions that the structural schema refers to."""
    shape: Shape
    has_status: bool
    """The status is a subresource."""
    is_custom: bool
    """Kinds with a CRD count generations, and a PUT of them has to say which version it replaces."""


@cache
def served(release: str) -> dict[ApiKind, Resource]:
    """The kinds in a cluster with a release of the Trainer; TrainergenError for an unknown release."""
    own = load(release)
    found = {kind: _plain(kind) for kind in kinds.KNOWN}
    for kind in (kinds.TRAIN_JOB, kinds.TRAINING_RUNTIME, kinds.CLUSTER_TRAINING_RUNTIME):
        found[kind] = _resource(kind, own.kinds[kind.kind], own)
    job_set = _rooted(spec={"$ref": "JobSetSpec"}, status=_JOB_SET_STATUS)
    definitions = replace(own, kinds={}, _resolved={})
    found[kinds.JOB_SET] = _resource(kinds.JOB_SET, _structural(kinds.JOB_SET, job_set), definitions)
    return found


def _plain(kind: ApiKind) -> Resource:
    # Compiled schemas are kept by kind name alone, and there are two PodGroups and two Events: each has its own set.
    return _resource(kind, _structural(kind, _described(kind)), StructuralSchemas("", {}, {}))


def _described(kind: ApiKind) -> Schema:
    plain = _PLAIN.get(kind)
    return {**_OPEN, **_rooted()} if plain is None else _rooted(**plain["properties"])


def _rooted(**properties: Schema) -> Schema:
    """The schema of a whole object."""
    return _object(apiVersion=_TEXT, kind=_TEXT, metadata={"type": "object"}, **properties)


def _structural(kind: ApiKind, schema: Schema) -> Kind:
    scope = "Namespaced" if kind.namespaced else "Cluster"
    return Kind(kind.group, kind.version, kind.kind, kind.plural, scope, schema)


def _resource(kind: ApiKind, structural: Kind, schemas: StructuralSchemas) -> Resource:
    root = schemas.resolve(structural.schema)
    merged: Schema = {**root, "properties": {**root["properties"], "metadata": METADATA}}
    has_status = kind in _WITH_STATUS or (kind in _CUSTOM and "status" in root["properties"])
    return Resource(kind, structural, schemas, Shape(merged, schemas.resolve), has_status, kind in _CUSTOM)
