"""The result of rendering a TrainJob."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.render.model import PodSet, TrainJob
    from trainergen.render.pods import JobPods
    from trainergen.render.provenance import Origin, Superseded, Trace


@dataclass(frozen=True, slots=True)
class Rendered:
    """What the controller would apply for a TrainJob.

    ``objects`` are in a stable order: the runtime snapshot, the companions of each plugin, the JobSet. An object that
    the controller leaves alone, because the cluster has it already, is not among them. ``notes`` say what cannot be
    seen in the objects, such as fields that are ignored. ``pod_sets`` are the jobs of the template with their counts,
    also where the JobSet itself is left alone.
    """

    job: TrainJob
    objects: list[JsonObject]
    notes: list[str]
    pod_sets: tuple[PodSet, ...]
    subdomain: str
    _trace: Trace

    def origin(self, rendered: JsonObject, path: Path) -> Origin:
        """Where the value at ``path`` of ``rendered``, one of ``objects`` itself, comes from."""
        return self._trace.find(rendered, path)

    def superseded(self, owner: JsonObject, key: str = "") -> tuple[Superseded, ...]:
        """What had to make way for ``owner``, an item of a list in ``objects``, or for its field ``key``, oldest first.

        An environment variable of a TrainJob takes the place of the runtime's, its image that of the container.
        """
        return self._trace.superseded(owner, key)

    def pods(self) -> JobPods:
        """The Pods that JobSet and Job controller make of the JobSet."""
        from trainergen.render.pods import expand

        return expand(self)
