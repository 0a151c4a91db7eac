"""Kubernetes values as short readable text: where a variable comes from, what a volume holds, what a Pod tolerates."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, list_at, object_at, text_at
from trainergen.render.env import COMPLETION_INDEX

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue

INDEX_LABEL = "metadata.labels['batch.kubernetes.io/job-completion-index']"
INDEX_FIELDS = frozenset({COMPLETION_INDEX, INDEX_LABEL})
COMPLETION_INDEX_WORDS = "completion index of the Pod"
NO_FIELDS: Mapping[str, str] = MappingProxyType({})
_FIELDS = {
    "metadata.name": "name of the Pod",
    "metadata.namespace": "namespace of the Pod",
    "metadata.uid": "uid of the Pod",
    "spec.nodeName": "name of the cluster node",
    "spec.serviceAccountName": "service account of the Pod",
    "status.podIP": "IP address of the Pod",
    "status.podIPs": "IP addresses of the Pod",
    "status.hostIP": "IP address of the cluster node",
    "status.hostIPs": "IP addresses of the cluster node",
}


def variable_source(source: JsonValue, fields: Mapping[str, str] = NO_FIELDS) -> str:
    """What ``valueFrom`` of a variable refers to; ``fields`` are those of the Pod that are known, by path."""
    if not isinstance(source, dict) or not source:
        return "nothing, for the controller drops this kind of source"
    return " and ".join(_variable_source(kind, object_at(value), fields) for kind, value in source.items())


def _variable_source(kind: str, source: JsonObject, fields: Mapping[str, str]) -> str:
    key, name = text_at(source, "key"), text_at(source, "name")
    if kind == "fieldRef":
        path = text_at(source, "fieldPath")
        if path in INDEX_FIELDS:
            return COMPLETION_INDEX_WORDS
        return _FIELDS.get(path, f"{path} of the Pod") + (f": {fields[path]}" if path in fields else "")
    if kind == "resourceFieldRef":
        container, divisor = text_at(source, "containerName"), source.get("divisor")
        unit = f" in units of {divisor}" if divisor not in (None, "", "0", 0) else ""
        return f"{text_at(source, 'resource')} of {f'container {container}' if container else 'this container'}{unit}"
    owners = {"configMapKeyRef": "ConfigMap", "secretKeyRef": "Secret"}
    if kind in owners:
        return f"key {key} of {owners[kind]} {name}{_optional(source)}"
    if kind == "fileKeyRef":
        return f"key {key} of file {text_at(source, 'path')} in volume {text_at(source, 'volumeName')}"
    return kind


def _optional(source: JsonObject) -> str:
    return " if there is one" if source.get("optional") is True else ""


def volume_source(volume: JsonObject) -> str:
    """What a volume holds; two sources, which patches can cause, are both named."""
    found = [_volume_source(kind, object_at(value)) for kind, value in volume.items() if kind != "name"]
    return " and ".join(found) or "emptyDir"


_NAMED = {
    "configMap": ("ConfigMap", "name"),
    "secret": ("Secret", "secretName"),
    "persistentVolumeClaim": ("PersistentVolumeClaim", "claimName"),
    "hostPath": ("hostPath", "path"),
    "csi": ("CSI driver", "driver"),
    "image": ("image", "reference"),
}


def _volume_source(kind: str, source: JsonObject) -> str:
    if kind in _NAMED:
        what, key = _NAMED[kind]
        return f"{what} {text_at(source, key)}{_optional(source)}"
    if kind == "emptyDir":
        medium, size = text_at(source, "medium"), source.get("sizeLimit")
        details = [*([f"medium {medium}"] if medium else []), *([f"at most {size}"] if size is not None else [])]
        return f"emptyDir ({', '.join(details)})" if details else "emptyDir"
    if kind == "nfs":
        return f"NFS {text_at(source, 'server')}:{text_at(source, 'path')}"
    if kind == "ephemeral":
        claim = object_at(source, "volumeClaimTemplate", "spec")
        size = object_at(claim, "resources", "requests").get("storage")
        return f"new PersistentVolumeClaim for each Pod ({size or 'no size'})"
    if kind == "projected":
        parts = [name for item in list_at(source, "sources") for name in object_at(item)]
        return f"projected from {', '.join(parts) or 'nothing'}"
    return kind


def toleration(item: JsonValue) -> str:
    """One toleration, such as ``nvidia.com/gpu:NoSchedule`` or ``pool=train:NoExecute for 60s``."""
    key, value, effect = (text_at(item, name) for name in ("key", "value", "effect"))
    what = key or "every taint"
    if text_at(item, "operator") not in ("Exists", "") and text_at(item, "operator") != "Equal":
        what += f" {text_at(item, 'operator')} {value}"
    elif text_at(item, "operator") != "Exists" and key:
        what += f"={value}"
    seconds = integer_at(item, "tolerationSeconds")
    return f"{what}{f':{effect}' if effect else ''}{f' for {seconds}s' if seconds is not None else ''}"


def affinity(value: JsonObject) -> tuple[str, ...]:
    """What the affinity demands or prefers, a line for each kind."""
    kinds = (("nodeAffinity", "cluster node"), ("podAffinity", "near Pods"), ("podAntiAffinity", "away from Pods"))
    return tuple(line for kind, words in kinds if (line := _affinity(object_at(value, kind), words)))


def _affinity(value: JsonObject, words: str) -> str:
    required = value.get("requiredDuringSchedulingIgnoredDuringExecution")
    preferred = list_at(value, "preferredDuringSchedulingIgnoredDuringExecution")
    parts = []
    terms = list_at(required, "nodeSelectorTerms") if isinstance(required, dict) else list_at({"": required}, "")
    if terms:
        parts.append("required: " + " or ".join(_term(term) for term in terms))
    if preferred:
        inner = [object_at(item, "preference") or object_at(item, "podAffinityTerm") for item in preferred]
        parts.append("preferred: " + ", ".join(_term(term) for term in inner))
    return f"{words} {'; '.join(parts)}" if parts else ""


def _term(term: JsonValue) -> str:
    selector = object_at(term, "labelSelector")
    labels = [f"{key}={value}" for key, value in object_at(selector, "matchLabels").items()]
    holders = (list_at(term, "matchExpressions"), list_at(term, "matchFields"), list_at(selector, "matchExpressions"))
    labels += [requirement(item) for items in holders for item in items]
    topology = text_at(term, "topologyKey")
    return (" and ".join(labels) or "anything") + (f" in the same {topology}" if topology else "")


def requirement(item: JsonValue) -> str:
    """One requirement of a selector: ``zone in (a, b)``."""
    key, operator = text_at(item, "key"), text_at(item, "operator")
    values = ", ".join(str(value) for value in list_at(item, "values"))
    words = {"In": "in", "NotIn": "not in", "Exists": "exists", "DoesNotExist": "does not exist", "Gt": ">", "Lt": "<"}
    return f"{key} {words.get(operator, operator)}{f' ({values})' if values else ''}"


def spread(item: JsonValue) -> str:
    """One topology spread constraint."""
    skew, key = integer_at(item, "maxSkew"), text_at(item, "topologyKey")
    return f"at most {skew} apart over {key} ({text_at(item, 'whenUnsatisfiable') or 'DoNotSchedule'})"
