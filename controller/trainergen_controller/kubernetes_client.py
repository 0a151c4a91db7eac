"""The client for a real API server: certificates and tokens from the ``kubernetes`` package, requests as JSON."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import kubernetes.client
import kubernetes.config
import orjson
import urllib3
from kubernetes.client.rest import RESTClientObject

from trainergen_controller.client import Object, Page, WatchEvent
from trainergen_controller.errors import ApiError, UnavailableError, error_of
from trainergen_controller.keepalive import keepalive_options

if TYPE_CHECKING:
    from trainergen_controller.kinds import ApiKind

_JSON = "application/json"
_KEYS = "application/jwk-set+json"
"""The one representation in which an API server has its public keys."""
_APPLY = "application/apply-patch+yaml"
_MERGE = "application/merge-patch+json"
NO_CREDENTIALS: tuple[float, dict[str, str]] = (float("-inf"), {})
ConfigurationError = kubernetes.config.ConfigException
CONNECT_SECONDS = 5.0
TOKEN_SECONDS = 5.0
"""For so long a token is used before the package is asked whether it was rotated."""
WATCH_GRACE = 15.0


def configuration(*, kubeconfig: str | None = None, context: str | None = None) -> kubernetes.client.Configuration:
    """How to reach the cluster: by the Pod's service account when there is one and no file is named, else a kubeconfig.

    Raises ``kubernetes.config.ConfigException`` when there is neither, or the context is unknown.
    """
    made = kubernetes.client.Configuration()
    if kubeconfig is None and context is None:
        try:
            kubernetes.config.load_incluster_config(client_configuration=made)
        except kubernetes.config.ConfigException:
            kubernetes.config.load_kube_config(client_configuration=made)
    else:
        kubernetes.config.load_kube_config(kubeconfig, context=context, client_configuration=made)
    return made


class KubernetesClient:
    """Implements ``client.Client``; several threads share its pool of connections.

    No request is repeated here: whoever made it knows whether that is safe. Half-open connections end by TCP keepalive
    and by the read timeout, which a watch has too.
    """

    def __init__(
        self, configuration: kubernetes.client.Configuration, *, timeout: float = 30.0, connections: int = 32
    ) -> None:
        configuration.connection_pool_maxsize = connections
        configuration.socket_options = keepalive_options()
        configuration.retries = False
        self._configuration = configuration
        self._pool: urllib3.PoolManager = RESTClientObject(configuration).pool_manager
        self._timeout = timeout
        self._watches: set[urllib3.BaseHTTPResponse] = set()
        self._closed = False
        self._authorization: tuple[float, dict[str, str]] = NO_CREDENTIALS

    def get(self, kind: ApiKind, name: str, namespace: str = "") -> Object:
        return self._send("GET", kind.path(namespace, name))

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
        query = {
            "labelSelector": label_selector,
            "limit": str(limit or ""),
            "continue": continue_token,
            "resourceVersion": "" if continue_token else resource_version,
        }
        body = self._send("GET", kind.path(namespace), query=query)
        metadata, items = body.get("metadata"), body.get("items")
        if not isinstance(metadata, dict) or not isinstance(items, list | None):
            raise UnavailableError(f"{kind.plural}: the answer is no list")
        for item in items or []:
            item |= {"apiVersion": kind.api_version, "kind": kind.kind}
        return Page(items or [], str(metadata.get("resourceVersion", "")), str(metadata.get("continue") or ""))

    def watch(
        self,
        kind: ApiKind,
        namespace: str = "",
        *,
        resource_version: str,
        label_selector: str = "",
        timeout: float = 300.0,
    ) -> Iterator[WatchEvent]:
        query = {
            "watch": "true",
            "allowWatchBookmarks": "true",
            "resourceVersion": resource_version,
            "labelSelector": label_selector,
            "timeoutSeconds": str(max(1, round(timeout))),
        }
        response = self._open("GET", kind.path(namespace), query=query, read_seconds=timeout + WATCH_GRACE)
        self._watches.add(response)
        try:
            for line in () if self._closed else _lines(response):
                yield _event(line)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise UnavailableError(f"the watch of {kind.plural} was cut: {error}") from error
        finally:
            self._watches.discard(response)
            # what is left unread would keep the connection from being used again
            response.close()

    def create(
        self, kind: ApiKind, body: Object, namespace: str = "", *, manager: str = "", dry_run: bool = False
    ) -> Object:
        query = {"fieldManager": manager, **_dry(dry_run)}
        return self._send("POST", kind.path(namespace), body=body, query=query)

    def update(self, kind: ApiKind, body: Object, *, subresource: str = "", dry_run: bool = False) -> Object:
        return self._send("PUT", _place(kind, body, subresource), body=body, query=_dry(dry_run))

    def apply(
        self, kind: ApiKind, body: Object, *, manager: str, force: bool, subresource: str = "", dry_run: bool = False
    ) -> Object:
        query = {"fieldManager": manager, "force": "true" if force else "", **_dry(dry_run)}
        return self._send("PATCH", _place(kind, body, subresource), body=body, query=query, content=_APPLY)

    def merge_patch(
        self, kind: ApiKind, name: str, namespace: str, patch: Mapping[str, Any], *, subresource: str = ""
    ) -> Object:
        return self._send("PATCH", kind.path(namespace, name, subresource), body=patch, content=_MERGE)

    def delete(
        self, kind: ApiKind, name: str, namespace: str = "", *, uid: str = "", propagation: str = "Background"
    ) -> None:
        options: dict[str, Any] = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": propagation}
        if uid:
            options["preconditions"] = {"uid": uid}
        self._send("DELETE", kind.path(namespace, name), body=options)

    def raw(self, path: str) -> Object:
        """Any JSON document that the server has, such as ``/version`` or ``/openid/v1/jwks``."""
        return self._send("GET", path, accept=f"{_JSON}, {_KEYS}")

    def close(self) -> None:
        self._closed = True
        for response in list(self._watches):
            try:
                response.shutdown()
            except (OSError, ValueError, RuntimeError):
                continue  # it has ended by itself meanwhile
        self._pool.clear()

    def _send(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
        content: str = _JSON,
        accept: str = _JSON,
    ) -> Object:
        response = self._open(method, path, body=body, query=query, content=content, accept=accept)
        try:
            data = response.read()
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise UnavailableError(f"{method} {path}: {error}") from error
        finally:
            response.release_conn()
        return _object(data, f"{method} {path}")

    def _open(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
        content: str = _JSON,
        accept: str = _JSON,
        read_seconds: float | None = None,
    ) -> urllib3.BaseHTTPResponse:
        """An answer that is no error, its body not yet read."""
        text = urlencode({key: value for key, value in (query or {}).items() if value})
        url = f"{self._configuration.host.rstrip('/')}{path}{'?' if text else ''}{text}"
        seconds = read_seconds or self._timeout
        timeout = urllib3.Timeout(connect=min(CONNECT_SECONDS, seconds), read=seconds)
        data = None if body is None else orjson.dumps(body)
        try:
            response = self._pool.request(
                method,
                url,
                body=data,
                headers={"Accept": accept, **self._headers(content if data is not None else None)},
                timeout=timeout,
                preload_content=False,
                retries=False,
                redirect=False,
            )
            if response.status == 401:
                self._authorization = NO_CREDENTIALS
            if response.status >= 400:
                raise _refusal(response)
        except (urllib3.exceptions.HTTPError, ssl.SSLError, OSError) as error:
            raise UnavailableError(f"{method} {path}: {error}") from error
        return response

    def _headers(self, content: str | None) -> dict[str, str]:
        headers = {"User-Agent": "trainergen-controller", **self._credentials()}
        if content is not None:
            headers["Content-Type"] = content
        return headers

    def _credentials(self) -> dict[str, str]:
        """The headers that say who we are; the package reads a rotated token anew when its time is over."""
        until, headers = self._authorization
        if time.monotonic() >= until:
            settings: dict[str, Any] = dict(self._configuration.auth_settings())
            found = (one for one in settings.values() if one.get("in") == "header" and one.get("value"))
            headers = {one["key"]: one["value"] for one in found}
            self._authorization = (time.monotonic() + TOKEN_SECONDS, headers)
        return headers


def _place(kind: ApiKind, body: Object, subresource: str) -> str:
    metadata = body["metadata"]
    return kind.path(metadata.get("namespace", ""), metadata["name"], subresource)


def _dry(dry_run: bool) -> dict[str, str]:
    return {"dryRun": "All"} if dry_run else {}


def _object(data: bytes, what: str) -> Object:
    try:
        body = orjson.loads(data)
    except ValueError as error:
        raise UnavailableError(f"{what}: the answer is not JSON") from error
    if not isinstance(body, dict):
        raise UnavailableError(f"{what}: the answer is no object")
    return body


def _lines(response: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
    """Whole lines; one that the server did not finish is not an event."""
    rest = b""
    for chunk in response.stream(amt=None, decode_content=True):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line for line in lines if line.strip())


def _event(line: bytes) -> WatchEvent:
    event = _object(line, "watch")
    found = event.get("object")
    if not isinstance(found, dict):
        raise UnavailableError("watch: an event without object")
    if event.get("type") == "ERROR":
        raise _error(found, int(found.get("code") or 500))
    return WatchEvent(str(event.get("type")), found)


def _refusal(response: urllib3.BaseHTTPResponse) -> ApiError:
    try:
        status = orjson.loads(response.read())
    except ValueError:
        status = {}
    finally:
        response.release_conn()
    asked = response.headers.get("Retry-After", "")
    return _error(
        status if isinstance(status, dict) else {}, response.status, float(asked) if asked.isdigit() else None
    )


def _error(status: Mapping[str, Any], code: int, retry_after: float | None = None) -> ApiError:
    details = status.get("details") or {}
    seconds = retry_after if retry_after is not None else details.get("retryAfterSeconds")
    reason, message = str(status.get("reason") or "Unknown"), str(status.get("message") or f"status code {code}")
    return error_of(code, reason, message, retry_after=seconds, details=details)
