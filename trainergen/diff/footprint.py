"""How much a rendering asks of the cluster in all: Pods, and the resources that they request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, list_at, object_at, text_at
from trainergen.render.resources import pod_requests, summed

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.render.resources import Amounts


@dataclass(frozen=True, slots=True)
class Footprint:
    """The number of Pods of all jobs, and the sum of their requests in canonical form, by resource."""

    pods: int = 0
    resources: Mapping[str, str] = field(default_factory=dict)


def footprint_of(objects: Iterable[JsonObject]) -> Footprint:
    """The footprint of the JobSet among ``objects``; Kubernetes takes a limit for a request that is missing."""
    jobs = [
        job for obj in objects if text_at(obj, "kind") == "JobSet" for job in list_at(obj, "spec", "replicatedJobs")
    ]
    counted = [(_pods(job), _requests(job)) for job in jobs]
    return Footprint(sum(pods for pods, _ in counted), summed((pods, amounts) for pods, amounts in counted))


def _pods(job: JsonValue) -> int:
    counts = (integer_at(job, "replicas"), integer_at(job, "template", "spec", "parallelism"))
    replicas, parallelism = (1 if count is None else count for count in counts)
    return max(replicas, 0) * max(parallelism, 0)


def _requests(job: JsonValue) -> Amounts:
    pod = object_at(job, "template", "spec", "template", "spec")
    containers: JsonObject = {
        field: [_with_limits(item) for item in list_at(pod, field) if isinstance(item, dict)]
        for field in ("containers", "initContainers")
    }
    return pod_requests({**pod, **containers}, hugepages=True)


def _with_limits(container: JsonObject) -> JsonObject:
    resources = object_at(container, "resources")
    requests = {**object_at(resources, "limits"), **object_at(resources, "requests")}
    return {**container, "resources": {**resources, "requests": requests}}
