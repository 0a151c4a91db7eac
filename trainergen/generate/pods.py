"""The jobs of a runtime and their Pods, for those who change them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import list_at, object_at, text_at

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue

STEP = "trainer.kubeflow.org/trainjob-ancestor-step"
TRAINER, NODE = "trainer", "node"


class PodTemplate(NamedTuple):
    """One replicated job of a runtime; what its fields hold is the runtime itself, not a copy."""

    job: JsonObject
    template: JsonObject
    spec: JsonObject

    @property
    def name(self) -> str:
        """The name of the replicated job."""
        return text_at(self.job, "name")

    @property
    def step(self) -> str:
        """The part of a TrainJob that configures it."""
        return text_at(self.job, "template", "metadata", "labels", STEP)

    @property
    def containers(self) -> list[JsonObject]:
        """Its containers, init containers not counted."""
        return [each for each in list_at(self.spec, "containers") if isinstance(each, dict)]

    @property
    def trains(self) -> bool:
        """Whether it is a part of the training itself: the nodes and the launcher, not the downloads."""
        return self.training_container is not None

    @property
    def training_container(self) -> JsonObject | None:
        """The container that trains, or launches the training."""
        return next((each for each in self.containers if each.get("name") == NODE), None)


def pod_templates(runtime: JsonObject) -> list[PodTemplate]:
    """The replicated jobs of a runtime, in order."""
    found = []
    for job in list_at(runtime, "spec", "template", "spec", "replicatedJobs"):
        template = object_at(job, "template", "spec", "template")
        spec = object_at(template, "spec")
        if isinstance(job, dict) and spec:
            found.append(PodTemplate(job, template, spec))
    return found


def trainer_of(templates: list[PodTemplate]) -> PodTemplate:
    """The job that a TrainJob's ``trainer`` configures; every runtime of the catalogue has one."""
    return next(each for each in templates if each.step == TRAINER)


def every_container(template: PodTemplate) -> Iterator[JsonObject]:
    """All containers, init containers first."""
    for field in ("initContainers", "containers"):
        yield from (each for each in list_at(template.spec, field) if isinstance(each, dict))


def append_named(target: JsonObject, field: str, entries: list[JsonObject]) -> None:
    """Add entries to a list of named ones; one of the same name is replaced where it is."""
    old = list_at(target, field)
    by_name = {text_at(entry, "name"): entry for entry in entries}
    kept: list[JsonValue] = [by_name.pop(text_at(entry, "name"), entry) for entry in old]
    merged = [*kept, *by_name.values()]
    if merged:
        target[field] = merged
