"""Jobs: what is run, on which runtime, with which data."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from trainergen.generate.spec.neighbours import (  # noqa: TC001 - pydantic reads the annotations
    Experiment,
    Package,
    Serving,
    WorkflowStep,
)
from trainergen.generate.spec.runtimes import NodeSize, Storage
from trainergen.generate.spec.texts import (
    Annotations,
    Duration,
    Image,
    Key,
    Label,
    Labels,
    ObjectName,
    Section,
    Short,
    Text,
    Texts,
    VariableName,
    Variables,
    Words,
    short,
)


def _secret_key(value: object) -> object:
    if not isinstance(value, str):
        return value
    name, _, key = value.partition("/")
    return {"name": name, "key": key}


class SecretKey(Section):
    """A key of a Secret in the namespace."""

    name: ObjectName = Field(description="The Secret.")
    key: Text = Field(description="The key in it.")


Secrets = dict[VariableName, Annotated[SecretKey, Short(_secret_key, {"type": "string", "pattern": "^[^/]+/.+$"})]]


class Script(Section):
    """A program of one file."""

    file: Text = Field(description="The file, relative to the specification.")
    place: Literal["config-map", "args"] = Field(
        default="config-map", alias="in", description="Whether a ConfigMap or the arguments carry it."
    )


class Source(Section):
    """Data or a model that the runtime's initializer downloads before the training."""

    uri: Text = Field(description="Where from, such as hf://org/name or s3://bucket/path.")
    secret: ObjectName | None = Field(default=None, description="The Secret with what the download needs.")
    env: Variables = Field(default_factory=dict, description="Variables of the initializer.")


class JobOverride(NodeSize):
    """What is different about a job in one environment; env is added to, all else replaced."""

    image: Image | None = Field(default=None, description="The training image; by default that of the runtime.")
    entrypoint: Words | None = Field(default=None, description="The command; by default that of the runtime.")
    script: Annotated[Script | None, short("file")] = Field(
        default=None, description="A program of one file, which is run in place of what the image holds."
    )
    args: Texts | None = Field(default=None, description="Arguments. ${name} is a parameter of the sweep.")
    nodes: int | None = Field(default=None, ge=1, description="Nodes; by default those of the runtime.")
    processes: int | None = Field(default=None, ge=1, description="Processes of a node; by default one for each GPU.")
    data: Annotated[Source | None, short("uri")] = Field(default=None, description="The data; as a text, its URI.")
    model: Annotated[Source | None, short("uri")] = Field(default=None, description="The model; as a text, its URI.")
    env: Variables = Field(default_factory=dict, description="Variables of the training containers.")
    deadline: Duration | None = Field(default=None, description="When to give up, such as 24h.")
    node_pool: Key | None = Field(default=None, alias="node-pool", description="The node pool.")
    priority: Label | None = Field(default=None, description="The WorkloadPriorityClass of Kueue.")


class Sweep(Section):
    """The same job once for each combination of parameters."""

    parameters: dict[VariableName, Texts] = Field(description="The values of each parameter.", min_length=1)
    mode: Literal["grid", "zip"] = Field(
        default="grid", description="All combinations, or the first values together, then the second ones."
    )
    limit: int = Field(default=100, ge=1, le=10_000, description="How many jobs there may be.")


def _sweep(value: object) -> object:
    if isinstance(value, dict) and "parameters" not in value:
        return {"parameters": value}
    return value


class JobSpec(JobOverride):
    """One job."""

    runtime: Key = Field(description="The runtime, one of those in this file.")
    only: tuple[Key, ...] = Field(default=(), description="The environments it runs in; by default all.")
    secrets: Secrets = Field(default_factory=dict, description="Variables from Secrets, as NAME: secret/key.")
    storage: dict[Key, Storage] = Field(default_factory=dict, description="Volumes besides those of the runtime.")
    labels: Labels = Field(default_factory=dict, description="Labels of the TrainJob.")
    annotations: Annotations = Field(default_factory=dict, description="Annotations of the TrainJob.")
    sweep: Annotated[Sweep | None, Short(_sweep, {"type": "object", "additionalProperties": {"type": "array"}})] = (
        Field(default=None, description="Parameters with their values; a TrainJob for each combination.")
    )
    environments: dict[Key, JobOverride] = Field(
        default_factory=dict, description="What is different in an environment."
    )
    experiment: Experiment | None = Field(
        default=None, description="An Experiment of Katib with this job as its trial."
    )
    workflow: WorkflowStep | None = Field(default=None, description="A WorkflowTemplate of Argo that runs this job.")
    package: Package | None = Field(default=None, description="A Job that packs the result as a ModelKit.")
    serving: Serving | None = Field(default=None, description="An InferenceService of KServe for the result.")
