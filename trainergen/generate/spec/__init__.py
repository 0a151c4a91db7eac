"""The form of the specification: ``build:`` of trainergen.yaml, or a file of its own. Only this needs pydantic."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from trainergen.generate.spec.environments import Environments, EnvironmentSpec, NodePool, Policies, Queue, Size, Taint
from trainergen.generate.spec.jobs import JobOverride, JobSpec, Script, SecretKey, Source, Sweep
from trainergen.generate.spec.neighbours import Experiment, Package, Range, Serving, WorkflowStep
from trainergen.generate.spec.runtimes import Downloads, NodeSize, RuntimeOverride, RuntimeSpec, Storage, Topology
from trainergen.generate.spec.texts import Key, ObjectName, Section, Text, Version

__all__ = [
    "Downloads",
    "EnvironmentSpec",
    "Experiment",
    "JobOverride",
    "JobSpec",
    "NodePool",
    "NodeSize",
    "Output",
    "Package",
    "Policies",
    "Queue",
    "Range",
    "Runs",
    "RuntimeOverride",
    "RuntimeSpec",
    "Script",
    "SecretKey",
    "Serving",
    "Size",
    "Source",
    "Spec",
    "Storage",
    "Sweep",
    "Taint",
    "Topology",
    "WorkflowStep",
]

Companion = Literal["kubernetes", "jobset", "kueue", "volcano", "katib", "kserve", "argo-workflows", "argocd", "flux"]


class Output(Section):
    """What is written, and how it is delivered."""

    folder: Text = Field(default="deploy", description="The folder for the tree, relative to this file.")
    format: Literal["kustomize", "helm", "plain"] = Field(default="kustomize", description="The form of the tree.")
    delivery: Literal["argocd", "flux", "none"] = Field(default="none", description="What delivers it to clusters.")
    await_jobs: bool = Field(
        default=False,
        alias="await-jobs",
        description="Whether the delivery waits for the end of jobs, so that what depends on them can follow.",
    )
    install: bool = Field(default=False, description="Whether the Trainer itself is to be installed by the delivery.")
    repository: str = Field(default="", description="The URL of the git repository, for the delivery.")
    credentials: ObjectName | None = Field(
        default=None, description="The Secret in flux-system with which Flux reads the repository."
    )
    directory: str | None = Field(
        default=None, description="The folder of the tree in the repository; by default where the tree is written."
    )


class Runs(Section):
    """TrainJobs cannot be changed: what changes gets a new name, and old runs go."""

    names: Literal["hash", "generation"] = Field(
        default="hash", description="What tells runs of a job apart: a hash of all it consists of, or a number."
    )
    keep: int = Field(default=1, ge=1, le=100, description="How many runs of a job stay, the current one included.")


class Spec(Section):
    """The specification of a team's trainings, from which 'trainergen build' writes a GitOps tree."""

    name: Key = Field(description="The name of the team or project; names of objects start with it.")
    release: Annotated[Text | None, WithJsonSchema({"type": ["string", "number"]})] = Field(
        default=None, description="The Trainer release, if it is another than that at the top of the file."
    )
    companions: dict[Companion, Version] = Field(
        default_factory=dict, description="Versions of what the cluster has besides the Trainer."
    )
    environments: Environments = Field(description="The environments, by name.")
    runtimes: dict[Key, RuntimeSpec] = Field(default_factory=dict, description="The runtimes, by name.")
    jobs: dict[Key, JobSpec] = Field(default_factory=dict, description="The jobs, by name.")
    runs: Runs = Field(default_factory=Runs, description="How runs are named, and how many are kept.")
    output: Output = Field(default_factory=Output, description="What is written, and how it is delivered.")
