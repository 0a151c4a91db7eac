"""The one module that talks to a cluster: reads through the ``kubernetes`` package, and nothing but reads."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode

import yaml

from trainergen.errors import TrainergenError
from trainergen.upgrade.live.reader import NotFoundError, ReadError

try:
    import kubernetes.client
    import kubernetes.config
    import urllib3
    from kubernetes.client.rest import RESTClientObject
except ImportError as error:  # the base install goes without
    raise TrainergenError(
        "--live needs the package kubernetes, which is not installed",
        hint="Install it with: pip install 'trainergen[controller]'",
    ) from error

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.upgrade.live.reader import Resource

TIMEOUT = 10.0
PAGE = 500
_JSON = "application/json"
METADATA = f"{_JSON};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,{_JSON}"
_VERBS = frozenset({"GET"})
_MALFORMED = (OSError, AttributeError, KeyError, TypeError, ValueError)
"""What the package raises for files of another shape."""
_HINT = "Check the address and the credentials of the context, as with: kubectl --context {} version."


class UnreachableError(ReadError):
    """The cluster gave no answer."""


class WriteRefusedError(Exception):
    """Somebody tried to do something else than to read."""


def connect(context: str, *, kubeconfig: str | None = None, timeout: float = TIMEOUT) -> KubernetesReader:
    """A reader of the cluster of a context, which answers.

    The kubeconfig is that of ``$KUBECONFIG``, several files with the separator of paths between them, or the user's.
    Raises TrainergenError for a context that is not in it, and for a cluster that cannot be reached.
    """
    reader = KubernetesReader(_configuration(context, kubeconfig), context, timeout=timeout)
    try:
        reader.version()
    except ReadError as error:
        raise TrainergenError(
            f"cannot read from the cluster of '{context}': {error}", hint=_HINT.format(context)
        ) from None
    return reader


def _configuration(context: str, kubeconfig: str | None) -> kubernetes.client.Configuration:
    file = kubeconfig or os.environ.get("KUBECONFIG") or None
    made = kubernetes.client.Configuration()
    try:
        contexts, _ = kubernetes.config.list_kube_config_contexts(file)
        names = sorted(str(one["name"]) for one in contexts)
        if context not in names:
            raise TrainergenError(
                f"there is no context '{context}' in the kubeconfig", hint=f"Known contexts: {', '.join(names)}."
            )
        # Nothing is written, not even a token that was renewed.
        kubernetes.config.load_kube_config(file, context, made, persist_config=False)
    except (kubernetes.config.ConfigException, yaml.YAMLError, *_MALFORMED) as error:
        text = str(error).rstrip(".")
        raise TrainergenError(
            f"the kubeconfig cannot be used: {text}", hint="Set KUBECONFIG to the right file."
        ) from error
    return made


class KubernetesReader:
    """Implements ``upgrade.live.ClusterReader``; each request has ``timeout`` seconds, and none is repeated."""

    def __init__(self, configuration: kubernetes.client.Configuration, context: str, *, timeout: float) -> None:
        configuration.retries = False
        self._configuration = configuration
        self._context = context
        self._pool: urllib3.PoolManager = RESTClientObject(configuration).pool_manager
        self._timeout = timeout

    @property
    def context(self) -> str:
        return self._context

    def version(self) -> str:
        return str(self.request("GET", "/version").get("gitVersion", ""))

    def get(self, resource: Resource, name: str, namespace: str = "") -> JsonObject:
        return self.request("GET", resource.path(namespace, name))

    def _pages(self, path: str, query: dict[str, str], metadata_only: bool) -> list[JsonObject]:
        found: list[JsonObject] = []
        token = ""
        while True:
            accept = METADATA if metadata_only else _JSON
            body = self.request("GET", path, {**query, "continue": token}, accept)
            metadata, items = body.get("metadata"), body.get("items")
            if not isinstance(metadata, dict) or not isinstance(items, list | None) or "items" not in body:
                raise ReadError("the answer is no list")
            objects = (item for item in items or () if isinstance(item, dict))
            found += ({"metadata": item.get("metadata")} for item in objects) if metadata_only else objects
            token = str(metadata.get("continue") or "")
            if not token:
                return found

    def list(
        self, resource: Resource, *, namespace: str = "", selector: str = "", metadata_only: bool = False
    ) -> list[JsonObject]:
        query = {"labelSelector": selector, "limit": str(PAGE)}
        try:
            return self._pages(resource.path(namespace), query, metadata_only)
        except _ExpiredError:
            # The list has been changing for longer than the server remembers: all of it at once then.
            return self._pages(resource.path(namespace), {"labelSelector": selector}, metadata_only)

    def request(
        self, method: str, path: str, query: dict[str, str] | None = None, accept: str = _JSON
    ) -> dict[str, Any]:
        """One request; raises WriteRefusedError for any method that could change something, and ReadError."""
        if method not in _VERBS:
            raise WriteRefusedError(f"{method} {path}: only reads are allowed here")
        text = urlencode({key: value for key, value in (query or {}).items() if value})
        url = f"{self._configuration.host.rstrip('/')}{path}{'?' if text else ''}{text}"
        timeout = urllib3.Timeout(total=self._timeout)
        try:
            answer = self._pool.request(
                method, url, headers=self._headers(accept), timeout=timeout, retries=False, redirect=False
            )
        except urllib3.exceptions.NewConnectionError as error:
            raise UnreachableError(f"no connection: {_cause(error)}") from error
        except urllib3.exceptions.TimeoutError:
            raise UnreachableError(f"no answer within {self._timeout:g} s") from None
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise UnreachableError(f"no connection: {_cause(error)}") from error
        return _object(answer.status, answer.data)

    def _headers(self, accept: str) -> dict[str, str]:
        headers = {"Accept": accept, "User-Agent": "trainergen-upgrade"}
        # Asked for each time: the package renews what has run out.
        settings: dict[str, Any] = dict(self._configuration.auth_settings())
        for setting in settings.values():
            if setting.get("in") == "header" and setting.get("value"):
                headers[setting["key"]] = setting["value"]
        return headers


class _ExpiredError(ReadError):
    """The rest of a list cannot be had any more."""


def _object(code: int, data: bytes) -> dict[str, Any]:
    try:
        body = json.loads(data)
    except ValueError:
        body = None
    if code >= 300:
        message = str(body.get("message") or "") if isinstance(body, dict) else ""
        raise _refusal(code, message)
    if not isinstance(body, dict):
        raise ReadError("the answer is not a JSON object")
    return cast("dict[str, Any]", body)


def _refusal(code: int, message: str) -> ReadError:
    tail = f": {message}" if message else ""
    match code:
        case 401:
            return ReadError(f"the credentials are not accepted{tail}")
        case 403:
            return ReadError(f"not allowed{tail}")
        case 404:
            return NotFoundError(message or "not found")
        case 410:
            return _ExpiredError(message or "the list has changed meanwhile")
    return ReadError(f"the server answered {code}{tail}")


def _cause(error: Exception) -> str:
    """The reason at the bottom, without the objects that the library prints into it."""
    reason = getattr(error, "reason", None)
    return str(reason if reason is not None else error).rpartition(": ")[2] or type(error).__name__
