"""What admission has to know of the cluster: from the cache, and from the API server where the cache may be late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.api.access import object_at, text_at
from trainergen_controller.errors import NotFoundError
from trainergen_controller.kinds import JOB_SET, PRIORITY_CLASS
from trainergen_controller.shapes import runtime_place

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen_controller.caches import Caches
    from trainergen_controller.client import Client, Object


@dataclass(frozen=True, slots=True)
class ClusterLookup:
    """Raises ``errors.ApiError`` or ``errors.UnavailableError`` when the API server has to be asked in vain."""

    caches: Caches
    client: Client

    def __call__(self, job: JsonObject) -> list[JsonObject]:
        """The runtime, the JobSet of the same name, and for Volcano the PriorityClasses."""
        metadata = object_at(job, "metadata")
        runtime = self._runtime(job)
        job_set = self.caches.get(JOB_SET, text_at(metadata, "namespace"), text_at(metadata, "name"))
        found = [one for one in (runtime, job_set) if one is not None]
        if runtime is not None and object_at(runtime, "spec", "podGroupPolicy").get("volcano") is not None:
            found += self.client.list(PRIORITY_CLASS).items
        return found

    def _runtime(self, job: JsonObject) -> Object | None:
        """A runtime that was created a moment ago may not be in the cache yet, and must not be called missing."""
        cached = self.caches.runtime_of(job)
        if cached is not None:
            return cached
        place = runtime_place(job)
        if place is None:
            return None
        kind, key = place
        try:
            return self.client.get(kind, key.name, key.namespace)
        except NotFoundError:
            return None
