"""What TrainJobs and runtimes refer to by name, and which of it kustomize renames along."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.rules import Kustomization
    from trainergen.rules.gitops.kustomize.building import Resource

_BY_PARENT = {
    ("secretKeyRef", "name"): "Secret",
    ("secretRef", "name"): "Secret",
    ("secret", "secretName"): "Secret",
    ("secret", "name"): "Secret",
    ("imagePullSecrets", "name"): "Secret",
    ("configMapKeyRef", "name"): "ConfigMap",
    ("configMapRef", "name"): "ConfigMap",
    ("configMap", "name"): "ConfigMap",
    ("persistentVolumeClaim", "claimName"): "PersistentVolumeClaim",
}
"""The kind that a field refers to, by the names of its parent and itself; indexes of lists left out."""
_ACCOUNT = "serviceAccountName"


class Reference(NamedTuple):
    """A name of another object."""

    kind: str
    name: str
    path: Path

    @property
    def field(self) -> str:
        """The path as configurations of kustomize write it."""
        return "/".join(step for step in self.path if isinstance(step, str))


def references_of(resource: Resource) -> Iterator[Reference]:
    """All references of a TrainJob or runtime, wherever in the object they are."""
    runtime = resource.value.get("spec")
    inner = runtime.get("runtimeRef") if isinstance(runtime, dict) else None
    if isinstance(inner, dict) and isinstance(inner.get("name"), str):
        kind = inner.get("kind") or "ClusterTrainingRuntime"
        yield Reference(str(kind), str(inner["name"]), ("spec", "runtimeRef", "name"))
    yield from _walk(resource.value.get("spec"), ("spec",))


def _walk(value: JsonValue, path: Path) -> Iterator[Reference]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(item, (*path, index))
    elif isinstance(value, dict):
        parent = next((step for step in reversed(path) if isinstance(step, str)), "")
        for key, inner in value.items():
            kind = "ServiceAccount" if key == _ACCOUNT else _BY_PARENT.get((parent, key))
            if kind and isinstance(inner, str):
                yield Reference(kind, inner, (*path, key))
            elif isinstance(inner, dict | list):
                yield from _walk(inner, (*path, key))


def follows(kustomization: Kustomization, resource: Resource, reference: Reference) -> bool:
    """Whether a configuration in force makes kustomize rename a reference along with its object."""
    return any(
        rule.get("kind") == reference.kind and _covers(rule, resource.kind, reference.field)
        for configuration in kustomization.configurations
        for rule in _mappings(configuration.get("nameReference"))
    )


def _covers(rule: JsonObject, kind: str, field: str) -> bool:
    return any(
        spec.get("kind") in (None, "", kind) and str(spec.get("path", "")).strip("/") == field
        for spec in _mappings(rule.get("fieldSpecs"))
    )


def _mappings(value: JsonValue) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
