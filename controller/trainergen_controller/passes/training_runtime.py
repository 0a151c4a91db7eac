"""One pass over a runtime: the finalizer that up to 2.2 keeps it while TrainJobs refer to it, and since 2.3 goes.

Source: kubeflow/trainer pkg/controller/trainingruntime_controller.go, clustertrainingruntime_controller.go @ v2.0.1 to
v2.3.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.structural import GROUP
from trainergen.releases import NEWEST, get_release
from trainergen.render.cluster import DEFAULT_NAMESPACE
from trainergen.render.runtime import CLUSTER_RUNTIME
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, TRAINING_RUNTIME
from trainergen_controller.passes.actions import Actions, Patch

if TYPE_CHECKING:
    from trainergen_controller.passes.actions import Object

IN_USE = "trainer.kubeflow.org/resource-in-use"


def reconcile_runtime(
    runtime: Mapping[str, Any], jobs: Iterable[Mapping[str, Any]] = (), *, release: str = NEWEST.name
) -> Actions:
    """What the controller of ``release`` would do about ``runtime``, which must say its kind.

    ``jobs`` are TrainJobs, of which those that refer to it count. The inputs are not changed. Raises TrainergenError
    for an unknown release.
    """
    metadata = object_at({**runtime}, "metadata")
    finalizers = list_at(metadata, "finalizers")
    others = [finalizer for finalizer in finalizers if finalizer != IN_USE]
    held = IN_USE in finalizers
    deleting = bool(text_at(metadata, "deletionTimestamp"))
    if not get_release(release).reconciling.runtime_held:
        return _with_finalizers(runtime, others) if held else Actions()
    used = any(refers_to(job, runtime) for job in jobs)
    if used and not held and not deleting:  # of what is being deleted the API server refuses new finalizers
        return _with_finalizers(runtime, [*finalizers, IN_USE])
    if held and deleting and not used:
        return _with_finalizers(runtime, others)
    return Actions()


def refers_to(job: Mapping[str, Any], runtime: Mapping[str, Any]) -> bool:
    """Whether a TrainJob refers to that runtime; a TrainingRuntime serves its own namespace only."""
    reference = object_at({**job}, "spec", "runtimeRef")
    kind = text_at({**runtime}, "kind")
    if (reference.get("apiGroup", GROUP), reference.get("kind", CLUSTER_RUNTIME)) != (GROUP, kind):
        return False
    if text_at(reference, "name") != text_at({**runtime}, "metadata", "name"):
        return False
    return kind == CLUSTER_RUNTIME or _namespace(job) == _namespace(runtime)


def _namespace(found: Mapping[str, Any]) -> str:
    return text_at({**found}, "metadata", "namespace") or DEFAULT_NAMESPACE


def _with_finalizers(runtime: Mapping[str, Any], finalizers: list[Any]) -> Actions:
    seen: Object = {**runtime}
    is_cluster = text_at(seen, "kind") == CLUSTER_RUNTIME
    patch = Patch(
        CLUSTER_TRAINING_RUNTIME if is_cluster else TRAINING_RUNTIME,
        "" if is_cluster else _namespace(runtime),
        text_at(seen, "metadata", "name"),
        {"metadata": {"finalizers": finalizers or None}},
        text_at(seen, "metadata", "resourceVersion"),
    )
    return Actions(patches=(patch,))
