"""The JobSet types embedded in runtimes; lifespans name the Trainer release whose JobSet version has the field."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from trainergen.api.fields import (
    LIST_ATOMIC,
    Bool,
    Int,
    Int32,
    Marker,
    Rule,
    default,
    enum,
    immutable,
    lasts,
    list_map,
    max_items,
    merge_key,
    minimum,
)
from trainergen.api.kubernetes import JobTemplateSpec, PersistentVolumeClaim, TemplateMetadata
from trainergen.api.model import Model

VALUE_IMMUTABLE = immutable("Value is immutable")


class DependsOn(Model):
    """A replicated job that has to reach a state before this one starts."""

    name: str
    """Name of an earlier replicated job."""
    status: Literal["Ready", "Complete"]
    """The state that all its Jobs have to reach."""


class ReplicatedJob(Model):
    """A number of like Jobs: the nodes of a training, an initializer, a launcher."""

    name: str
    """Name of the group, unique in the JobSet; part of the names of Jobs and pods."""
    group_name: Annotated[str | None, default("default"), lasts(since="2.1")] = None
    """Group of replicated jobs that this one belongs to."""
    template: JobTemplateSpec
    """Template of the Jobs; the label ``trainer.kubeflow.org/trainjob-ancestor-step`` ties it to the TrainJob."""
    replicas: Annotated[Int32 | None, default(1)] = None
    """Number of Jobs."""
    depends_on: Annotated[
        list[DependsOn] | None,
        list_map("name"),
        merge_key("name", since="2.3"),
        max_items(1, until="2.0"),
        max_items(5, since="2.1"),
        VALUE_IMMUTABLE,
    ] = None
    """Replicated jobs that have to be ready or complete first."""


class Network(Model):
    """Names under which the pods reach each other."""

    enable_dns_hostnames: Annotated[Bool | None, Field(alias="enableDNSHostnames")] = None
    """Whether pods get stable host names."""
    subdomain: str | None = None
    """Subdomain of the host names; the JobSet's name if not given."""
    publish_not_ready_addresses: Bool | None = None
    """Whether host names resolve before the pods are ready."""


class SuccessPolicy(Model):
    """When the JobSet counts as complete."""

    operator: Literal["All", "Any"]
    """Whether all or any of the targeted Jobs have to complete."""
    target_replicated_jobs: Annotated[list[str] | None, LIST_ATOMIC] = None
    """The replicated jobs that count; all of them if not given."""


class FailurePolicyRule(Model):
    """What to do when a Job fails in a certain way."""

    name: str
    """Name of the rule, unique in the policy."""
    action: Annotated[
        Literal[
            "FailJobSet",
            "RestartJobSet",
            "RestartJobSetAndIgnoreMaxRestarts",
            "RestartJob",
            "RestartJobAndIgnoreMaxRestarts",
        ],
        enum("FailJobSet", "RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts", until="2.2"),
    ]
    """What happens."""
    on_job_failure_reasons: list[str] | None = None
    """Failure reasons of the Job that the rule is for; all if not given."""
    on_job_failure_message_patterns: Annotated[list[str] | None, lasts(since="2.1")] = None
    """Patterns of failure messages that the rule is for; all if not given."""
    target_replicated_jobs: Annotated[list[str] | None, LIST_ATOMIC] = None
    """Replicated jobs that the rule is for; all if not given."""


class FailurePolicy(Model):
    """What happens when Jobs fail."""

    max_restarts: Int32 | None = None
    """How often the JobSet may restart before it fails for good."""
    restart_strategy: Annotated[
        Literal["Recreate", "BlockingRecreate", "InPlaceRestart"] | None,
        default("Recreate"),
        enum("Recreate", "BlockingRecreate", until="2.1"),
    ] = None
    """How a restart goes: Jobs anew one by one, only after all are gone, or inside the running pods."""
    rules: list[FailurePolicyRule] | None = None
    """Special cases, the first that fits is taken; without one, a failure restarts the JobSet."""


class StartupPolicy(Model):
    """In which order the replicated jobs start."""

    startup_policy_order: Literal["AnyOrder", "InOrder"]
    """All at once, or each after the one before is ready."""


class Coordinator(Model):
    """The pod whose address all pods of the JobSet learn through a label and an annotation."""

    replicated_job: str
    """Replicated job of the pod."""
    job_index: Int | None = None
    """Which Job of the replicated job."""
    pod_index: Int | None = None
    """Which pod of the Job."""


class VolumeRetentionPolicy(Model):
    """What becomes of the claims."""

    when_deleted: Annotated[Literal["Delete", "Retain"] | None, default("Delete")] = None
    """What becomes of them when the JobSet is deleted."""


class VolumeClaimPolicy(Model):
    """Persistent volume claims that the JobSet creates and that all its pods share."""

    markers: ClassVar[tuple[Marker, ...]] = (
        Rule(
            "self.templates.all(t, !has(t.metadata.namespace) || size(t.metadata.namespace) == 0)",
            "namespace cannot be set for VolumeClaimPolicies templates",
        ),
    )

    templates: Annotated[list[PersistentVolumeClaim] | None, LIST_ATOMIC, max_items(50)] = None
    """The claims; pods mount them by their template names."""
    retention_policy: VolumeRetentionPolicy | None = None
    """What becomes of the claims."""


class JobSetSpec(Model):
    """The JobSet that Trainer creates for each TrainJob, before the TrainJob's own settings are laid over it."""

    markers: ClassVar[tuple[Marker, ...]] = (
        Rule(
            "!(has(self.startupPolicy) && self.startupPolicy.startupPolicyOrder == 'InOrder' "
            "&& self.replicatedJobs.exists(x, has(x.dependsOn)))",
            "StartupPolicy and DependsOn APIs are mutually exclusive",
        ),
    )

    replicated_jobs: Annotated[list[ReplicatedJob] | None, list_map("name"), merge_key("name", since="2.3")] = None
    """The groups of Jobs; the main one is called ``node``."""
    network: Annotated[Network | None, VALUE_IMMUTABLE] = None
    """Names under which the pods reach each other."""
    success_policy: Annotated[SuccessPolicy | None, VALUE_IMMUTABLE] = None
    """When the JobSet counts as complete; by default when all Jobs are."""
    failure_policy: Annotated[FailurePolicy | None, VALUE_IMMUTABLE] = None
    """What happens when Jobs fail; by default the JobSet fails."""
    startup_policy: Annotated[StartupPolicy | None, VALUE_IMMUTABLE] = None
    """In which order the replicated jobs start; excludes ``dependsOn``."""
    suspend: Bool | None = None
    """Whether the JobSet waits; Trainer sets it from the TrainJob."""
    coordinator: Coordinator | None = None
    """The pod whose address all pods learn."""
    managed_by: str | None = None
    """Controller that manages the JobSet, if not JobSet's own."""
    ttl_seconds_after_finished: Annotated[Int32 | None, minimum(0)] = None
    """How long a finished JobSet is kept; the only way to clean up the pods of a TrainJob by time."""
    volume_claim_policies: Annotated[
        list[VolumeClaimPolicy] | None, LIST_ATOMIC, max_items(50), VALUE_IMMUTABLE, lasts(since="2.2")
    ] = None
    """Persistent volume claims that the JobSet creates for its pods."""


class JobSetTemplateSpec(Model):
    """Template of the JobSet that a TrainJob becomes."""

    metadata: TemplateMetadata | None = None
    """Labels and annotations of the JobSet."""
    spec: JobSetSpec | None = None
    """Spec of the JobSet."""
