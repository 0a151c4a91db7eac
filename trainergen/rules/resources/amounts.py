"""Requests and limits as they are written, and the documents in which they can be edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.quantity import Quantity, QuantityError, parse_quantity
from trainergen.rules.objects import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonValue
    from trainergen.rules import Container, Findings, Job, Part, Spot
    from trainergen.source import Document

ALL_KINDS = ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime")


def amount(value: JsonValue) -> Quantity | None:
    """A quantity; None for what is none."""
    try:
        return parse_quantity(value)
    except QuantityError:
        return None


def all_containers(job: Job) -> Iterator[Container]:
    """The containers of all Pods, init containers too."""
    for pods in job.pods:
        yield from pods.all_containers


def one_a_place(findings: Findings) -> Findings:
    """The first finding of each place: Pods of several jobs get their resources from one."""
    seen = set()
    for found in findings:
        key = (id(found.spot.where), found.spot.path)
        if key not in seen:
            seen.add(key)
            yield found


def nearest_to(job: Job, *places: Spot) -> Spot:
    """The first place that is in the TrainJob itself, else the first."""
    return next((place for place in places if place.where is job.entry), places[0])


def document_of(place: Spot, part: str) -> Document | None:
    """The document in which a value of ``limits`` or ``requests`` is really written, for edits; None elsewhere."""
    if isinstance(place.where, Entry) and len(place.path) > 1 and place.path[-2] == part:
        return place.where.document
    return None


def written(place: Spot, stored: JsonValue) -> JsonValue:
    """The amount as it is written at a place; the stored one, in the server's notation, where none is written there."""
    if stored is None or not isinstance(place.where, Entry) or place.path[-2:-1] not in (("limits",), ("requests",)):
        return stored
    value = place.where.object.get("", *place.path)
    return stored if value is None or isinstance(value, dict | list) else value


def container_of_runtime(job: Job, owner: str, name: str) -> Part | None:
    """A container as the runtime has it, before overrides and TrainJob."""
    for replicated in job.runtime.parts("spec.template.spec.replicatedJobs"):
        if replicated.text("name") == owner:
            for container in replicated.parts("template.spec.template.spec.containers"):
                if container.text("name") == name:
                    return container
    return None
