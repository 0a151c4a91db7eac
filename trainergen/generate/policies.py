"""The policies of an environment, held against what was made for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.generate.images import image_name
from trainergen.generate.jobs import QUEUE
from trainergen.generate.pods import every_container

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.generate.jobs import BuiltJob
    from trainergen.generate.runtimes import BuiltRuntime
    from trainergen.generate.setting import Setting

_WAY_OUT = "Change it, here or in environments.{name}.policies."


def hold_job(setting: Setting, job: BuiltJob) -> None:
    """A fault for each policy that a job does not keep to."""
    for field, message in _of_job(setting, job):
        _fault(setting, ("jobs", job.name, *field), f"{message} in '{setting.name}'")


def _of_job(setting: Setting, job: BuiltJob) -> Iterator[tuple[Path, str]]:
    policies, spec = setting.environment.policies, job.spec
    if policies.max_nodes is not None and job.nodes > policies.max_nodes:
        yield ("nodes",), f"the job has {job.nodes} nodes, but at most {policies.max_nodes} are allowed"
    if policies.max_gpus is not None and job.gpus > policies.max_gpus:
        yield ("gpus",), f"the job has {job.gpus} GPUs over all nodes, but at most {policies.max_gpus} are allowed"
    if policies.max_deadline is not None:
        if spec.deadline is None:
            yield (), f"the job has no deadline, but one of at most {policies.max_deadline} seconds is required"
        elif spec.deadline > policies.max_deadline:
            yield (
                ("deadline",),
                f"the deadline is {spec.deadline} seconds, but at most {policies.max_deadline} are allowed",
            )
    if policies.queue_required and QUEUE not in _labels(job):
        yield ("runtime",), "the job is in no queue of Kueue, but that is required"
    image = text_at(job.object, "spec", "trainer", "image")
    if image:
        yield from ((("image",), message) for message in _of_image(setting, image))


def _labels(job: BuiltJob) -> set[str]:
    metadata = job.object["metadata"]
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    return set(labels) if isinstance(labels, dict) else set()


def hold_neighbour(setting: Setting, path: Path, obj: JsonObject) -> None:
    """A fault for each image of a neighbour that the policies do not allow."""
    for image in dict.fromkeys(_images(obj)):
        for message in _of_image(setting, image):
            _fault(setting, path, f"{message} in '{setting.name}'")


def _images(value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key == "image" and isinstance(each, str):
                yield each
            else:
                yield from _images(each)
    elif isinstance(value, list):
        for each in value:
            yield from _images(each)


def hold_runtime(setting: Setting, key: str, runtime: BuiltRuntime) -> None:
    """A fault for each image of a runtime that the policies do not allow."""
    for template in runtime.templates:
        for container in every_container(template):
            for message in _of_image(setting, text_at(container, "image")):
                _fault(setting, ("runtimes", key, "image"), f"{message} in '{setting.name}'")


def _of_image(setting: Setting, text: str) -> Iterator[str]:
    policies, image = setting.environment.policies, image_name(text)
    if policies.pinned_images and not image.is_pinned:
        yield f"the image '{text}' has neither a digest nor a tag that stays, but that is required"
    allowed = tuple(f"{registry.rstrip('/')}/" for registry in policies.registries)
    full = f"{image.registry}/{image.repository}"
    if allowed and not full.startswith(allowed):
        yield f"the image '{text}' comes from '{image.registry}', which is not among the registries that are allowed"


def _fault(setting: Setting, path: Path, message: str) -> None:
    setting.faults.add(path, message, _WAY_OUT.format(name=setting.name))
