"""The documents that a rendering's origins lead into: the TrainJob's own, and that of its runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.api.structural import GROUP
from trainergen.output.rendered.places import Places
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.render.cluster import DEFAULT_NAMESPACE
from trainergen.render.runtime import CLUSTER_RUNTIME

if TYPE_CHECKING:
    from trainergen.engine.rendering import JobRendering, RenderRun
    from trainergen.finding import JsonObject
    from trainergen.source import Document


def places_of(rendering: JobRendering, run: RenderRun) -> Places:
    """Where the lines of a rendered TrainJob can come from."""
    assert rendering.rendered is not None
    reference = text_at(rendering.document.object, "spec", "runtimeRef", "name")
    return Places(
        rendered=rendering.rendered,
        release=rendering.release,
        train_job=rendering.document,
        runtime=_runtime(rendering, run),
        shipped=shipped_runtimes(rendering.release).get(reference, {}),
    )


def _runtime(rendering: JobRendering, run: RenderRun) -> Document | None:
    """The document of the runtime; None for one that the release ships."""
    job = rendering.document.object
    kind = text_at(job, "spec", "runtimeRef", "kind") or CLUSTER_RUNTIME
    place = "" if kind == CLUSTER_RUNTIME else rendering.namespace
    wanted = (GROUP, kind, place, text_at(job, "spec", "runtimeRef", "name"))
    # NB: of several with one identity the renderer takes the last.
    files = [file for file, found in run.runtimes_near(rendering) if _identity(found) == wanted]
    if not files:
        return None
    return next((document for document in run.read(files[-1]) if _identity(document.object) == wanted), None)


def _identity(found: JsonObject) -> tuple[str, str, str, str]:
    kind = text_at(found, "kind")
    place = "" if kind == CLUSTER_RUNTIME else text_at(found, "metadata", "namespace") or DEFAULT_NAMESPACE
    return text_at(found, "apiVersion").rpartition("/")[0], kind, place, text_at(found, "metadata", "name")
