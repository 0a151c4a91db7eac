"""Puts what is to be installed on a control plane, with a user who has the rights of the ServiceAccount."""

from __future__ import annotations

import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner, Result
from trainergen_controller.cli import main
from trainergen_controller.kubernetes_client import KubernetesClient, configuration
from trainergen_controller.settings import AUDIT, RECONCILE

from tests.controller.install.built import kustomized

if TYPE_CHECKING:
    from tests.controlplane.server import ControlPlane

RELEASE = "2.3"
LOCAL = "local"
COMPONENTS = {
    AUDIT: ("namespace", "webhook-audit", "own-certificates"),
    RECONCILE: ("namespace", "webhook", "own-certificates", "status-server"),
}
PLURALS = {"NetworkPolicy": "networkpolicies"}


def report_crd(kind: str) -> dict[str, Any]:
    group, plural = "wgpolicyk8s.io", f"{kind.lower()}s"
    open_schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1alpha2", "served": True, "storage": True, "schema": {"openAPIV3Schema": open_schema}}
    names = {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"}
    scope = "Cluster" if kind.startswith("Cluster") else "Namespaced"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {"group": group, "scope": scope, "names": names, "versions": [version]},
    }


def client_of(plane: ControlPlane, user: str = "admin") -> KubernetesClient:
    return KubernetesClient(configuration(kubeconfig=str(plane.kubeconfig(user))), timeout=10.0)


def path_of(one: dict[str, Any]) -> str:
    version, kind, metadata = one["apiVersion"], one["kind"], one["metadata"]
    plural = PLURALS.get(kind, f"{kind.lower()}s")
    namespace = f"/namespaces/{metadata['namespace']}" if "namespace" in metadata else ""
    return f"/{'apis' if '/' in version else 'api'}/{version}{namespace}/{plural}/{metadata['name']}"


def install(plane: ControlPlane, folder: Path, mode: str) -> list[dict[str, Any]]:
    """Applies all of a mode, and binds its roles to the user of that name."""
    objects = kustomized(folder, mode, COMPONENTS[mode])
    put(plane, objects, mode)
    return objects


def put(plane: ControlPlane, objects: list[dict[str, Any]], user: str) -> None:
    """Applies objects, with their roles for a user instead of the ServiceAccount."""
    with plane.api() as api:
        for one in sorted(objects, key=lambda each: each["kind"] != "Namespace"):
            if one["kind"].endswith("RoleBinding"):
                one["subjects"] = [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}]
                one["metadata"]["name"] += f"-{user}"
                one["roleRef"]["name"] += f"-{user}"
            elif one["kind"].endswith("Role"):
                one["metadata"]["name"] += f"-{user}"
            elif one["kind"].endswith("WebhookConfiguration"):
                continue  # nothing would answer
            answer = api.apply(path_of(one), one, fieldValidation="Strict")
            assert answer.ok, answer.body


def once(plane: ControlPlane, mode: str, user: str = "", *options: str) -> Result:
    kubeconfig = str(plane.kubeconfig(user or mode))
    return CliRunner().invoke(main, ["once", mode, "--kubeconfig", kubeconfig, "--release", RELEASE, *options])


def answers(url: str) -> str:
    """The page, empty while there is none."""
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return str(response.read().decode())
    except OSError:
        return ""
