"""What runs around a training: an experiment, a workflow, the packing and the serving of the result."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from trainergen.generate.spec.texts import Amount, Image, ObjectName, Section, Text, Texts, VariableName


class Range(Section):
    """What a parameter of an experiment may be: a range of numbers, or one of a list."""

    min: float | None = Field(default=None, description="The least value.")
    max: float | None = Field(default=None, description="The greatest value.")
    step: float | None = Field(default=None, gt=0, description="The distance of values.")
    whole: bool = Field(default=False, description="Whether only whole numbers are tried.")
    values: Texts = Field(default=(), description="The values to choose from.")


class Experiment(Section):
    """An Experiment of Katib; its parameters are written as ${name} in the job's args."""

    metric: Text = Field(description="The metric that the training prints.")
    goal: Literal["minimize", "maximize"] = Field(description="Which way is better.")
    target: float | None = Field(default=None, description="A value that is good enough.")
    algorithm: Text = Field(default="random", description="How parameters are chosen.")
    parameters: dict[VariableName, Range] = Field(description="The parameters.", min_length=1)
    trials: int = Field(default=12, ge=1, description="How many trials there are in all.")
    parallel: int = Field(default=3, ge=1, description="How many run at a time.")
    failed: int = Field(default=3, ge=0, description="How many may fail.")


class WorkflowStep(Section):
    """A WorkflowTemplate of Argo Workflows that creates the TrainJob and waits for its end."""

    service_account: ObjectName = Field(
        default="training-workflow", alias="service-account", description="The account that may create TrainJobs."
    )


class Package(Section):
    """A Job that packs the result of the training with KitOps and pushes it to a registry."""

    to: Text = Field(description="The ModelKit, as registry/name:tag.")
    claim: ObjectName = Field(description="The PersistentVolumeClaim with the result.")
    path: Text = Field(default=".", description="The folder of the result in the claim.")
    secret: ObjectName = Field(description="The Secret with the credentials of the registry, of type dockerconfigjson.")
    image: Image = Field(default="ghcr.io/kitops-ml/kitops:v1.11.0", description="The image with kit.")


class Serving(Section):
    """An InferenceService of KServe."""

    format: Text = Field(default="huggingface", description="The format of the model.")
    uri: Text = Field(description="Where the model is, such as pvc://claim/path or oci://registry/name:tag.")
    gpus: int = Field(default=0, ge=0, description="GPUs of the server.")
    cpu: Amount = Field(default="2", description="CPUs of the server.")
    memory: Amount = Field(default="8Gi", description="Memory of the server.")
    replicas: int = Field(default=1, ge=0, description="How many servers there are at least.")
