"""What an audit of a cluster has to say: TG819 is about the installation, TG800 about the objects in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.finding import Check, Layer, ObjectRef, Severity

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject
    from trainergen.upgrade.live.reader import Resource


def _installed(name: str, summary: str, severity: Severity = Severity.ERROR) -> Check:
    return Check("TG819", f"cluster-{name}", Layer.LINT, summary, severity)


def _stored(name: str, summary: str, severity: Severity = Severity.ERROR) -> Check:
    return Check("TG800", f"live-{name}", Layer.LINT, summary, severity)


OTHER_RELEASE = _installed("runs-another-release", "The cluster runs another release than the one upgraded from.")
CRD_MISSING = _installed("crd-missing", "A CRD of the Trainer is not in the cluster.")
CRD_BEHIND = _installed("crd-behind-controller", "A CRD is of another release than the controller.")
CRD_DIFFERS = _installed("crd-differs", "A CRD has other fields than any release.", Severity.INFO)
STORED_VERSION = _installed("stored-version", "A CRD lists a version that objects may be stored in and that is gone.")
CRD_TROUBLE = _installed("crd-not-served", "A CRD is not accepted by the API server, or is being deleted.")
CRD_UNPROTECTED = _installed("crd-unprotected", "Helm would delete a CRD with its release.", Severity.WARNING)
CRD_UNOWNED = _installed("crd-not-adopted", "A CRD is about to become part of a Helm release.", Severity.WARNING)
FLAG_UNKNOWN = _installed("flag-unknown", "The controller has a flag that the target does not know.", Severity.WARNING)
CONTROLLER_TWICE = _installed("controller-twice", "There is more than one controller of the Trainer.")
HELM_PENDING = _installed("helm-release-pending", "The newest revision of a Helm release is not deployed.")
NO_CA = _installed("webhook-without-ca", "The API server has no certificate to trust a webhook by.")
COMPANION = _installed("companion-unfit", "A component does not go with the Trainer.", Severity.WARNING)
LEGACY_LEFT = _installed("legacy-kinds", "Jobs of the Training Operator are left.", Severity.WARNING)

IN_USE = _stored("runtime-in-use", "Runtimes have a finalizer that only one release takes off.", Severity.WARNING)
STUCK = _stored("runtime-stuck", "A runtime that is being deleted is held by a finalizer.")
DEPRECATED = _stored("runtime-deprecated", "A runtime is labelled as deprecated.", Severity.WARNING)
RUNTIME_TOUCHED = _stored("runtime-touched", "A runtime of the cluster has what the target drops.", Severity.WARNING)
RUNTIME_MISSING = _stored("runtime-missing", "A TrainJob uses a runtime that is not in the cluster.", Severity.WARNING)
JOB_TOUCHED = _stored("job-touched", "A TrainJob of the cluster has what the target drops.")
UNDECODABLE = _stored("job-undecodable", "A stored TrainJob cannot be decoded by the target's controller.")

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
