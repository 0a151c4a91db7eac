"""Garbage collection by owner references: in a cluster a controller's work, here done with the deletion itself.

Behaviour: kubernetes/kubernetes pkg/controller/garbagecollector @ v1.35.0, without its delays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from trainergen_controller import kinds
from trainergen_controller.inprocess.metadata import FOREGROUND, ORPHAN, metadata_of

if TYPE_CHECKING:
    from trainergen_controller.client import Object
    from trainergen_controller.inprocess.storage import Place, Storage
    from trainergen_controller.kinds import ApiKind


class Hands(Protocol):
    """What a collector does to objects."""

    def discard(self, kind: ApiKind, place: Place, propagation: str) -> None:
        """Deletes an object that may be gone already."""

    def rewrite(self, kind: ApiKind, current: Object, metadata: dict[str, Any]) -> None:
        """Changes an object's metadata."""


def follow(storage: Storage, hands: Hands, doomed: Object) -> None:
    """Does what an object waits for that is marked for deletion."""
    metadata = metadata_of(doomed)
    finalizers = metadata.get("finalizers") or ()
    if ORPHAN in finalizers:
        for kind, dependent in list(_dependents(storage, metadata["uid"])):
            _disown(hands, kind, dependent, metadata["uid"])
        _release(hands, storage, doomed, ORPHAN)
    elif FOREGROUND in finalizers:
        _discard_dependents(storage, hands, metadata["uid"], "Foreground")
        _release_if_alone(storage, hands, doomed)


def collect(storage: Storage, hands: Hands, gone: Object) -> None:
    """Does what follows from an object that is gone."""
    metadata = metadata_of(gone)
    if gone["kind"] == kinds.NAMESPACE.kind:
        for kind, found in list(storage.every()):
            if metadata_of(found).get("namespace") == metadata["name"]:
                hands.discard(kind, (metadata["name"], found["metadata"]["name"]), "Background")
    _discard_dependents(storage, hands, metadata["uid"], "Background")
    owners = {reference["uid"] for reference in metadata.get("ownerReferences") or ()}
    for _, found in list(storage.every()):
        waits = FOREGROUND in (metadata_of(found).get("finalizers") or ())
        if waits and metadata_of(found)["uid"] in owners:
            _release_if_alone(storage, hands, found)


def _discard_dependents(storage: Storage, hands: Hands, uid: str, propagation: str) -> None:
    """Deletes what nobody else owns; what has another owner only loses the reference."""
    alive = {metadata_of(found)["uid"] for _, found in storage.every()} - {uid}
    for kind, dependent in list(_dependents(storage, uid)):
        references = metadata_of(dependent)["ownerReferences"]
        if any(reference["uid"] in alive for reference in references):
            _disown(hands, kind, dependent, uid)
        else:
            place = metadata_of(dependent).get("namespace", ""), metadata_of(dependent)["name"]
            hands.discard(kind, place, propagation)


def _release_if_alone(storage: Storage, hands: Hands, owner: Object) -> None:
    uid = metadata_of(owner)["uid"]
    blocking = (
        reference.get("blockOwnerDeletion")
        for _, dependent in _dependents(storage, uid)
        for reference in metadata_of(dependent)["ownerReferences"]
        if reference["uid"] == uid
    )
    if not any(blocking):
        _release(hands, storage, owner, FOREGROUND)


def _release(hands: Hands, storage: Storage, obj: Object, finalizer: str) -> None:
    for kind, found in list(storage.every()):
        metadata = metadata_of(found)
        if metadata["uid"] == metadata_of(obj)["uid"]:
            left = [one for one in metadata.get("finalizers") or () if one != finalizer]
            hands.rewrite(kind, found, {**metadata, "finalizers": left})


def _disown(hands: Hands, kind: ApiKind, dependent: Object, uid: str) -> None:
    metadata = metadata_of(dependent)
    left = [reference for reference in metadata["ownerReferences"] if reference["uid"] != uid]
    hands.rewrite(kind, dependent, {**metadata, "ownerReferences": left})


def _dependents(storage: Storage, uid: str) -> Iterator[tuple[ApiKind, Object]]:
    for kind, found in storage.every():
        if any(reference.get("uid") == uid for reference in metadata_of(found).get("ownerReferences") or ()):
            yield kind, found
