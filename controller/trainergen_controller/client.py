"""What the controller asks of an API server; a real one and the in-process one both answer to this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from trainergen_controller.kinds import ApiKind

Object: TypeAlias = dict[str, Any]


class Page(NamedTuple):
    """One page of a list."""

    items: list[Object]
    resource_version: str
    continue_token: str = ""
    """Not empty: ask again with it for the next page."""


class WatchEvent(NamedTuple):
    """ADDED, MODIFIED, DELETED or BOOKMARK with its object; an ERROR is raised as an ApiError instead."""

    type: str
    object: Object


class Client(Protocol):
    """Requests to one API server.

    All raise ``errors.ApiError`` for its refusals and ``errors.UnavailableError`` without an answer.

    Objects are JSON values as the server writes them, ``apiVersion`` and ``kind`` included (also in lists and events).
    Implementations are safe to use from several threads.
    """

    def get(self, kind: ApiKind, name: str, namespace: str = "") -> Object:
        """The object; NotFoundError without."""

    def list(
        self,
        kind: ApiKind,
        namespace: str = "",
        *,
        label_selector: str = "",
        limit: int = 0,
        continue_token: str = "",
        resource_version: str = "",
    ) -> Page:
        """One page of the objects of a namespace, or of all; GoneError if the token has expired."""

    def watch(
        self,
        kind: ApiKind,
        namespace: str = "",
        *,
        resource_version: str,
        label_selector: str = "",
        timeout: float = 300.0,
    ) -> Iterator[WatchEvent]:
        """Changes since a version, bookmarks included, until the server ends the watch after about ``timeout`` seconds.

        GoneError if the version is too old, at the start or within the stream.
        """

    def create(
        self, kind: ApiKind, body: Object, namespace: str = "", *, manager: str = "", dry_run: bool = False
    ) -> Object:
        """The object as stored; AlreadyExistsError if there is one of that name.

        ``manager`` is noted as the owner of its fields, instead of a name that the server makes up.
        """

    def update(self, kind: ApiKind, body: Object, *, subresource: str = "", dry_run: bool = False) -> Object:
        """Replaces an object (PUT); ConflictError if ``metadata.resourceVersion`` is given and not the current one."""

    def apply(
        self, kind: ApiKind, body: Object, *, manager: str, force: bool, subresource: str = "", dry_run: bool = False
    ) -> Object:
        """Server-side apply; ConflictError without ``force`` if other managers own a field with another value."""

    def merge_patch(
        self, kind: ApiKind, name: str, namespace: str, patch: Mapping[str, Any], *, subresource: str = ""
    ) -> Object:
        """JSON merge patch (RFC 7386); a ``metadata.resourceVersion`` in it is a precondition."""

    def delete(
        self, kind: ApiKind, name: str, namespace: str = "", *, uid: str = "", propagation: str = "Background"
    ) -> None:
        """Deletes an object; with ``uid`` only that very one, else ConflictError."""

    def close(self) -> None:
        """Ends all watches that are open, at once, and lets go of connections."""
