"""What the overrides of a TrainJob name: jobs of its runtime, and parts of their Pods, in the shape of each release."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.rules import Job, Part

_JOBS = "trainingRuntimeSpec.template.spec.replicatedJobs"
_POD = "template.spec.template.spec"
_POD_OF_JOB = "template.spec.template.spec"


class Target(NamedTuple):
    """A job that an override names, and what the override says of its Pods."""

    job: Part
    """The entry with the job's ``name``."""
    pod: Part


def targets(job: Job) -> Iterator[Target]:
    """Every job that the overrides of a TrainJob name, in their order."""
    behaviours = job.release.behaviours
    for override in job.parts("spec", behaviours.overrides_field):
        if behaviours.overrides_have_managers:
            for patched in override.parts(_JOBS):
                yield Target(patched, patched.part(_POD))
        else:
            pod = override.part("spec") if behaviours.overrides_target == "PodTemplateSpec" else override
            for target in override.parts("targetJobs"):
                yield Target(target, pod)


def jobs_of_runtime(job: Job) -> dict[str, Part]:
    """The Pod specs of the runtime by job, before any override."""
    return {
        part.text("name"): part.part(_POD_OF_JOB) for part in job.runtime.parts("spec.template.spec.replicatedJobs")
    }


def names_in(pod: Part, key: str) -> list[str]:
    """The names in a list of a Pod spec."""
    return [part.text("name") for part in pod.parts(key)]
