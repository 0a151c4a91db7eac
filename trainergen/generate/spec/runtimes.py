"""Runtimes: what the release ships or one of our recipes, made fit for the team."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from trainergen.generate.spec.texts import (
    Amount,
    Image,
    Key,
    ObjectName,
    Section,
    Short,
    Text,
    Variables,
    Version,
    short,
)

Gang = Literal["kueue", "volcano", "coscheduling", "none"]


class Topology(Section):
    """That the nodes of a job are near each other."""

    level: Text = Field(
        description="The label of the nodes that says what near is, such as topology.kubernetes.io/zone."
    )
    required: bool = Field(default=True, description="Whether the job waits until there is room for it.")


class Storage(Section):
    """A volume of the training containers."""

    mount: Text = Field(description="Where it is mounted.")
    claim: ObjectName | None = Field(default=None, description="The PersistentVolumeClaim.")
    size: Amount | None = Field(
        default=None,
        description="With a claim: generate it with this size. Without: room on the node, lost with the Pod.",
    )
    storage_class: ObjectName | None = Field(
        default=None, alias="class", description="The StorageClass of a generated claim."
    )
    read_only: bool = Field(default=False, alias="read-only", description="Whether it is mounted for reading only.")


class Downloads(Section):
    """Downloads of data and model before the training, to /workspace of all nodes."""

    of: tuple[Literal["data", "model"], ...] = Field(
        default=("data", "model"), min_length=1, description="What is downloaded; each job says from where."
    )
    size: Amount = Field(default="50Gi", description="The size of the volume that is made for each run.")
    storage_class: ObjectName | None = Field(default=None, alias="class", description="Its StorageClass.")
    claim: ObjectName | None = Field(
        default=None, description="A PersistentVolumeClaim instead, which all nodes can mount."
    )


def _parts(value: object) -> object:
    return {"of": value} if isinstance(value, list | tuple) else value


class NodeSize(Section):
    """What a node of a training has."""

    gpus: int | None = Field(default=None, ge=0, description="GPUs.")
    cpu: Amount | None = Field(default=None, description="CPUs.")
    memory: Amount | None = Field(default=None, description="Memory.")


class RuntimeOverride(NodeSize):
    """What is different about a runtime in one environment."""

    image: Image | None = Field(default=None, description="The training image.")
    node_pool: Key | None = Field(default=None, alias="node-pool", description="The node pool.")
    env: Variables = Field(default_factory=dict, description="Further variables.")


class RuntimeSpec(RuntimeOverride):
    """One runtime."""

    base: Text = Field(
        alias="from", description="A runtime that the release ships, or a recipe: 'trainergen runtimes'."
    )
    scope: Literal["namespace", "cluster"] = Field(
        default="namespace", description="A TrainingRuntime of the namespace, or a ClusterTrainingRuntime."
    )
    version: Version | None = Field(
        default=None, description="A version for the name of the runtime, in place of a hash of what it is."
    )
    nodes: int | None = Field(default=None, ge=1, description="Nodes of a job that does not say it.")
    restarts: int | None = Field(
        default=None, ge=0, description="How often a training starts over; by default as the base says, or 3 times."
    )
    gpu_resource: Text = Field(default="nvidia.com/gpu", alias="gpu-resource", description="What GPUs are called.")
    gang: Gang | None = Field(
        default=None, description="What starts the Pods together; by default Kueue where the environment has a queue."
    )
    topology: Annotated[Topology | None, short("level")] = Field(
        default=None, description="That the nodes of a job are near each other; as a text, the level."
    )
    storage: dict[Key, Storage] = Field(default_factory=dict, description="Volumes, by name.")
    downloads: Annotated[Downloads | None, Short(_parts, {"type": "array", "items": {"enum": ["data", "model"]}})] = (
        Field(default=None, description="Downloads before the training, for a base that has none; as a list, what.")
    )
    shared_memory: Amount | None = Field(default=None, alias="shared-memory", description="Size of /dev/shm.")
    security: Literal["restricted", "baseline", "unchanged"] = Field(
        default="restricted", description="The Pod Security level that the Pods are made to meet."
    )
    pull_secrets: tuple[ObjectName, ...] = Field(
        default=(), alias="pull-secrets", description="Secrets with the credentials of registries."
    )
    environments: dict[Key, RuntimeOverride] = Field(
        default_factory=dict, description="What is different in an environment."
    )
