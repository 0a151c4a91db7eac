"""The verdict of a cluster with a Trainer release on one object: API server and webhooks, in the server's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission import checks
from trainergen.admission.cluster import Cluster
from trainergen.admission.result import Admission
from trainergen.admission.rules import evaluate_rules
from trainergen.admission.structural import StructuralResult, admit_structure
from trainergen.admission.webhooks import checks as webhook_checks
from trainergen.admission.webhooks.decode import decode
from trainergen.admission.webhooks.mutate import PLACEHOLDER_TIME, Mutation
from trainergen.api.access import object_at, text_at, value_at
from trainergen.api.structural import load
from trainergen.errors import TrainergenError
from trainergen.finding import Finding, NotEvaluated
from trainergen.releases import Release, get_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.admission.webhooks.decode import Unreadable
    from trainergen.admission.webhooks.review import Outcomes
    from trainergen.api.structural import Kind, StructuralSchemas
    from trainergen.finding import JsonObject

JOB = "TrainJob"
PLACEHOLDER_UID = "11111111-2222-4333-8444-555555555555"
"""The uid that stands for the one which the server gives a new object."""


def admit(
    new: JsonObject,
    *,
    release: str | Release = "2.3",
    old: JsonObject | None = None,
    objects: Iterable[JsonObject] | Cluster | None = None,
    webhooks: bool = True,
    now: str = PLACEHOLDER_TIME,
) -> Admission:
    """Say what a cluster with Trainer ``release`` makes of ``new``, a TrainJob or runtime as the server receives it.

    ``old`` is the stored object when this is an update. ``objects`` is everything else in the cluster: runtimes, the
    live JobSet, PriorityClasses; what is not in it does not exist. Without it the cluster is unknown: runtimes come
    from the release's catalogue, and what depends on anything else is not evaluated. A ``Cluster`` may also be known in
    part. ``webhooks=False`` leaves Trainer's webhooks out, as if they were not installed. ``now`` is the clock of the
    mutating webhook, which stamps patches since 2.2.

    The result's ``object`` is what would be stored, with ``PLACEHOLDER_UID`` where the server would invent a uid. Left
    out are other fields that the server fills, and empty objects that Go's encoder adds without meaning. Raises
    TrainergenError for an unknown release and for an object of another kind.
    """
    chosen = get_release(release) if isinstance(release, str) else release
    schemas = load(chosen.name)
    kind = _kind(new, schemas)
    cluster = objects if isinstance(objects, Cluster) else Cluster(objects or (), complete=objects is not None)
    mutates = webhooks and kind.kind == JOB and chosen.behaviours.mutates_train_jobs
    mutation = Mutation(old, schemas, now=now) if mutates else None
    result = admit_structure(new, schemas, kind, old=old, mutate=mutation)
    rules = evaluate_rules(result, schemas, kind)
    outcomes: list[Finding | NotEvaluated] = [*result.findings, *rules.findings, *rules.not_evaluated]
    if webhooks and kind.kind == JOB:
        faults = decode(result.object, schemas, kind).faults if mutation is None else mutation.faults
        outcomes += _unreadable(faults, result)
        outcomes += _train_job_webhook(result, chosen, schemas, cluster)
    elif webhooks:
        outcomes += _runtime_webhook(result, chosen, schemas, kind)
    return Admission(
        findings=tuple(outcome for outcome in outcomes if isinstance(outcome, Finding)),
        object=_stored(result.object, old),
        not_evaluated=tuple(outcome for outcome in outcomes if isinstance(outcome, NotEvaluated)),
    )


def _stored(obj: JsonObject, old: JsonObject | None) -> JsonObject:
    """``obj`` with the uid and status that the server stores; a request for the object itself cannot set a status."""
    metadata = object_at(obj, "metadata")
    uid = metadata.get("uid") or value_at(old, "metadata", "uid") or PLACEHOLDER_UID
    stored: JsonObject = {**obj, "metadata": {**metadata, "uid": uid}}
    status = value_at(old, "status")
    if status is not None:
        return {**stored, "status": status}
    stored.pop("status", None)
    return stored


def _kind(obj: JsonObject, schemas: StructuralSchemas) -> Kind:
    kind = schemas.kinds.get(text_at(obj, "kind"))
    if kind is None or text_at(obj, "apiVersion").rpartition("/")[0] != kind.group:
        seen = f"{text_at(obj, 'apiVersion')} {text_at(obj, 'kind')}".strip() or "nothing"
        raise TrainergenError(f"apiVersion and kind are '{seen}', but only Trainer kinds can be admitted")
    return kind


def _train_job_webhook(
    result: StructuralResult, release: Release, schemas: StructuralSchemas, cluster: Cluster
) -> Outcomes:
    from trainergen.admission.webhooks import trainjob
    from trainergen.admission.webhooks.review import Request

    mistyped = [finding.at for finding in result.findings if finding.rule == checks.WRONG_TYPE.id]
    request = Request(result.object, result.old, release.behaviours, schemas, cluster)
    return trainjob.check(request, mistyped)


def _runtime_webhook(
    result: StructuralResult, release: Release, schemas: StructuralSchemas, kind: Kind
) -> Iterator[Finding]:
    from trainergen.admission.webhooks import runtime

    if runtime.is_intercepted(result.object, result.old, release.behaviours):
        yield from _unreadable(decode(result.object, schemas, kind).faults, result)
        yield from runtime.check(result.object, result.old, release.behaviours)


def _unreadable(faults: Iterable[Unreadable], result: StructuralResult) -> Iterator[Finding]:
    """The values that Go types cannot hold, but for those that the schema refuses already."""
    refused = {finding.at for finding in result.findings}
    for fault in faults:
        if fault.path not in refused:
            yield webhook_checks.UNDECODABLE.at(fault.path, fault.message, help=fault.help)
