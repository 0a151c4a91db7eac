"""A client in front of another one, to be told apart by what it does before it passes a request on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object, Page, WatchEvent
    from trainergen_controller.kinds import ApiKind

P = ParamSpec("P")
R = TypeVar("R")


class WrappedClient:
    """Implements ``client.Client`` by another client; what a subclass adds it does in ``_read`` and ``_write``, and in
    ``_stream`` for what comes of a watch later."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def _read(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return call(*args, **kwargs)

    def _write(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return call(*args, **kwargs)

    def _stream(self, events: Iterator[WatchEvent]) -> Iterator[WatchEvent]:
        return events

    def get(self, kind: ApiKind, name: str, namespace: str = "") -> Object:
        return self._read(self._client.get, kind, name, namespace)

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
        return self._read(
            self._client.list,
            kind,
            namespace,
            label_selector=label_selector,
            limit=limit,
            continue_token=continue_token,
            resource_version=resource_version,
        )

    def watch(
        self,
        kind: ApiKind,
        namespace: str = "",
        *,
        resource_version: str,
        label_selector: str = "",
        timeout: float = 300.0,
    ) -> Iterator[WatchEvent]:
        events = self._read(
            self._client.watch,
            kind,
            namespace,
            resource_version=resource_version,
            label_selector=label_selector,
            timeout=timeout,
        )
        return self._stream(events)

    def create(
        self, kind: ApiKind, body: Object, namespace: str = "", *, manager: str = "", dry_run: bool = False
    ) -> Object:
        return self._write(self._client.create, kind, body, namespace, manager=manager, dry_run=dry_run)

    def update(self, kind: ApiKind, body: Object, *, subresource: str = "", dry_run: bool = False) -> Object:
        return self._write(self._client.update, kind, body, subresource=subresource, dry_run=dry_run)

    def apply(
        self, kind: ApiKind, body: Object, *, manager: str, force: bool, subresource: str = "", dry_run: bool = False
    ) -> Object:
        return self._write(
            self._client.apply,
            kind,
            body,
            manager=manager,
            force=force,
            subresource=subresource,
            dry_run=dry_run,
        )

    def merge_patch(
        self, kind: ApiKind, name: str, namespace: str, patch: Mapping[str, Any], *, subresource: str = ""
    ) -> Object:
        return self._write(self._client.merge_patch, kind, name, namespace, patch, subresource=subresource)

    def delete(
        self, kind: ApiKind, name: str, namespace: str = "", *, uid: str = "", propagation: str = "Background"
    ) -> None:
        self._write(self._client.delete, kind, name, namespace, uid=uid, propagation=propagation)

    def close(self) -> None:
        self._client.close()
