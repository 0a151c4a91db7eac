"""Carries out what a pass has decided, through a client that asks the fence before each write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen_controller.cache import Key, Store
from trainergen_controller.errors import (
    AlreadyExistsError,
    ApiError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    UnavailableError,
    wait_asked,
)
from trainergen_controller.kinds import TRAIN_JOB, ApiKind
from trainergen_controller.logs import logger

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object
    from trainergen_controller.passes.actions import Actions, Apply, Delete, Patch

_LOG = logger("applier")


@dataclass(frozen=True, slots=True)
class Failure:
    """A write that did not succeed; ``retry_after`` is what the server asks to wait, in seconds."""

    message: str
    retry_after: float = 0.0
    creating: bool = False
    """It was one of the objects that the pass creates, which the Trainer tells by an Event."""
    stale: bool = False
    """Only our copy was old: try again without a word."""


@dataclass(frozen=True, slots=True)
class Applier:
    """Writes, and puts the answers into the cache, so that the next pass sees what this one did.

    Raises ``lease.NotLeadingError`` as soon as this replica may not write; what was written until then is right, since
    every pass decides from what is there.
    """

    client: Client
    stores: Mapping[ApiKind, Store]

    def carry_out(self, about: Object, actions: Actions) -> list[Failure]:
        """All actions but Events; the first object that cannot be applied stops those after it, and nothing else."""
        failures = [failure for patch in actions.patches if (failure := self._patch(patch))]
        for apply in actions.applies:
            if (failure := self._apply(apply)) is not None:
                failures.append(failure)
                break
        failures += [failure for delete in actions.deletes if (failure := self._delete(delete))]
        if actions.status_patch is not None and (failure := self._status(about, actions.status_patch)):
            failures.append(failure)
        return failures

    def _apply(self, apply: Apply) -> Failure | None:
        name = f"{apply.kind.kind} {apply.object['metadata']['name']}"
        try:
            self._keep(apply.kind, self._send(apply))
        except _RefusedError as refused:
            return Failure(f"{name}: {refused}", creating=True)
        except (ApiError, UnavailableError) as error:
            return _failure(f"{name}: {error}", error, creating=True)
        return None

    def _send(self, apply: Apply) -> Object:
        if apply.once:
            namespace = apply.object["metadata"].get("namespace", "")
            return self.client.create(apply.kind, apply.object, namespace, manager=apply.manager)
        try:
            return self.client.apply(apply.kind, _same(apply.object, apply.uid), manager=apply.manager, force=True)
        except (InvalidError, ForbiddenError) as error:
            if apply.fallback is None:
                raise
            fallback = _same(apply.fallback, apply.uid)
            answer = self.client.apply(apply.kind, fallback, manager=apply.manager, force=True)
            self._keep(apply.kind, answer)
            raise _RefusedError(f"{error}; applied without {', '.join(apply.refused)}") from error

    def _patch(self, patch: Patch) -> Failure | None:
        body = dict(patch.patch)
        if patch.resource_version:
            body["metadata"] = {**body.get("metadata", {}), "resourceVersion": patch.resource_version}
        try:
            self._keep(patch.kind, self.client.merge_patch(patch.kind, patch.name, patch.namespace, body))
        except NotFoundError:
            return None
        except (ApiError, UnavailableError) as error:
            return _failure(f"{patch.kind.kind} {patch.name}: {error}", error)
        return None

    def _delete(self, delete: Delete) -> Failure | None:
        try:
            self.client.delete(delete.kind, delete.name, delete.namespace, uid=delete.uid)
        except NotFoundError:
            pass
        except (ApiError, UnavailableError) as error:
            return _failure(f"{delete.kind.kind} {delete.name}: {error}", error)
        if (store := self.stores.get(delete.kind)) is not None:
            store.remove(Key(delete.namespace, delete.name), delete.uid)
        return None

    def _status(self, about: Object, patch: Object) -> Failure | None:
        """The version seen is a precondition: a merge patch replaces all conditions, and must not undo another's."""
        metadata = about["metadata"]
        body = {**patch, "metadata": {"resourceVersion": metadata.get("resourceVersion", "")}}
        try:
            answer = self.client.merge_patch(
                TRAIN_JOB, metadata["name"], metadata.get("namespace", ""), body, subresource="status"
            )
        except NotFoundError:
            return None
        except (ApiError, UnavailableError) as error:
            return _failure(f"status of TrainJob {metadata['name']}: {error}", error)
        self._keep(TRAIN_JOB, answer)
        return None

    def _keep(self, kind: ApiKind, answer: Object) -> None:
        if (store := self.stores.get(kind)) is not None and "metadata" in answer:
            store.put({**answer, "apiVersion": kind.api_version, "kind": kind.kind}, own=True)


class _RefusedError(Exception):
    """The object was refused, and as much of it as the server takes was applied."""


def _same(body: Object, uid: str) -> Object:
    """With the uid as a precondition, which the API server takes for a conflict if it is another one's or nobody's."""
    return {**body, "metadata": {**body["metadata"], "uid": uid}} if uid else body


def _failure(message: str, error: ApiError | UnavailableError, *, creating: bool = False) -> Failure:
    stale = isinstance(error, ConflictError | AlreadyExistsError)
    if not stale:
        _LOG.warning("write failed", error=message)
    return Failure(message, wait_asked(error), creating and not stale, stale)
