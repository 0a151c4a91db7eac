"""What a TrainJob may change in the runtime it names: pod overrides (2.0, 2.1) and runtime patches (from 2.2)."""

from typing import Annotated

from trainergen.api.fields import (
    LIST_ATOMIC,
    Int64,
    Time,
    immutable,
    lasts,
    list_map,
    max_items,
    max_length,
    min_length,
    minimum,
)
from trainergen.api.kubernetes import (
    Affinity,
    EnvVar,
    LocalObjectReference,
    PodSchedulingGate,
    PodSecurityContext,
    SecurityContext,
    TemplateMetadata,
    Toleration,
    Volume,
    VolumeMount,
)
from trainergen.api.model import Model


class ContainerPatch(Model):
    """Changes to one container of the runtime, found by its name."""

    name: Annotated[str, min_length(1, since="2.1"), max_length(253, since="2.2")]
    """Name of a container in the runtime's pod template."""
    env: Annotated[list[EnvVar] | None, list_map("name"), max_items(128, since="2.2")] = None
    """Variables to add or replace. For the containers that a TrainJob has sections for, use those sections instead."""
    volume_mounts: Annotated[list[VolumeMount] | None, list_map("name"), max_items(128, since="2.2")] = None
    """Mounts to add or replace. Keyed by volume, so one entry cannot mount the same volume twice."""
    security_context: Annotated[SecurityContext | None, lasts(since="2.2")] = None
    """Security settings of the container."""


class PodSpecPatch(Model):
    """Changes to a pod template of the runtime."""

    service_account_name: Annotated[str | None, max_length(253, since="2.2"), immutable(since="2.2")] = None
    """Service account of the pods."""
    node_selector: dict[str, str] | None = None
    """Labels that the nodes must have, added to those of the runtime."""
    affinity: Annotated[Affinity | None, lasts(since="2.1")] = None
    """Rules that draw pods to nodes or pods, or keep them apart."""
    tolerations: Annotated[list[Toleration] | None, LIST_ATOMIC, max_items(128, since="2.2")] = None
    """Node taints that the pods put up with."""
    volumes: Annotated[list[Volume] | None, list_map("name"), max_items(128, since="2.2"), immutable(since="2.2")] = (
        None
    )
    """Volumes to add or replace."""
    init_containers: Annotated[
        list[ContainerPatch] | None, list_map("name"), max_items(64, since="2.2"), immutable(since="2.2")
    ] = None
    """Changes to the runtime's init containers."""
    containers: Annotated[
        list[ContainerPatch] | None, list_map("name"), max_items(64, since="2.2"), immutable(since="2.2")
    ] = None
    """Changes to the runtime's containers."""
    scheduling_gates: Annotated[list[PodSchedulingGate] | None, list_map("name"), max_items(16, since="2.2")] = None
    """Gates that keep the pods from being scheduled until they are removed."""
    image_pull_secrets: Annotated[
        list[LocalObjectReference] | None,
        list_map("name"),
        max_items(64, since="2.2"),
        immutable(since="2.2"),
        lasts(since="2.1"),
    ] = None
    """Secrets with the credentials of image registries."""
    security_context: Annotated[PodSecurityContext | None, immutable(), lasts(since="2.2")] = None
    """Security settings of the whole pod."""
    termination_grace_period_seconds: Annotated[Int64 | None, minimum(0), immutable(), lasts(since="2.3")] = None
    """How long the pods may take to stop before they are killed."""


class TargetJob(Model):
    """One replicated job of the runtime."""

    name: Annotated[str, min_length(1, since="2.1")]
    """Name of the replicated job."""


class PodSpecOverride(PodSpecPatch):
    """Release 2.0: changes to the pods of some replicated jobs."""

    target_jobs: Annotated[list[TargetJob], LIST_ATOMIC]
    """The replicated jobs whose pods are changed."""


class PodTemplateOverride(Model):
    """Release 2.1: changes to the pod templates of some replicated jobs."""

    target_jobs: Annotated[list[TargetJob], LIST_ATOMIC]
    """The replicated jobs whose pods are changed."""
    metadata: TemplateMetadata | None = None
    """Labels and annotations to add to the pods."""
    spec: PodSpecPatch | None = None
    """Changes to the pods."""


class PodTemplatePatch(Model):
    """Changes to the pod template of a replicated job."""

    metadata: TemplateMetadata | None = None
    """Labels and annotations to add to the pods."""
    spec: PodSpecPatch | None = None
    """Changes to the pods."""


class JobSpecPatch(Model):
    """Changes to the Jobs of a replicated job; only their pod template can be changed."""

    template: PodTemplatePatch | None = None
    """Changes to the pod template."""


class JobTemplatePatch(Model):
    """Changes to the Job template of a replicated job."""

    metadata: TemplateMetadata | None = None
    """Labels and annotations to add to the Jobs."""
    spec: JobSpecPatch | None = None
    """Changes to the Jobs."""


class ReplicatedJobPatch(Model):
    """Changes to one replicated job of the runtime, found by its name."""

    name: Annotated[str, min_length(1), max_length(253)]
    """Name of a replicated job in the runtime."""
    template: JobTemplatePatch | None = None
    """Changes to its Job template."""


class JobSetSpecPatch(Model):
    """Changes to the JobSet of the runtime."""

    replicated_jobs: Annotated[list[ReplicatedJobPatch] | None, list_map("name"), max_items(100)] = None
    """Changes by replicated job."""


class JobSetTemplatePatch(Model):
    """Changes to the JobSet template of the runtime."""

    metadata: TemplateMetadata | None = None
    """Labels and annotations to add to the JobSet."""
    spec: JobSetSpecPatch | None = None
    """Changes to the JobSet."""


class TrainingRuntimeSpecPatch(Model):
    """Changes to the spec of the runtime; only its template can be changed."""

    template: JobSetTemplatePatch | None = None
    """Changes to the JobSet template."""


class RuntimePatch(Model):
    """The changes that one manager (a person, a tool, a controller) makes to the runtime for this TrainJob."""

    manager: Annotated[str, min_length(1), max_length(253), immutable()]
    """Who owns this entry, such as ``example.com/team``; each manager has one entry."""
    time: Time | None = None
    """When the entry last changed; the mutating webhook writes it, so leave it out of manifests."""
    training_runtime_spec: TrainingRuntimeSpecPatch | None = None
    """Changes to the runtime's spec."""
