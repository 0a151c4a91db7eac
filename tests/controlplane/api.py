"""A plain HTTP client of the API server: what the tests say to it goes out as it is."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
TIMEOUT = 60.0


class NoAnswerError(Exception):
    """The connection gave no answer."""


class Answer(NamedTuple):
    """A status code with the object, or the Status, that came with it."""

    code: int
    body: Any
    headers: Mapping[str, str] = {}

    @property
    def ok(self) -> bool:
        """Did the server do what was asked?"""
        return self.code < 300

    @property
    def causes(self) -> list[tuple[str, str]]:
        """Reason and field of everything that is wrong with an object, as a refusal lists it."""
        details = self.body.get("details") or {}
        return [(cause.get("reason", ""), cause.get("field", "")) for cause in details.get("causes", ())]


class Api:
    """Requests over one connection, which is opened again when it is gone; not for several threads."""

    def __init__(self, url: str, token: str, context: ssl.SSLContext | None) -> None:
        self._address = urlsplit(url)
        self._token = token
        self._context = context
        self._connection: http.client.HTTPConnection | None = None

    def __enter__(self) -> Api:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def request(self, method: str, path: str, body: Any = None, *, content_type: str = JSON, **query: str) -> Answer:
        """One request; NoAnswerError without an answer."""
        target = f"{path}?{urlencode(query)}" if query else path
        raw = None if body is None else json.dumps(body).encode()
        try:
            response = self._send(method, target, raw, content_type)
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise NoAnswerError(str(error)) from error
        is_json = response.headers.get_content_type() == JSON
        body = json.loads(content) if is_json and content else content.decode()
        return Answer(response.status, body, dict(response.headers))

    def apply(self, path: str, body: Any, *, manager: str = "tests", force: bool = True, **query: str) -> Answer:
        """Server-side apply."""
        forced = {"force": "true"} if force else {}
        return self.request("PATCH", path, body, content_type=APPLY_PATCH, fieldManager=manager, **forced, **query)

    def merge_patch(self, path: str, body: Any, **query: str) -> Answer:
        """JSON merge patch."""
        return self.request("PATCH", path, body, content_type=MERGE_PATCH, **query)

    def watch(self, path: str, **query: str) -> Iterator[Any]:
        """The events of a watch until the server ends it; NoAnswerError if it breaks off. Takes the connection."""
        try:
            for line in self._send("GET", f"{path}?{urlencode({'watch': '1', **query})}", None, JSON):
                yield json.loads(line)
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError(str(error)) from error
        finally:
            self.close()

    def _send(self, method: str, target: str, raw: bytes | None, content_type: str) -> http.client.HTTPResponse:
        if self._connection is None:
            self._connection = self._connect()
        headers = {"Authorization": f"Bearer {self._token}", "Accept": JSON}
        if raw is not None:
            headers["Content-Type"] = content_type
        self._connection.request(method, target, raw, headers)
        return self._connection.getresponse()

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._address.hostname or "", self._address.port
        if self._context is not None:
            return http.client.HTTPSConnection(host, port, timeout=TIMEOUT, context=self._context)
        return http.client.HTTPConnection(host, port, timeout=TIMEOUT)
