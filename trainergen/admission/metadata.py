"""The object's own metadata: its Go type, and the rules that hold for the metadata of every Kubernetes object.

Behaviour: kubernetes/apimachinery pkg/api/validation/objectmeta.go and pkg/apis/meta/v1/validation @ v0.35.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from trainergen.admission import checks
from trainergen.admission.compile import Compiler
from trainergen.admission.faults import Fault

if TYPE_CHECKING:
    from trainergen.admission.faults import Faults
    from trainergen.admission.nodes import Node
    from trainergen.finding import JsonObject, JsonValue, Path

_DNS_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_LABEL = re.compile(_DNS_LABEL)
_SUBDOMAIN = re.compile(rf"{_DNS_LABEL}(?:\.{_DNS_LABEL})*")
_KEY_NAME = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?")
_TIME = r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})"
_TIMES = ("creationTimestamp", "deletionTimestamp")
_COLLECTORS = ("orphan", "foregroundDeletion")

NAME_LIMIT = 253
LABEL_LIMIT = 63
ANNOTATIONS_LIMIT = 256 * 1024
GENERATED_SUFFIX = 5
"""How many characters the server appends to ``generateName``, which it cuts to 63 less these first."""

_STRING: dict[str, Any] = {"type": "string"}
# A null in a map or list of strings becomes an empty string when Go decodes it.
_NULL_IS_EMPTY: dict[str, Any] = {"type": "string", "default": ""}
_STRINGS: dict[str, Any] = {"type": "object", "additionalProperties": _NULL_IS_EMPTY}
_INTEGER: dict[str, Any] = {"type": "integer"}
_OWNER: dict[str, Any] = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("apiVersion", "kind", "name", "uid"), _STRING),
        **{name: {"type": "boolean"} for name in ("controller", "blockOwnerDeletion")},
    },
}
_MANAGED: dict[str, Any] = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("manager", "operation", "apiVersion", "time", "fieldsType", "subresource"), _STRING),
        "fieldsV1": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    },
}
OBJECT_META: dict[str, Any] = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"), _STRING),
        **dict.fromkeys(_TIMES, _STRING),
        **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), _INTEGER),
        **dict.fromkeys(("labels", "annotations"), _STRINGS),
        "ownerReferences": {"type": "array", "items": _OWNER},
        "finalizers": {"type": "array", "items": _NULL_IS_EMPTY},
        "managedFields": {"type": "array", "items": _MANAGED},
    },
}
"""The fields of ObjectMeta with their types, as a schema."""


@cache
def _node() -> Node:
    from trainergen.api.structural import StructuralSchemas

    return Compiler(StructuralSchemas(release="", definitions={}, kinds={})).node(OBJECT_META)


def decode(value: JsonValue, faults: Faults) -> JsonValue:
    """``metadata`` as the server decodes it: unknown fields and wrong types are noted, nulls are dropped."""
    return _node().visit({} if value is None else value, ("metadata",), faults)


def check_create(metadata: JsonObject, faults: Faults) -> None:
    """Note what a new object's well-typed metadata breaks."""
    name, prefix = metadata.get("name"), metadata.get("generateName")
    if prefix and isinstance(prefix, str) and not _is_subdomain(_without_dash(prefix)):
        faults.append(Fault(checks.INVALID_NAME, ("metadata", "generateName"), prefix, "prefix"))
    if not name and not prefix:
        faults.append(Fault(checks.MISSING_FIELD, ("metadata", "name"), name, "name"))
    elif name and isinstance(name, str) and not _is_subdomain(name):
        faults.append(Fault(checks.INVALID_NAME, ("metadata", "name"), name, "name"))
    namespace = metadata.get("namespace")
    if namespace and isinstance(namespace, str) and not is_label(namespace):
        faults.append(Fault(checks.INVALID_NAME, ("metadata", "namespace"), namespace, "namespace"))
    faults.extend(_finalizer_faults(metadata.get("finalizers")))
    check_common(metadata, faults)


def check_update(metadata: JsonObject, old: JsonObject, faults: Faults) -> None:
    """Note what a changed object's metadata breaks; its name and finalizers are not looked at again."""
    for field in ("name", "namespace", "uid", "creationTimestamp"):
        before, now = old.get(field), metadata.get(field)
        # The server fills in what a manifest leaves out, so only a different value is a change.
        if before and now and before != now:
            faults.append(Fault(checks.IMMUTABLE_METADATA, ("metadata", field), now, before))
    check_common(metadata, faults)


def check_common(metadata: JsonObject, faults: Faults) -> None:
    """Note what labels, annotations, owners and times break, on create and update alike."""
    if labels := metadata.get("labels"):
        faults.extend(_label_faults(labels))
    if annotations := metadata.get("annotations"):
        faults.extend(_annotation_faults(annotations))
    if owners := metadata.get("ownerReferences"):
        faults.extend(_owner_faults(owners))
    for field in _TIMES:
        value = metadata.get(field)
        if isinstance(value, str) and not re.fullmatch(_TIME, value, re.ASCII):
            faults.append(Fault(checks.INVALID_METADATA, ("metadata", field), value, "time"))
    generation = metadata.get("generation")
    if isinstance(generation, int) and generation < 0:
        faults.append(Fault(checks.INVALID_METADATA, ("metadata", "generation"), generation, "positive"))


def is_label(text: str) -> bool:
    """An RFC 1123 label."""
    return len(text) <= LABEL_LIMIT and _LABEL.fullmatch(text) is not None


def _without_dash(prefix: str) -> str:
    """``prefix`` with a trailing dash, and the character before it, made harmless, as the server does it."""
    return prefix[:-2] + "a" if len(prefix) > 1 and prefix.endswith("-") else prefix


def _is_subdomain(text: str) -> bool:
    return len(text) <= NAME_LIMIT and _SUBDOMAIN.fullmatch(text) is not None


@lru_cache(maxsize=4096)
def is_qualified_name(text: str) -> bool:
    """A label key, annotation key (in lower case) or finalizer: a name with an optional domain before a slash."""
    prefix, slash, name = text.rpartition("/")
    if slash and not _is_subdomain(prefix):
        return False
    return len(name) <= LABEL_LIMIT and _KEY_NAME.fullmatch(name) is not None


def _label_faults(labels: JsonValue) -> Iterator[Fault]:
    if not isinstance(labels, dict):
        return
    for key, value in labels.items():
        path: Path = ("metadata", "labels", key)
        if not is_qualified_name(key):
            yield Fault(checks.INVALID_LABEL, path, key, "key")
        if isinstance(value, str) and value and not (len(value) <= LABEL_LIMIT and _KEY_NAME.fullmatch(value)):
            yield Fault(checks.INVALID_LABEL, path, value, "value")


def _annotation_faults(annotations: JsonValue) -> Iterator[Fault]:
    if not isinstance(annotations, dict):
        return
    size = 0
    for key, value in annotations.items():
        size += len(key.encode()) + (len(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else 0)
        if not is_qualified_name(key.lower()):
            yield Fault(checks.INVALID_ANNOTATION, ("metadata", "annotations", key), key, "key")
    if size > ANNOTATIONS_LIMIT:
        yield Fault(checks.INVALID_ANNOTATION, ("metadata", "annotations"), size, "size")


def _finalizer_faults(finalizers: JsonValue) -> Iterator[Fault]:
    if not isinstance(finalizers, list):
        return
    for index, finalizer in enumerate(finalizers):
        if isinstance(finalizer, str) and not is_qualified_name(finalizer):
            yield Fault(checks.INVALID_FINALIZER, ("metadata", "finalizers", index), finalizer, "key")
    if all(collector in finalizers for collector in _COLLECTORS):
        yield Fault(checks.INVALID_FINALIZER, ("metadata", "finalizers"), finalizers, "collectors")


def _owner_faults(owners: JsonValue) -> Iterator[Fault]:
    if not isinstance(owners, list):
        return
    controllers = []
    for index, owner in enumerate(owners):
        if not isinstance(owner, dict):
            continue
        path: Path = ("metadata", "ownerReferences", index)
        for field in ("apiVersion", "kind", "name", "uid"):
            if not owner.get(field):
                yield Fault(checks.INVALID_OWNER, (*path, field), owner.get(field), "present")
        version = owner.get("apiVersion")
        if isinstance(version, str) and (version.count("/") > 1 or version.endswith("/")):
            yield Fault(checks.INVALID_OWNER, (*path, "apiVersion"), version, "version")
        if owner.get("controller") is True:
            controllers.append(index)
    for index in controllers[1:]:
        yield Fault(checks.INVALID_OWNER, ("metadata", "ownerReferences", index, "controller"), True, "single")
