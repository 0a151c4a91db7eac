"""What an audit of a cluster has to say: TG920 and up about the installation, TG940 and up about its objects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.finding import Check, Layer, ObjectRef, Severity

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject
    from trainergen.upgrade.live.reader import Resource


def _installed(number: int, name: str, summary: str, severity: Severity = Severity.ERROR) -> Check:
    return Check(f"TG{number}", f"cluster-{name}", Layer.LINT, summary, severity)


def _stored(number: int, name: str, summary: str, severity: Severity = Severity.ERROR) -> Check:
    return Check(f"TG{number}", f"live-{name}", Layer.LINT, summary, severity)


OTHER_RELEASE = _installed(920, "runs-another-release", "The cluster runs another release than the one upgraded from.")
CRD_MISSING = _installed(921, "crd-missing", "A CRD of the Trainer is not in the cluster.")
CRD_BEHIND = _installed(922, "crd-behind-controller", "A CRD is of another release than the controller.")
CRD_DIFFERS = _installed(923, "crd-differs", "A CRD has other fields than any release.", Severity.INFO)
STORED_VERSION = _installed(
    924, "stored-version", "A CRD lists a version that objects may be stored in and that is gone."
)
CRD_TROUBLE = _installed(925, "crd-not-served", "A CRD is not accepted by the API server, or is being deleted.")
CRD_UNPROTECTED = _installed(926, "crd-unprotected", "Helm would delete a CRD with its release.", Severity.WARNING)
CRD_UNOWNED = _installed(927, "crd-not-adopted", "A CRD is about to become part of a Helm release.", Severity.WARNING)
FLAG_UNKNOWN = _installed(
    928, "flag-unknown", "The controller has a flag that the target does not know.", Severity.WARNING
)
CONTROLLER_TWICE = _installed(929, "controller-twice", "There is more than one controller of the Trainer.")
HELM_PENDING = _installed(930, "helm-release-pending", "The newest revision of a Helm release is not deployed.")
NO_CA = _installed(931, "webhook-without-ca", "The API server has no certificate to trust a webhook by.")
COMPANION = _installed(932, "companion-unfit", "A component does not go with the Trainer.", Severity.WARNING)
LEGACY_LEFT = _installed(933, "legacy-kinds", "Jobs of the Training Operator are left.", Severity.WARNING)

IN_USE = _stored(940, "runtime-in-use", "Runtimes have a finalizer that only one release takes off.", Severity.WARNING)
STUCK = _stored(941, "runtime-stuck", "A runtime that is being deleted is held by a finalizer.")
DEPRECATED = _stored(942, "runtime-deprecated", "A runtime is labelled as deprecated.", Severity.WARNING)
RUNTIME_TOUCHED = _stored(
    943, "runtime-touched", "A runtime of the cluster has what the target drops.", Severity.WARNING
)
RUNTIME_MISSING = _stored(
    944, "runtime-missing", "A TrainJob uses a runtime that is not in the cluster.", Severity.WARNING
)
JOB_TOUCHED = _stored(945, "job-touched", "A TrainJob of the cluster has what the target drops.")
UNDECODABLE = _stored(946, "job-undecodable", "A stored TrainJob cannot be decoded by the target's controller.")

LIVE_CHECKS = tuple(value for value in list(globals().values()) if isinstance(value, Check))
"""All checks of this part."""


def about(finding: Finding, context: str, resource: Resource, obj: JsonObject | tuple[str, str]) -> Finding:
    """A finding on an object of the cluster, given as it is or by namespace and name."""
    namespace, name = obj if isinstance(obj, tuple) else name_of(obj)
    ref = ObjectRef(resource.api_version, resource.kind, namespace, name)
    return replace(finding, file=place(context, ref), object=ref)


def place(context: str, ref: ObjectRef) -> str:
    """Where an object of the cluster is, in place of a file: ``context:TrainJob/team-a/ranking``."""
    return f"{context}:" + "/".join(part for part in (ref.kind, ref.namespace, ref.name) if part)


def name_of(obj: JsonObject) -> tuple[str, str]:
    """Namespace and name of an object."""
    metadata = obj.get("metadata")
    found = metadata if isinstance(metadata, dict) else {}
    return str(found.get("namespace") or ""), str(found.get("name") or "")
