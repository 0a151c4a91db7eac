"""The TrainJobs that show how a recipe is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api import ResourceRequirements, RuntimeRef, TrainJob, TrainJobSpec
from trainergen.api.kubernetes import ObjectMeta

if TYPE_CHECKING:
    from trainergen.api import Initializer, Trainer
    from trainergen.catalogue.recipes.hardening import Size

DAY = 24 * 60 * 60


def example_job(
    runtime: str, trainer: Trainer, *, deadline: int | None = DAY, initializer: Initializer | None = None
) -> TrainJob:
    """A TrainJob on the recipe called ``runtime``. All defaults are spelled out but ``suspend``, which is Kueue's."""
    return TrainJob(
        metadata=ObjectMeta(name=f"{runtime.replace('.', '-')}-example"),
        spec=TrainJobSpec(
            runtime_ref=RuntimeRef(name=runtime, api_group="trainer.kubeflow.org", kind="ClusterTrainingRuntime"),
            initializer=initializer,
            trainer=trainer,
            managed_by="trainer.kubeflow.org/trainjob-controller",
            active_deadline_seconds=deadline,
        ),
    )


def per_node(size: Size) -> ResourceRequirements:
    """Resources as a TrainJob asks for them: each in requests and in limits."""
    return ResourceRequirements.model_validate(size.resources())


def torch_script(python: str) -> list[str]:
    """Arguments of torchrun that run a program given as text."""
    return ["--no-python", "python3", "-c", python]
