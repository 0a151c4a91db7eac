"""What Go's JSON encoder leaves out of Kubernetes types: empty lists and maps, and zero values that are held by value.

It decides what a patch can say: a patch of a runtime passes through Go types before it is merged, so that
``tolerations: []`` removes nothing and ``readOnly: false`` does not win over true.

Source: kubernetes/api core/v1/types.go @ v0.36.2, kubeflow/trainer pkg/apis/trainer/v1alpha1 @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonValue

_BY_VALUE = frozenset(
    {
        "apiVersion",
        "audience",
        "certificateChainPath",
        "chapAuthDiscovery",
        "chapAuthSession",
        "containerName",
        "credentialBundlePath",
        "datasetName",
        "datasetUUID",
        "directory",
        "effect",
        "fsType",
        "group",
        "iscsiInterface",
        "key",
        "keyPath",
        "keyring",
        "level",
        "medium",
        "name",
        "namespace",
        "operator",
        "partition",
        "path",
        "pool",
        "protectionDomain",
        "pullPolicy",
        "readOnly",
        "reference",
        "revision",
        "role",
        "secretFile",
        "secretName",
        "sslEnabled",
        "storageMode",
        "storagePolicyID",
        "storagePolicyName",
        "storagePool",
        "subPath",
        "subPathExpr",
        "tenant",
        "type",
        "user",
        "value",
        "volumeName",
        "volumeNamespace",
    }
)
"""Optional scalar fields that Go types hold by value, over all types that a patch can contain."""
_BY_POINTER = frozenset(
    {
        "core.v1.AzureDiskVolumeSource",
        "core.v1.CSIVolumeSource",
        "core.v1.ClusterTrustBundleProjection",
        "core.v1.HostPathVolumeSource",
        "core.v1.TypedObjectReference",
    }
)
"""The types that hold fields of those names by pointer instead, so that their zero values are written."""


def encoded(value: JsonValue, node: Schema, schemas: StructuralSchemas) -> JsonValue:
    """``value`` as Go writes it after reading it into the type whose schema is ``node``; ``value`` stays as it is."""
    schema = schemas.resolve(node)
    if isinstance(value, list):
        items = schema.get("items", {})
        return [encoded(item, items, schemas) for item in value]
    if not isinstance(value, dict):
        return value
    properties = schema.get("properties")
    if properties is None:
        rest = schema.get("additionalProperties")
        return {key: encoded(child, rest, schemas) for key, child in value.items()} if isinstance(rest, dict) else value
    kept = frozenset(schema.get("required", ()))
    by_value = frozenset() if node.get("$ref") in _BY_POINTER else _BY_VALUE
    return {
        key: encoded(child, properties.get(key, {}), schemas)
        for key, child in value.items()
        if key in kept or not _omitted(child, key in by_value, schemas.resolve(properties.get(key, {})))
    }


def _omitted(value: JsonValue, by_value: bool, schema: Schema) -> bool:
    if value is None:
        return True
    if isinstance(value, list):
        return not value
    if isinstance(value, dict):
        return not value and "additionalProperties" in schema
    return by_value and not value
