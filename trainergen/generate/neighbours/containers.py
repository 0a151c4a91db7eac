"""The small Pods that neighbours need: of a level that a restricted namespace accepts, with modest resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue

KUBECTL = "registry.k8s.io/kubectl:v1.36.0"
"""kubectl and nothing else, by the Kubernetes project."""
USER = 1001
"""The user of KitOps' image; others do not mind whose they are."""


def pod_security() -> JsonObject:
    """The securityContext of a Pod."""
    return {
        "runAsNonRoot": True,
        "runAsUser": USER,
        "runAsGroup": USER,
        "fsGroup": USER,
        "seccompProfile": {"type": "RuntimeDefault"},
    }


def container_security() -> JsonObject:
    """The securityContext of a container."""
    return {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
    }


def resources(cpu: str, memory: str) -> JsonObject:
    """Requests, and as much as a limit."""
    amounts: JsonObject = {"cpu": cpu, "memory": memory}
    return {"requests": dict(amounts), "limits": dict(amounts)}


def kubectl(name: str, arguments: list[JsonValue], *, image: str = KUBECTL) -> JsonObject:
    """A container that runs kubectl."""
    return {
        "name": name,
        "image": image,
        "args": arguments,
        "resources": resources("100m", "128Mi"),
        "securityContext": container_security(),
    }


def rights(name: str, namespace: str, rules: list[JsonValue]) -> list[JsonObject]:
    """A ServiceAccount with these rights in its namespace."""
    metadata: JsonObject = {"name": name, "namespace": namespace}
    rbac = "rbac.authorization.k8s.io"
    return [
        {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": dict(metadata),
            "automountServiceAccountToken": False,
        },
        {"apiVersion": f"{rbac}/v1", "kind": "Role", "metadata": dict(metadata), "rules": rules},
        {
            "apiVersion": f"{rbac}/v1",
            "kind": "RoleBinding",
            "metadata": dict(metadata),
            "roleRef": {"apiGroup": rbac, "kind": "Role", "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": namespace}],
        },
    ]
