"""Environments: where the same runtimes and jobs run, with what is different there."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from trainergen.generate.spec.texts import (
    Amount,
    Annotations,
    Duration,
    Key,
    Label,
    Labels,
    ObjectName,
    Section,
    StringMap,
    Text,
    short,
)

Factor = Annotated[float, Field(gt=0, le=1000)]
Security = Literal["restricted", "baseline", "privileged"]


class Size(Section):
    """How large everything is here, compared to what runtimes and jobs say. Results are rounded up."""

    nodes: Factor = Field(default=1, description="Factor for numbers of nodes.")
    gpus: Factor = Field(default=1, description="Factor for GPUs of a node.")
    cpu: Factor = Field(default=1, description="Factor for CPUs of a node.")
    memory: Factor = Field(default=1, description="Factor for memory of a node.")


class Queue(Section):
    """A queue of Kueue for all jobs of an environment."""

    name: Label = Field(description="The LocalQueue.")
    cluster_queue: ObjectName | None = Field(
        default=None,
        alias="cluster-queue",
        description="The ClusterQueue behind it; with it the LocalQueue is generated.",
    )
    quota: dict[Text, Amount] = Field(
        default_factory=dict,
        description="What the ClusterQueue may hand out, by resource; with it ClusterQueue and ResourceFlavor are"
        " generated.",
    )
    flavor: ObjectName | None = Field(
        default=None, description="The ResourceFlavor of the quota; by default default-flavor."
    )
    cohort: ObjectName | None = Field(default=None, description="The cohort that the ClusterQueue may borrow from.")


class Taint(Section):
    """A taint of nodes that the Pods put up with."""

    key: Text = Field(description="The key of the taint.")
    value: str = Field(default="", description="Its value; without one any value is tolerated.")
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute", ""] = Field(
        default="NoSchedule", description="Its effect."
    )


class NodePool(Section):
    """Nodes that are told by their labels."""

    labels: Labels = Field(description="Labels of the nodes.", min_length=1)
    taints: tuple[Taint, ...] = Field(default=(), description="Taints of the nodes.")


class Policies(Section):
    """What is allowed here. A specification that asks for more is refused when it is built."""

    max_nodes: int | None = Field(
        default=None, ge=1, alias="max-nodes", description="Nodes of a job; for the policy trainer-node-cap as well."
    )
    max_gpus: int | None = Field(default=None, ge=0, alias="max-gpus", description="GPUs of a job over all its nodes.")
    max_deadline: Duration | None = Field(
        default=None, alias="max-deadline", description="How long a job may take; every job must have a deadline."
    )
    registries: tuple[Text, ...] = Field(
        default=(), description="Where images may come from: registry, or registry/path."
    )
    pinned_images: bool = Field(
        default=False,
        alias="pinned-images",
        description="Whether every image needs a digest or a tag other than latest.",
    )
    queue_required: bool = Field(
        default=False, alias="queue-required", description="Whether every job needs a queue of Kueue."
    )


class EnvironmentSpec(Section):
    """One environment."""

    namespace: Label | None = Field(default=None, description="The namespace; by default name and environment.")
    cluster: str = Field(default="", description="The cluster: URL of the API server, or its name in Argo CD.")
    revision: Text = Field(default="main", description="The git revision that the delivery follows.")
    queue: Annotated[Queue | None, short("name")] = Field(default=None, description="The queue of Kueue for the jobs.")
    node_pools: dict[Key, NodePool] = Field(default_factory=dict, alias="node-pools", description="Kinds of nodes.")
    node_pool: Key | None = Field(
        default=None, alias="node-pool", description="The pool for everything that names none itself."
    )
    registry: Text | None = Field(default=None, description="The registry that takes the place of that of every image.")
    registries: StringMap = Field(
        default_factory=dict, description="Registries by the one that they take the place of, such as docker.io."
    )
    size: Size = Field(default_factory=Size, description="How large everything is here.")
    pod_security: Security = Field(
        default="restricted", alias="pod-security", description="The Pod Security level that the namespace enforces."
    )
    labels: Labels = Field(default_factory=dict, description="Labels of the Namespace.")
    annotations: Annotations = Field(default_factory=dict, description="Annotations of the Namespace.")
    quota: dict[Text, Amount] = Field(default_factory=dict, description="A ResourceQuota, such as requests.cpu: 100.")
    policies: Policies = Field(default_factory=Policies, description="What is allowed here.")


def _nothing_set(value: Any) -> Any:
    return {} if value is None else value


Environments = Annotated[dict[Key, Annotated[EnvironmentSpec, BeforeValidator(_nothing_set)]], Field(min_length=1)]
