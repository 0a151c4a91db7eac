"""The phases of a rendering, in the controller's order.

Source: kubeflow/trainer pkg/runtime/core/trainingruntime.go, pkg/runtime/framework/core/framework.go @ v2.3.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.decode import RECEIVED, REWRITTEN, DecodeError, decode
from trainergen.api.structural import GROUP
from trainergen.releases import NEWEST, get_release
from trainergen.render.cluster import DEFAULT_NAMESPACE, Cluster, api_group
from trainergen.render.counts import sync_counts
from trainergen.render.errors import RenderError
from trainergen.render.jobset import identify_pod_network
from trainergen.render.model import PLACEHOLDER_UID, Draft, TrainJob
from trainergen.render.podsets import add_pod_sets
from trainergen.render.provenance import Origin, SourceWitness, Trace
from trainergen.render.registry import GATED, Plugins, plugins_of
from trainergen.render.rendered import Rendered
from trainergen.render.runtime import resolve_runtime
from trainergen.render.snapshot import snapshot_of
from trainergen.render.template import drafted

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.render.cluster import Found
    from trainergen.render.model import SecretData

_NOTHING: Mapping[str, Any] = MappingProxyType({})
MANAGED_BY = "trainer.kubeflow.org/trainjob-controller"


def render(
    job: Mapping[str, Any],
    objects: Iterable[Found] | Cluster = (),
    *,
    release: str = NEWEST.name,
    features: Mapping[str, bool] = _NOTHING,
    secrets: SecretData | None = None,
    snapshot: bool = True,
) -> Rendered:
    """What the Trainer of ``release`` would create for ``job``, a TrainJob as it was sent to the API server.

    ``objects`` is what the cluster holds: the runtime (else it is looked for among those the release ships), and what
    the controller looks at: the live JobSet, PodGroup, SSH Secret, runtime snapshot and webhook certificate. Pass a
    ``Cluster`` to render many TrainJobs over the same objects. ``features`` are feature gates. ``secrets`` maps the
    names of Secrets to their data as plain text; what it lacks is a placeholder. ``snapshot=False`` leaves the snapshot
    of the runtime out, for those who look at what runs. The inputs are not changed.

    A TrainJob without namespace lies in ``default``, one without uid has PLACEHOLDER_UID. Raises RenderError where the
    controller would create nothing or panic, TrainergenError for an unknown release or feature gate.
    """
    target = get_release(release)
    plugins = plugins_of(target, features)
    draft, kept = prepared(job, Cluster.of(objects), target, secrets or {}, snapshot=snapshot)
    made = run(draft, plugins)
    _note_managed_by(draft)
    _note_gates(draft, features)
    return Rendered(
        job=draft.job,
        objects=[*kept, *made],
        notes=draft.notes,
        pod_sets=tuple(draft.pod_sets),
        subdomain=draft.subdomain,
        _trace=draft.trace,
    )


def run(draft: Draft, plugins: Plugins) -> list[JsonObject]:
    """The phases after the Pod sets; what is built, in the order of the plugins."""
    for ml in plugins.ml_policy:
        ml.enforce_ml_policy(draft)
    for gang in plugins.pod_group_policy:
        gang.enforce_pod_group_policy(draft)
    identify_pod_network(draft)
    sync_counts(draft)
    return [made for builder in plugins.build for made in builder.build(draft)]


def prepared(
    job: Mapping[str, Any], cluster: Cluster, release: Release, secrets: SecretData, *, snapshot: bool = True
) -> tuple[Draft, list[JsonObject]]:
    """The draft with its Pod sets, and the snapshot if one is to be written."""
    trace = Trace()
    train_job = read_job(job, release, trace)
    resolved = resolve_runtime(train_job, release, cluster, trace)
    runtime = resolved.runtime
    kept = []
    if snapshot and release.rendering.runtime_snapshot and not resolved.kept:
        kept.append(snapshot_of(runtime.value, train_job, trace, runtime.origin))
    draft = drafted(train_job, runtime, release, cluster=cluster, trace=trace, secrets=secrets)
    add_pod_sets(draft)
    return draft, kept


def read_job(job: Mapping[str, Any], release: Release, trace: Trace) -> TrainJob:
    """``job`` as the controller reads it; raises RenderError if it is no TrainJob or cannot be read."""
    kind, group = str(job.get("kind") or ""), api_group(str(job.get("apiVersion") or ""))
    if kind != "TrainJob" or group != GROUP:
        raise RenderError(
            f"the object is a '{kind}' of group '{group}', but only a TrainJob of {GROUP} can be rendered",
            help="Pass runtimes and other objects as the objects that the cluster holds.",
        )
    witness = SourceWitness(trace, "trainjob", "")
    try:
        value = decode(job, "TrainJob", release.name, reading=RECEIVED, witness=witness)
    except DecodeError as error:
        raise RenderError(str(error), help="Correct it; the API server refuses the TrainJob as it is.") from error
    metadata = object_at(value, "metadata")
    name = text_at(metadata, "name")
    if not name:
        raise RenderError("metadata.name is missing", help="Name the TrainJob; generated names cannot be rendered.")
    spec = object_at(value, "spec")
    overrides = release.behaviours.overrides_field
    if spec.get(overrides):
        # Only these are written anew before they are used; elsewhere an empty list is not the same as none.
        overriding = {"spec": {overrides: job["spec"][overrides]}}
        rewritten = decode(overriding, "TrainJob", release.name, reading=REWRITTEN, witness=witness)
        spec[overrides] = list_at(rewritten, "spec", overrides)
    trace.whole(spec, Origin("trainjob", ("spec",)))
    return TrainJob(
        name=name,
        namespace=text_at(metadata, "namespace") or DEFAULT_NAMESPACE,
        uid=text_at(metadata, "uid") or PLACEHOLDER_UID,
        spec=spec,
        assumed=frozenset(field for field in ("namespace", "uid") if not text_at(metadata, field)),
    )


def _note_managed_by(draft: Draft) -> None:
    manager = draft.job.spec.get("managedBy")
    if manager not in (None, MANAGED_BY) and draft.rendering.managed_by_honoured:
        draft.note(f"spec.managedBy is '{manager}', so the controller of this cluster leaves the TrainJob alone")


def _note_gates(draft: Draft, features: Mapping[str, bool]) -> None:
    for gate in GATED:
        if features.get(gate) and gate not in draft.behaviours.plugins:
            draft.note(f"Trainer {draft.release.name} has no feature gate {gate}")
