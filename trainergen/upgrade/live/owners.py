"""Who manages an object of the cluster, told by its labels, annotations and field managers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonObject

_HELM_NAME, _HELM_NAMESPACE = "meta.helm.sh/release-name", "meta.helm.sh/release-namespace"
_ARGO = ("argocd.argoproj.io/tracking-id", "argocd.argoproj.io/instance")
_FLUX = ("kustomize.toolkit.fluxcd.io", "helm.toolkit.fluxcd.io")
_KEEP = "helm.sh/resource-policy"
_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def owners(obj: JsonObject) -> tuple[str, ...]:
    """Who manages an object, in words; empty when nothing says so."""
    return tuple(dict.fromkeys(_owners(obj)))


def _owners(obj: JsonObject) -> Iterator[str]:
    labels, annotations = object_at(obj, "metadata", "labels"), object_at(obj, "metadata", "annotations")
    namespace, name = helm_release(obj)
    if name:
        yield f"the Helm release {namespace}/{name}"
    for mark in _ARGO:
        said = text_at(annotations, mark) or text_at(labels, mark)
        if said:
            yield f"the Argo CD application {said.partition(':')[0]}"
    for mark in _FLUX:
        said = text_at(labels, f"{mark}/name")
        if said:
            kind = "HelmRelease" if mark.startswith("helm") else "Kustomization"
            yield f"the Flux {kind} {text_at(labels, f'{mark}/namespace') or '?'}/{said}"
    if _APPLIED in annotations:
        yield "kubectl apply on the client side"


def helm_release(obj: JsonObject) -> tuple[str, str]:
    """Namespace and name of the Helm release that an object says it is part of."""
    annotations = object_at(obj, "metadata", "annotations")
    return text_at(annotations, _HELM_NAMESPACE), text_at(annotations, _HELM_NAME)


def is_kept(obj: JsonObject) -> bool:
    """Whether Helm leaves an object where it is when it goes from the release."""
    return text_at(obj, "metadata", "annotations", _KEEP) == "keep"


def writers(obj: JsonObject) -> tuple[str, ...]:
    """The field managers, without those of subresources."""
    entries = list_at(obj, "metadata", "managedFields")
    return tuple(sorted({text_at(one, "manager") for one in entries if not text_at(one, "subresource")} - {""}))
