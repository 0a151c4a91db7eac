"""AdmissionReview in, AdmissionReview out; pure but for the lookup that its caller brings."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from trainergen.admission.admit import admit
from trainergen.admission.cluster import Cluster
from trainergen.api.access import object_at, text_at
from trainergen.errors import TrainergenError
from trainergen.finding import Finding, Layer, Severity
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, TRAIN_JOB, TRAINER_GROUP, TRAINING_RUNTIME

if TYPE_CHECKING:
    from trainergen.finding import JsonObject

MUTATE, VALIDATE = "mutate", "validate"
PATHS = {
    f"/{verb}-{TRAINER_GROUP.replace('.', '-')}-{kind.version}-{kind.kind.lower()}": verb
    for verb, kinds in ((MUTATE, (TRAIN_JOB,)), (VALIDATE, (TRAIN_JOB, TRAINING_RUNTIME, CLUSTER_TRAINING_RUNTIME)))
    for kind in kinds
}
"""The paths of the Trainer's own webhooks. kubeflow/trainer manifests/base/webhook/manifests.yaml @ v2.3.0."""
_API_VERSION = "admission.k8s.io/v1"
_WARNING_LENGTH = 256

Lookup: TypeAlias = Callable[["JsonObject"], Iterable["JsonObject"]]
"""What of the cluster counts for a TrainJob: runtime, JobSet, PriorityClasses; what is not given is not there."""


class BadReviewError(Exception):
    """The body is no AdmissionReview that can be answered."""


def answer(verb: str, body: bytes, *, release: str, lookup: Lookup, now: str) -> JsonObject:
    """The AdmissionReview that answers ``body``. ``now`` is the time that new runtimePatches are stamped with.

    A refusal is code 403 and lists every reason with its field, as the Trainer's own webhook does; warnings go along
    with an acceptance. Deletions are always accepted. BadReviewError for a body that is no review of a Trainer kind.
    """
    return answer_request(verb, request_of(body), release=release, lookup=lookup, now=now)


def answer_request(verb: str, request: JsonObject, *, release: str, lookup: Lookup, now: str) -> JsonObject:
    """As ``answer``, for the request of a review that was read already."""
    uid = text_at(request, "uid")
    if not uid:
        raise BadReviewError("the request has no uid")
    new = request.get("object")
    if text_at(request, "operation") == "DELETE" or not isinstance(new, dict):
        return _review({"uid": uid, "allowed": True})
    old = request.get("oldObject")
    try:
        response = _respond(verb, new, old if isinstance(old, dict) else None, release=release, lookup=lookup, now=now)
    except TrainergenError as error:
        raise BadReviewError(str(error)) from error
    return _review({"uid": uid, **response})


def _respond(
    verb: str, new: JsonObject, old: JsonObject | None, *, release: str, lookup: Lookup, now: str
) -> JsonObject:
    is_job = text_at(new, "kind") == TRAIN_JOB.kind
    if verb == MUTATE:
        # what the API server itself says comes after mutation, whatever is not there
        stored = admit(new, release=release, old=old, objects=(), now=now).object
        return {"allowed": True, **_patch(new, stored)}
    cluster = Cluster(lookup(new) if is_job else (), complete=True)
    verdict = admit(new, release=release, old=old, objects=cluster, now=now)
    ours = [finding for finding in verdict.findings if finding.layer is Layer.WEBHOOK]
    refusals = [finding for finding in ours if finding.refuses]
    warnings: list[Any] = [_short(finding) for finding in ours if finding.severity is Severity.WARNING]
    response: JsonObject = {"allowed": not refusals}
    if warnings:
        response["warnings"] = warnings
    if refusals:
        response["status"] = {"code": 403, "reason": "Forbidden", "message": _refusal(refusals)}
    return response


def request_of(body: bytes) -> JsonObject:
    """The request of an AdmissionReview; BadReviewError for a body that is none."""
    try:
        review = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadReviewError("the body is not JSON") from error
    if not isinstance(review, dict) or review.get("kind") != "AdmissionReview":
        raise BadReviewError("the body is no AdmissionReview")
    if review.get("apiVersion") != _API_VERSION:
        raise BadReviewError(f"apiVersion is '{review.get('apiVersion')}', expected {_API_VERSION}")
    request = review.get("request")
    if not isinstance(request, dict):
        raise BadReviewError("the review has no request")
    return request


def _review(response: JsonObject) -> JsonObject:
    return {"apiVersion": _API_VERSION, "kind": "AdmissionReview", "response": response}


def _patch(new: JsonObject, stored: JsonObject | None) -> JsonObject:
    """The specification as a whole is replaced, if it changes: a patch of a few bytes would say no more."""
    if stored is None or object_at(stored, "spec") == object_at(new, "spec"):
        return {}
    operations = [{"op": "replace" if "spec" in new else "add", "path": "/spec", "value": stored["spec"]}]
    return {"patchType": "JSONPatch", "patch": base64.b64encode(json.dumps(operations).encode()).decode()}


def _refusal(refusals: list[Finding]) -> str:
    reasons = [f"{finding.path}: {finding.message}" if finding.path else finding.message for finding in refusals]
    return reasons[0] if len(reasons) == 1 else f"[{', '.join(reasons)}]"


def _short(finding: Finding) -> str:
    """The API server passes on warnings of at most 256 characters."""
    return (
        finding.message if len(finding.message) <= _WARNING_LENGTH else finding.message[: _WARNING_LENGTH - 4] + " ..."
    )
