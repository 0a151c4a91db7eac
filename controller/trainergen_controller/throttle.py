"""A client that keeps to a number of requests a second, and to what a busy server asks for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from trainergen_controller.errors import TooManyRequestsError

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object, Page, WatchEvent
    from trainergen_controller.clocks import Clock
    from trainergen_controller.kinds import ApiKind
    from trainergen_controller.queue.rate import TokenBucket

_P = ParamSpec("_P")
_R = TypeVar("_R")


class ThrottledClient:
    """Takes a token for each request. After a 429 all threads hold back as long as its Retry-After says, so that a busy
    server gets the rest it asked for; the request itself fails and is tried again by whoever made it."""

    def __init__(
        self,
        client: Client,
        bucket: TokenBucket,
        clock: Clock,
        stop: threading.Event,
        *,
        on_call: Callable[[str], None] | None = None,
    ) -> None:
        self._client = client
        self._on_call = on_call
        self._bucket = bucket
        self._clock = clock
        self._stop = stop
        self._quiet_until = 0.0

    def _call(self, call: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        self._bucket.take(self._stop)
        if (seconds := self._quiet_until - self._clock.monotonic()) > 0:
            self._clock.sleep(self._stop, seconds)
        if self._on_call is not None:
            self._on_call(call.__name__)
        try:
            return call(*args, **kwargs)
        except TooManyRequestsError as error:
            self._quiet_until = self._clock.monotonic() + (error.retry_after or 1.0)
            raise

    def get(self, kind: ApiKind, name: str, namespace: str = "") -> Object:
        return self._call(self._client.get, kind, name, namespace)

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
        return self._call(
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
        return self._call(
            self._client.watch,
            kind,
            namespace,
            resource_version=resource_version,
            label_selector=label_selector,
            timeout=timeout,
        )

    def create(
        self, kind: ApiKind, body: Object, namespace: str = "", *, manager: str = "", dry_run: bool = False
    ) -> Object:
        return self._call(self._client.create, kind, body, namespace, manager=manager, dry_run=dry_run)

    def update(self, kind: ApiKind, body: Object, *, subresource: str = "", dry_run: bool = False) -> Object:
        return self._call(self._client.update, kind, body, subresource=subresource, dry_run=dry_run)

    def apply(
        self, kind: ApiKind, body: Object, *, manager: str, force: bool, subresource: str = "", dry_run: bool = False
    ) -> Object:
        return self._call(
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
        return self._call(self._client.merge_patch, kind, name, namespace, patch, subresource=subresource)

    def delete(
        self, kind: ApiKind, name: str, namespace: str = "", *, uid: str = "", propagation: str = "Background"
    ) -> None:
        self._call(self._client.delete, kind, name, namespace, uid=uid, propagation=propagation)

    def close(self) -> None:
        self._client.close()
