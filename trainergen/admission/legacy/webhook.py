"""What the validating webhooks of the Training Operator refuse, and the checks of the controllers where there is none.

Source: kubeflow/training-operator pkg/webhooks/*, pkg/common/util/webhooks.go @ v1.9.2 and pkg/webhooks/mxnet @
v1.8.1; pkg/controller.v1/mpi/mpijob_controller.go @ v1.9.2; kubeflow/mpi-operator
pkg/apis/kubeflow/validation/validation.go @ v0.8.0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.admission.legacy import checks
from trainergen.api.access import integer_at, list_at, object_at, text_at, value_at
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.admission.legacy.kinds import LegacyKind
    from trainergen.finding import Finding, JsonObject, JsonValue, Path

_NAME = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_LONGEST = 63
_OWN_ROLES = frozenset({"PyTorchJob", "XGBoostJob", "PaddleJob", "JAXJob", "MXJob"})
"""The kinds whose webhook knows the names of the roles; that of TFJob takes any."""
_ONE_MASTER = frozenset({"PyTorchJob", "XGBoostJob"})
_MANAGERS = {
    "v1": ("kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue"),
    "v2beta1": ("kubeflow.org/mpi-operator", "kueue.x-k8s.io/multikueue"),
}
_MPI_POLICIES = ("Never", "OnFailure")
_POLICY: Path = ("spec", "runPolicy")


def check(job: JsonObject, kind: LegacyKind) -> Iterator[Finding]:
    """The refusals of a legacy job, whose structure may still be wrong."""
    yield from _name(job, kind)
    if kind.kind != "JAXJob":
        yield from _manager(job, kind)
    specs = object_at(job, "spec", kind.replicas_key)
    if kind.kind == "PyTorchJob":
        yield from _elastic(job, specs)
    yield from _missing_roles(specs, kind)
    for role, spec in specs.items():
        yield from _role(role, spec, kind)


def _name(job: JsonObject, kind: LegacyKind) -> Iterator[Finding]:
    name = text_at(job, "metadata", "name")
    if not name or not kind.has_webhook:
        return
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        yield checks.LEGACY_JOB_NAME.at(
            ("metadata", "name"),
            f"name '{name}' is no RFC 1035 label",
            help="Use at most 63 lower-case letters, digits and '-', starting with a letter.",
        )


def _manager(job: JsonObject, kind: LegacyKind) -> Iterator[Finding]:
    manager = value_at(job, *map(str, _POLICY), "managedBy")
    known = _MANAGERS[kind.version]
    if isinstance(manager, str) and manager not in known:
        yield checks.LEGACY_MANAGER.at(
            (*_POLICY, "managedBy"),
            f"managedBy is '{manager}', but the operator knows only {known[0]} and {known[1]}",
            help=f"Leave it out, or write '{known[1]}'.",
        )


def _elastic(job: JsonObject, specs: JsonObject) -> Iterator[Finding]:
    policy = value_at(job, "spec", "elasticPolicy")
    if not isinstance(policy, dict):
        return
    path: Path = ("spec", "elasticPolicy")
    if "Worker" not in specs:
        yield checks.LEGACY_ELASTIC.at(
            path, "there is an elasticPolicy, but no Worker", help="Make the elastic Pods Workers."
        )
    if policy.get("nProcPerNode") is None:
        return
    where = (*path, "nProcPerNode")
    yield checks.LEGACY_DEPRECATED.at(
        where, "elasticPolicy.nProcPerNode is deprecated", help="Use spec.nprocPerNode instead."
    )
    if value_at(job, "spec", "nprocPerNode") is not None:
        yield checks.LEGACY_ELASTIC.at(
            where, "elasticPolicy.nProcPerNode and nprocPerNode exclude each other", help="Keep spec.nprocPerNode."
        )


def _missing_roles(specs: JsonObject, kind: LegacyKind) -> Iterator[Finding]:
    path: Path = ("spec", kind.replicas_key)
    if kind.kind == "XGBoostJob" and "Master" not in specs:
        yield checks.LEGACY_ROLE.at(path, "an XGBoostJob needs a Master", help="Add the role Master with one replica.")
    if kind.kind == "MPIJob" and "Launcher" not in specs:
        yield checks.LEGACY_CONTROLLER.at(
            path, "an MPIJob needs a Launcher", help="Add the role Launcher with one replica."
        )
    chiefs = [role for role in specs if role in ("Chief", "Master")]
    if kind.kind == "TFJob" and len(chiefs) > 1:
        yield checks.LEGACY_ROLE.at(path, "a TFJob has a Chief or a Master, not both", help="Keep the Chief.")


def _role(role: str, spec: JsonValue, kind: LegacyKind) -> Iterator[Finding]:
    path: Path = ("spec", kind.replicas_key, role)
    if kind.kind in _OWN_ROLES and role not in kind.roles:
        yield checks.LEGACY_ROLE.at(
            path,
            f"role '{role}' is not one of {', '.join(kind.roles)}{did_you_mean(role, kind.roles)}",
            help="Write the role as the kind spells it.",
            on_key=True,
        )
    yield from _containers(spec, kind, path)
    yield from _replicas(role, spec, kind)
    if kind.version == "v2beta1":
        yield from _never_started(role, spec, path)


def _never_started(role: str, spec: JsonValue, path: Path) -> Iterator[Finding]:
    """What the MPI Operator finds fault with once the job is stored, and then leaves it as it is, with an event."""
    policy = text_at(spec, "restartPolicy")
    if policy not in ("", *_MPI_POLICIES):
        yield checks.LEGACY_CONTROLLER.at(
            (*path, "restartPolicy"),
            f"restartPolicy is '{policy}', but the MPI Operator knows only {' and '.join(_MPI_POLICIES)}",
            help="Write OnFailure, with a backoffLimit in the runPolicy.",
        )
    replicas = integer_at(spec, "replicas") or 0
    if role == "Worker" and replicas < 1:
        yield checks.LEGACY_CONTROLLER.at(
            (*path, "replicas"),
            f"replicas of the Worker is {replicas}, but must be at least 1",
            help="Say how many Workers there are, or leave the role out.",
        )


def _replicas(role: str, spec: JsonValue, kind: LegacyKind) -> Iterator[Finding]:
    path: Path = ("spec", kind.replicas_key, role, "replicas")
    replicas = integer_at(spec, "replicas")
    if role == "Master" and kind.kind in _ONE_MASTER:
        if replicas != 1:
            seen = "not given" if replicas is None else str(replicas)
            yield checks.LEGACY_REPLICAS.at(
                path, f"replicas of the Master is {seen}, but must be 1", help="Write 'replicas: 1'."
            )
    elif kind.kind == "PyTorchJob" and replicas is not None and replicas < 1:
        yield checks.LEGACY_REPLICAS.at(
            path, f"replicas is {replicas}, but must be at least 1", help="Leave the role out, or give it a replica."
        )
    elif kind.kind == "MPIJob" and role == "Launcher" and replicas not in (None, 1):
        yield checks.LEGACY_CONTROLLER.at(
            path, f"replicas of the Launcher is {replicas}, but must be 1", help="Write 'replicas: 1'."
        )


def _containers(spec: JsonValue, kind: LegacyKind, role: Path) -> Iterator[Finding]:
    path: Path = (*role, "template", "spec", "containers")
    refusal = checks.LEGACY_CONTAINER if kind.has_webhook else checks.LEGACY_CONTROLLER
    containers = list_at(spec, "template", "spec", "containers")
    if not containers:
        yield refusal.at(path, "the role has no containers", help="Add the container that trains.")
        return
    for index, container in enumerate(containers):
        if not text_at(container, "image"):
            yield refusal.at((*path, index, "image"), "the container has no image", help="Name its image.")
    names = [text_at(container, "name") for container in containers]
    if kind.has_webhook and kind.container not in names:
        seen = ", ".join(f"'{name}'" for name in names)
        yield refusal.at(
            path,
            f"no container is named '{kind.container}', only {seen}",
            help=f"A {kind.kind} trains in the container '{kind.container}'; rename it.",
        )
