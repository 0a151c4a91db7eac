"""Builds the text of policies and bindings for tests."""

from __future__ import annotations

from typing import Any

import yaml

TRAINJOBS: dict[str, Any] = {
    "apiGroups": ["trainer.kubeflow.org"],
    "apiVersions": ["v1alpha1"],
    "operations": ["CREATE", "UPDATE"],
    "resources": ["trainjobs"],
}


def rule(**changes: Any) -> dict[str, Any]:
    """A resource rule for TrainJobs, but for some of its fields."""
    return {**TRAINJOBS, **changes}


def policy(*expressions: str | dict[str, Any], kind: str = "ValidatingAdmissionPolicy", **spec: Any) -> str:
    """A policy ``p`` about TrainJobs with these validations and further fields of its spec."""
    validations = [item if isinstance(item, dict) else {"expression": item} for item in expressions]
    body = {"matchConstraints": {"resourceRules": [TRAINJOBS]}, **spec}
    if validations:
        body["validations"] = validations
    return _text(kind, "p", body)


def binding(kind: str = "ValidatingAdmissionPolicy", **spec: Any) -> str:
    """A binding ``b`` of the policy ``p`` that refuses."""
    body = {"policyName": "p", **spec}
    if kind.startswith("Validating"):
        body = {"validationActions": ["Deny"], **body}
    return _text(f"{kind}Binding", "b", body)


def bound(*expressions: str | dict[str, Any], **spec: Any) -> str:
    """A policy with its binding."""
    return f"{policy(*expressions, **spec)}---\n{binding()}"


def mutating(*mutations: dict[str, Any], **spec: Any) -> str:
    """A policy that changes TrainJobs, with its binding."""
    kind = "MutatingAdmissionPolicy"
    return f"{policy(kind=kind, mutations=list(mutations), **spec)}---\n{binding(kind)}"


def json_patch(expression: str) -> dict[str, Any]:
    """A mutation by JSON patch."""
    return {"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}


def apply(expression: str) -> dict[str, Any]:
    """A mutation by apply configuration."""
    return {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}}


def namespace(name: str = "team-a", **metadata: Any) -> str:
    """A Namespace."""
    return yaml.safe_dump({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **metadata}})


def config_map(name: str, data: dict[str, str], **metadata: Any) -> str:
    """A ConfigMap."""
    return yaml.safe_dump(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, **metadata}, "data": data}
    )


def _text(kind: str, name: str, spec: dict[str, Any]) -> str:
    version = "v1" if kind.startswith("Validating") else "v1beta1"
    api_version = f"admissionregistration.k8s.io/{version}"
    return yaml.safe_dump({"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": spec})
