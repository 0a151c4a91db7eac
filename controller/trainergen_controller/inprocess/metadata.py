"""The part of an object's metadata that only the server sets: identity, generation, deletion."""

from __future__ import annotations

import base64
import hashlib
from copy import copy
from typing import TYPE_CHECKING, Any

from trainergen_controller import kinds
from trainergen_controller.inprocess.merging import same

if TYPE_CHECKING:
    from trainergen_controller.client import Object
    from trainergen_controller.inprocess.resources import Resource
    from trainergen_controller.kinds import ApiKind

NAME_LIMIT, SUFFIX = 63, 5
_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"
_KEPT = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink")
_OMITTED = ("labels", "annotations", "finalizers", "ownerReferences")
FOREGROUND, ORPHAN = "foregroundDeletion", "orphan"


def metadata_of(obj: Object) -> dict[str, Any]:
    """The metadata of an object, empty if it has none."""
    metadata = obj.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def born(resource: Resource, body: Object, *, uid: str, time: str) -> Object:
    """A new object with its identity; its status, if that is a subresource, is not part of it."""
    metadata = {key: value for key, value in metadata_of(body).items() if key not in (*_KEPT, "resourceVersion")}
    if not metadata.get("name") and isinstance(prefix := metadata.get("generateName"), str) and prefix:
        metadata["name"] = generated(prefix, uid)
    metadata |= {"uid": uid, "creationTimestamp": time}
    if resource.is_custom:
        metadata["generation"] = 1
    obj = {**body, "metadata": metadata}
    if resource.has_status and resource.is_custom:
        obj.pop("status", None)
    return obj


def generated(prefix: str, uid: str) -> str:
    """The name that an object with ``generateName`` gets."""
    digest = hashlib.sha256(uid.encode()).digest()
    suffix = "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in digest[:SUFFIX])
    return prefix[: NAME_LIMIT - SUFFIX] + suffix


def trimmed(obj: Object) -> Object:
    """Without empty lists and maps in the metadata, which the server does not keep."""
    metadata = metadata_of(obj)
    if all(metadata.get(key, True) for key in _OMITTED):
        return obj
    return {**obj, "metadata": {key: value for key, value in metadata.items() if value or key not in _OMITTED}}


def completed(kind: ApiKind, obj: Object) -> Object:
    """What the server adds to objects of some kinds as soon as it has read them."""
    if kind == kinds.NAMESPACE:
        name = metadata_of(obj).get("name", "")
        labels = {"kubernetes.io/metadata.name": name, **(metadata_of(obj).get("labels") or {})}
        obj = {**obj, "metadata": {**metadata_of(obj), "labels": labels}}
        return {"spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}, **obj}
    if kind == kinds.SECRET:
        return {"type": "Opaque", **encoded(obj)}
    return obj


def encoded(obj: Object) -> Object:
    """A Secret with its ``stringData`` moved to ``data``."""
    plain = obj.get("stringData") or {}
    if "stringData" not in obj:
        return obj
    data = {key: base64.b64encode(str(value).encode()).decode() for key, value in plain.items()}
    rest = {key: value for key, value in obj.items() if key != "stringData"}
    return {**rest, "data": {**(obj.get("data") or {}), **data}}


def changed(resource: Resource, current: Object, body: Object, *, subresource: str) -> Object:
    """``body`` in place of ``current``, as far as a request at that place reaches."""
    part = dict(current if subresource else body)
    if resource.has_status:
        source = body if subresource else current
        part.pop("status", None)
        if "status" in source:
            part["status"] = source["status"]
    kept = {key: value for key, value in metadata_of(current).items() if key in _KEPT}
    sent = metadata_of(current if subresource else body)
    metadata = {key: value for key, value in sent.items() if key not in _KEPT} | kept
    # Another identity than the stored one is left in place: it is refused as a change of what cannot be changed.
    metadata |= {key: sent[key] for key in ("uid", "creationTimestamp") if sent.get(key)}
    metadata["resourceVersion"] = metadata_of(current)["resourceVersion"]
    return {**part, "metadata": metadata}


def counted(resource: Resource, current: Object, new: Object) -> Object:
    """``new`` with the generation that it has if anything but metadata and status differs."""
    if not resource.is_custom or same(_content(resource, current), _content(resource, new)):
        return new
    generation = int(metadata_of(current).get("generation") or 0) + 1
    return {**new, "metadata": {**new["metadata"], "generation": generation}}


def _content(resource: Resource, obj: Object) -> Object:
    left_out = ("metadata", "status") if resource.has_status else ("metadata",)
    return {key: value for key, value in obj.items() if key not in left_out}


def doomed(obj: Object, *, time: str, propagation: str) -> Object:
    """An object that is to be deleted, with what has to happen first as finalizers."""
    metadata = copy(obj["metadata"])
    finalizers = [one for one in metadata.get("finalizers") or () if one not in (FOREGROUND, ORPHAN)]
    finalizers += {"Foreground": [FOREGROUND], "Orphan": [ORPHAN]}.get(propagation, [])
    metadata.pop("finalizers", None)
    if finalizers:
        metadata["finalizers"] = finalizers
    if not metadata.get("deletionTimestamp"):
        metadata |= {"deletionTimestamp": time, "deletionGracePeriodSeconds": 0}
        if metadata.get("generation"):
            metadata["generation"] += 1
    return {**obj, "metadata": metadata}


def may_go(obj: Object) -> bool:
    """Is there nothing left to wait for?"""
    return not metadata_of(obj).get("finalizers")
