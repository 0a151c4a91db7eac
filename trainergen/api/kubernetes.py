"""Python names for the Kubernetes types that everyday manifests need.

Only names and types are declared here, for completion and early errors; what a release accepts comes from its snapshot
in ``schemas/core``. Kubernetes types without a class are written as plain mappings.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from trainergen.api.fields import Bool, Int, Int64, JsonMap, Quantity, Time, embedded, shape
from trainergen.api.model import Model

Affinity = Annotated[JsonMap, embedded("core.v1.Affinity")]
JobTemplateSpec = Annotated[JsonMap, embedded("batch.v1.JobTemplateSpec")]
MetricSpec = Annotated[JsonMap, embedded("autoscaling.v2.MetricSpec")]
PersistentVolumeClaim = Annotated[JsonMap, embedded("core.v1.PersistentVolumeClaim")]
PodSecurityContext = Annotated[JsonMap, embedded("core.v1.PodSecurityContext")]
SecurityContext = Annotated[JsonMap, embedded("core.v1.SecurityContext")]
Volume = Annotated[JsonMap, embedded("core.v1.Volume")]

FREE_FORM = shape({"type": "object", "x-kubernetes-preserve-unknown-fields": True})


class TemplateMetadata(Model):
    """Metadata of an object that Trainer or JobSet creates from a template."""

    core_type: ClassVar[str] = "meta.v1.ObjectMeta"

    name: str | None = None
    namespace: str | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    finalizers: list[str] | None = None


class SecretKeySelector(Model):
    """One key of a Secret."""

    core_type: ClassVar[str] = "core.v1.SecretKeySelector"

    name: str | None = None
    key: str
    optional: Bool | None = None


class ConfigMapKeySelector(Model):
    """One key of a ConfigMap."""

    core_type: ClassVar[str] = "core.v1.ConfigMapKeySelector"

    name: str | None = None
    key: str
    optional: Bool | None = None


class ObjectFieldSelector(Model):
    """A field of the pod itself, such as ``metadata.name``."""

    core_type: ClassVar[str] = "core.v1.ObjectFieldSelector"

    api_version: str | None = None
    field_path: str


class ResourceFieldSelector(Model):
    """A resource of a container, such as ``limits.cpu``."""

    core_type: ClassVar[str] = "core.v1.ResourceFieldSelector"

    container_name: str | None = None
    resource: str
    divisor: Quantity | None = None


class FileKeySelector(Model):
    """One key of an environment file on a volume."""

    core_type: ClassVar[str] = "core.v1.FileKeySelector"

    volume_name: str
    path: str
    key: str
    optional: Bool | None = None


class EnvVarSource(Model):
    """Where the value of an environment variable comes from; exactly one field."""

    core_type: ClassVar[str] = "core.v1.EnvVarSource"

    secret_key_ref: SecretKeySelector | None = None
    config_map_key_ref: ConfigMapKeySelector | None = None
    field_ref: ObjectFieldSelector | None = None
    resource_field_ref: ResourceFieldSelector | None = None
    file_key_ref: FileKeySelector | None = None


class EnvVar(Model):
    """An environment variable, with a value or a source of one."""

    core_type: ClassVar[str] = "core.v1.EnvVar"

    name: str
    value: str | None = None
    value_from: EnvVarSource | None = None


class LocalObjectReference(Model):
    """The name of an object in the same namespace."""

    core_type: ClassVar[str] = "core.v1.LocalObjectReference"

    name: str | None = None


class ResourceClaim(Model):
    """A claim of the pod that a container uses."""

    core_type: ClassVar[str] = "core.v1.ResourceClaim"

    name: str
    request: str | None = None


class ResourceRequirements(Model):
    """What a container asks for and what it may use at most."""

    core_type: ClassVar[str] = "core.v1.ResourceRequirements"

    limits: dict[str, Quantity] | None = None
    requests: dict[str, Quantity] | None = None
    claims: list[ResourceClaim] | None = None


class Toleration(Model):
    """A node taint that the pod puts up with."""

    core_type: ClassVar[str] = "core.v1.Toleration"

    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None
    toleration_seconds: Int64 | None = None


class VolumeMount(Model):
    """Where a container sees a volume of its pod."""

    core_type: ClassVar[str] = "core.v1.VolumeMount"

    name: str
    mount_path: str
    read_only: Bool | None = None
    recursive_read_only: str | None = None
    mount_propagation: str | None = None
    sub_path: str | None = None
    sub_path_expr: str | None = None


class PodSchedulingGate(Model):
    """A gate that keeps the pod from being scheduled until it is removed."""

    core_type: ClassVar[str] = "core.v1.PodSchedulingGate"

    name: str


class NetworkTopologySpec(Model):
    """How close together Volcano has to place the pods."""

    core_type: ClassVar[str] = "scheduling.v1beta1.NetworkTopologySpec"

    mode: Literal["hard", "soft"] | None = None
    highest_tier_allowed: Int | None = None


class Condition(Model):
    """One aspect of the state of an object, as its controller last saw it."""

    core_type: ClassVar[str] = "meta.v1.Condition"

    type: str
    status: Literal["True", "False", "Unknown"]
    reason: str
    message: str
    last_transition_time: Time
    observed_generation: Int64 | None = None


class OwnerReference(Model):
    """The object that this object is deleted with."""

    api_version: str
    """API version of the owner."""
    kind: str
    """Kind of the owner."""
    name: str
    """Name of the owner."""
    uid: str
    """UID of the owner."""
    controller: Bool | None = None
    """Whether the owner is the controller of this object."""
    block_owner_deletion: Bool | None = None
    """Whether the owner has to wait for this object when it is deleted in the foreground."""


class ObjectMeta(Model):
    """Metadata of an object. A manifest gives name, namespace, labels and annotations; the rest is the server's."""

    name: str | None = None
    """Name of the object, unique in its namespace."""
    generate_name: str | None = None
    """Start of a name that the server completes; for objects that are created, not applied."""
    namespace: str | None = None
    """Namespace of the object; none for cluster-scoped kinds."""
    labels: dict[str, str] | None = None
    """Keys and values to select objects by."""
    annotations: dict[str, str] | None = None
    """Keys and values for tools, not for selection."""
    finalizers: list[str] | None = None
    """What has to happen before the object disappears once it is deleted."""
    owner_references: list[OwnerReference] | None = None
    """The objects that this object is deleted with."""
    uid: str | None = None
    """Set by the server."""
    resource_version: str | None = None
    """Set by the server at each change."""
    generation: Int64 | None = None
    """Set by the server at each change of the spec."""
    creation_timestamp: Time | None = None
    """Set by the server."""
    deletion_timestamp: Time | None = None
    """Set by the server once the object is being deleted."""
    deletion_grace_period_seconds: Int64 | None = None
    """Set by the server once the object is being deleted."""
    managed_fields: list[Annotated[JsonMap, FREE_FORM]] | None = None
    """Who owns which field, kept by the server for server-side apply."""
    self_link: Annotated[str | None, Field(deprecated=True)] = None
    """No longer set by any supported server."""
