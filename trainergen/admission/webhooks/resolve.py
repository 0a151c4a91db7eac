"""Which runtime a TrainJob refers to, and whether the cluster has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.admission import checks as structural_checks
from trainergen.admission.structural import admit_structure
from trainergen.api.access import object_at, text_at
from trainergen.api.structural import GROUP

if TYPE_CHECKING:
    from trainergen.admission.cluster import Cluster
    from trainergen.api.structural import StructuralSchemas
    from trainergen.finding import JsonObject

CLUSTER_RUNTIME = "ClusterTrainingRuntime"
NAMESPACED_RUNTIME = "TrainingRuntime"


class LiveRuntime(NamedTuple):
    """A runtime as the webhook reads it from the cluster."""

    object: JsonObject
    """With the defaults of the release."""
    fault: str = ""
    """Why the release cannot read it, if so."""


class RuntimeRef(NamedTuple):
    """The runtime that a TrainJob names."""

    kind: str
    name: str
    namespace: str


def runtime_ref(job: JsonObject) -> RuntimeRef | None:
    """What ``spec.runtimeRef`` of a defaulted TrainJob names; None if it is no kind of runtime.

    Kind and group are compared as one text, ``<kind>.<group>``.
    kubeflow/trainer pkg/runtime/runtime.go RuntimeRefToRuntimeRegistryKey @ v2.3.0.
    """
    ref = object_at(job, "spec", "runtimeRef")
    group = text_at(ref, "apiGroup")
    key = f"{text_at(ref, 'kind')}.{group}" if group else text_at(ref, "kind")
    for kind in (CLUSTER_RUNTIME, NAMESPACED_RUNTIME):
        if key == f"{kind}.{GROUP}":
            namespace = text_at(job, "metadata", "namespace") if kind == NAMESPACED_RUNTIME else ""
            return RuntimeRef(kind, text_at(ref, "name"), namespace)
    return None


def find_runtime(ref: RuntimeRef, cluster: Cluster, schemas: StructuralSchemas) -> LiveRuntime | None:
    """The runtime in ``cluster`` or, unless that is complete, in the release's catalogue; None if in neither."""
    key = (schemas.release, ref.kind, ref.namespace, ref.name)
    known = cluster.runtimes.get(key)
    if known is not None:
        return known
    found = cluster.find(GROUP, ref.kind, ref.name, namespace=ref.namespace)
    if found is None and ref.kind == CLUSTER_RUNTIME and not cluster.complete:
        from trainergen.releases.catalogue import shipped_runtimes

        found = shipped_runtimes(schemas.release).get(ref.name)
    if found is None:
        return None
    cluster.runtimes[key] = live = _live(found, ref, schemas)
    return live


def _live(runtime: JsonObject, ref: RuntimeRef, schemas: StructuralSchemas) -> LiveRuntime:
    result = admit_structure(runtime, schemas, schemas.kinds[ref.kind])
    wrong = [finding for finding in result.findings if finding.rule == structural_checks.WRONG_TYPE.id]
    return LiveRuntime(result.object, wrong[0].message if wrong else "")
