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
from trainergen.admission.webhooks.mutate import PLACEHOLDER_TIME, mutated
from trainergen.api.access import object_at, text_at, value_at
from trainergen.api.structural import load
from trainergen.errors import TrainergenError
from trainergen.finding import Finding, NotEvaluated
from trainergen.releases import Release, get_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.admission.structural import Mutate
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
    mutate = _mutation(kind, chosen, schemas, (old, now)) if webhooks else None
    result = admit_structure(new, schemas, kind, old=old, mutate=mutate)
    rules = evaluate_rules(result, schemas, kind)
    outcomes: list[Finding | NotEvaluated] = [*result.findings, *rules.findings, *rules.not_evaluated]
    outcomes += _webhook(result, kind, chosen, (schemas, cluster)) if webhooks else []
    return Admission(
        findings=tuple(outcome for outcome in outcomes if isinstance(outcome, Finding)),
        object=_with_uid(result.object, old),
        not_evaluated=tuple(outcome for outcome in outcomes if isinstance(outcome, NotEvaluated)),
    )


def _with_uid(obj: JsonObject, old: JsonObject | None) -> JsonObject:
    metadata = object_at(obj, "metadata")
    uid = metadata.get("uid") or value_at(old, "metadata", "uid") or PLACEHOLDER_UID
    return {**obj, "metadata": {**metadata, "uid": uid}}


def _kind(obj: JsonObject, schemas: StructuralSchemas) -> Kind:
    kind = schemas.kinds.get(text_at(obj, "kind"))
    if kind is None or text_at(obj, "apiVersion").rpartition("/")[0] != kind.group:
        seen = f"{text_at(obj, 'apiVersion')} {text_at(obj, 'kind')}".strip() or "nothing"
        raise TrainergenError(f"apiVersion and kind are '{seen}', but only Trainer kinds can be admitted")
    return kind


def _mutation(
    kind: Kind, release: Release, schemas: StructuralSchemas, change: tuple[JsonObject | None, str]
) -> Mutate | None:
    if kind.kind != JOB or not release.behaviours.mutates_train_jobs:
        return None
    old, now = change
    return lambda job: mutated(job, old, schemas, now=now)


def _webhook(
    result: StructuralResult, kind: Kind, release: Release, known: tuple[StructuralSchemas, Cluster]
) -> Outcomes:
    schemas, cluster = known
    behaviours = release.behaviours
    if kind.kind == JOB:
        from trainergen.admission.webhooks import trainjob
        from trainergen.admission.webhooks.review import Request

        unreadable = list(_unreadable(result, schemas, kind))
        yield from unreadable
        broken = [finding.at for finding in result.findings if finding.rule == checks.WRONG_TYPE.id]
        request = Request(result.object, result.old, behaviours, schemas, cluster)
        yield from trainjob.check(request, [*broken, *(finding.at for finding in unreadable)])
        return
    from trainergen.admission.webhooks import runtime

    if runtime.is_intercepted(result.object, result.old, behaviours):
        yield from _unreadable(result, schemas, kind)
        yield from runtime.check(result.object, result.old, behaviours)


def _unreadable(result: StructuralResult, schemas: StructuralSchemas, kind: Kind) -> Iterator[Finding]:
    """The values that Go types cannot hold, but for those that the schema refuses already."""
    refused = {finding.at for finding in result.findings}
    for fault in decode(result.object, schemas, kind).faults:
        if fault.path not in refused:
            yield webhook_checks.UNDECODABLE.at(fault.path, fault.message, help=fault.help)
