"""What runs around training: queues, experiments, workflows, the packing and the serving of results.

``neighbour_objects`` are those of one job; ``checking`` holds what they refer to against the rest of the specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from trainergen.generate import policies
from trainergen.generate.neighbours import katib, kitops, kserve, workflows
from trainergen.generate.neighbours.checking import check
from trainergen.generate.neighbours.kueue import queue_objects
from trainergen.generate.resolved import Placed, ResolvedJob
from trainergen.releases import get_release

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.generate.jobs import BuiltJob
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import JobSpec

__all__ = ["accounts", "is_started_by_neighbour", "neighbour_objects", "queue_objects"]

PART = "neighbours"


def is_started_by_neighbour(spec: JobSpec) -> bool:
    """Whether an Experiment or a workflow creates the TrainJobs, so that none is delivered."""
    return spec.experiment is not None or spec.workflow is not None


def neighbour_objects(setting: Setting, job: BuiltJob) -> Iterator[Placed]:
    """The neighbours of a job, which has the name of its run; what they refer to in vain is a fault."""
    check(setting, job)
    release = get_release(setting.facts.release)
    resolved = ResolvedJob(job.key, setting.name, release, job.object, job.runtime.object)
    for key, obj in _objects(setting, job.spec, resolved):
        # The trial of an Experiment is the job itself, which is held against the policies where it is made.
        if job.spec.experiment is None:
            policies.hold_neighbour(setting, ("jobs", job.name), obj)
        yield Placed(PART, key, obj)


def _objects(setting: Setting, spec: JobSpec, job: ResolvedJob) -> Iterator[tuple[str, JsonObject]]:
    move = setting.registries.moved
    if spec.experiment is not None:
        yield f"{job.key}-experiment", katib.experiment(spec.experiment, job)
    if spec.workflow is not None:
        yield f"{job.key}-workflow", workflows.template(spec.workflow, job, spec.package, move=move)
    elif spec.package is not None:
        yield from _named(f"{job.key}-package", kitops.objects(spec.package, job, move=move))
    if spec.serving is not None:
        yield f"{job.key}-serving", kserve.inference_service(spec.serving, job)


def accounts(setting: Setting) -> Iterator[Placed]:
    """The accounts of workflows, which several jobs of an environment may share."""
    found = {}
    for spec in setting.spec.jobs.values():
        if spec.workflow is not None and (not spec.only or setting.name in spec.only):
            found[spec.workflow.service_account] = spec.workflow
    for name, workflow in found.items():
        for key, obj in _named(name, workflows.account(workflow, setting.namespace)):
            yield Placed(PART, key, obj)


def _named(name: str, objects: Iterable[JsonObject]) -> Iterator[tuple[str, JsonObject]]:
    """Objects that belong together, with keys that tell their kinds."""
    for each in objects:
        yield f"{name}-{str(each['kind']).lower()}", each
