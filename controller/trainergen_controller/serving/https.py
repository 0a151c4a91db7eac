"""An HTTPS server in a thread: POST only, bodies of limited size, certificates read again when they change."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from aiohttp import web

from trainergen_controller.logs import logger

_LOG = logger("https")
_REQUEST_SECONDS = 10.0
_IDLE_SECONDS = 120.0
_REFRESH_SECONDS = 10.0


class Request(NamedTuple):
    """What came in; ``body`` is None if it is longer than allowed."""

    path: str
    """As it was sent, so that who takes it apart decodes its steps."""
    headers: Mapping[str, str]
    """By names in lower case."""
    body: bytes | None
    declared_too_long: bool = False
    """The length was said beforehand, so that nothing of the body was read."""


class Response(NamedTuple):
    """What goes out, as JSON."""

    code: int
    body: Mapping[str, Any]


Route: TypeAlias = Callable[[Request], Response]


class Certificates:
    """A certificate chain and key in two files, read again when either changes, as mounted Secrets do."""

    def __init__(self, chain: Path, key: Path) -> None:
        self._chain = chain
        self._key = key
        self._seen: tuple[int, int] = (0, 0)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.refresh()

    def refresh(self) -> None:
        """Loads the files if they are others than before; keeps what it has while they do not fit together.

        Raises OSError or ``ssl.SSLError`` the first time.
        """
        try:
            seen = (self._chain.stat().st_mtime_ns, self._key.stat().st_mtime_ns)
            if seen != self._seen:
                # a chain that the key does not fit would take the key out of the context that serves
                ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self._chain, self._key)
                self.context.load_cert_chain(self._chain, self._key)
                self._seen = seen
        except (OSError, ssl.SSLError) as error:
            if self._seen == (0, 0):
                raise
            _LOG.warning("certificate not read again", error=str(error))


@dataclass(slots=True)
class HttpsServer:
    """Answers every POST by ``route``, which runs in a pool of threads; any other method is 404, as for the Trainer's.

    Plain HTTP without ``certificates``, for a proxy in front or for tests.
    """

    address: tuple[str, int]
    route: Route
    limit: int
    """Bytes of a body."""
    name: str
    certificates: Certificates | None = None
    threads: int = 8
    port: int = 0
    """The one it listens on, once started; chosen by the system if the address said 0."""
    _loop: asyncio.AbstractEventLoop | None = None
    _ended: asyncio.Event | None = None
    _started: threading.Event = field(default_factory=threading.Event)
    _failure: BaseException | None = None
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins to answer; raises OSError if the address cannot be had."""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name=self.name)
        self._thread.start()
        self._started.wait()
        if self._failure is not None:
            self._thread.join()
            raise self._failure

    def close(self) -> None:
        """Ends, and waits for answers under way."""
        if self._loop is not None and self._ended is not None and self._thread is not None:
            with contextlib.suppress(RuntimeError):  # its loop is closed already
                self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join()

    @property
    def is_alive(self) -> bool:
        """Whether it answers."""
        return self._thread is not None and self._thread.is_alive()

    async def _serve(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        try:
            async with self._listening():
                self._started.set()
                while not self._ended.is_set():
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._ended.wait(), _REFRESH_SECONDS)
                    if self.certificates is not None:
                        self.certificates.refresh()
        except OSError as error:
            self._failure = error
        finally:
            self._started.set()

    @contextlib.asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        with concurrent.futures.ThreadPoolExecutor(self.threads, thread_name_prefix=self.name) as pool:
            server = web.Server(
                lambda request: self._handle(request, pool), keepalive_timeout=_IDLE_SECONDS, auto_decompress=False
            )
            runner = web.ServerRunner(server, shutdown_timeout=_REQUEST_SECONDS)
            await runner.setup()
            try:
                context = None if self.certificates is None else self.certificates.context
                site = web.TCPSite(runner, *self.address, ssl_context=context, reuse_address=True)
                await site.start()
                self.port = int(runner.addresses[0][1])
                yield
            finally:
                await _ended(runner, server)

    async def _handle(self, request: web.BaseRequest, pool: concurrent.futures.Executor) -> web.StreamResponse:
        if request.method != "POST":
            return _json(not_found())
        try:
            made = await asyncio.wait_for(self._read(request), _REQUEST_SECONDS)
        except TimeoutError:
            return _json(Response(408, status(408, "Timeout", "the body did not arrive in time")))
        except (web.RequestPayloadError, ConnectionError):
            return _json(Response(400, status(400, "BadRequest", "the body did not arrive as a whole")))
        try:
            response = await asyncio.get_running_loop().run_in_executor(pool, self.route, made)
        except Exception as error:
            _LOG.error("request failed unexpectedly", path=request.path, error=repr(error))
            response = Response(500, status(500, "InternalError", "the request could not be answered"))
        return _json(response)

    async def _read(self, request: web.BaseRequest) -> Request:
        headers = {name.lower(): value for name, value in request.headers.items()}
        path = request.rel_url.raw_path
        if (request.content_length or 0) > self.limit:
            return Request(path, headers, None, declared_too_long=True)
        parts, length = [], 0
        async for part in request.content.iter_chunked(65536):
            length += len(part)
            if length > self.limit:
                return Request(path, headers, None)
            parts.append(part)
        return Request(path, headers, b"".join(parts))


async def _ended(runner: web.ServerRunner, server: web.Server) -> None:
    """Waits for answers under way, then cuts connections: over TLS a client that keeps one open would have to agree."""
    transports = [connection.transport for connection in server.connections]
    await runner.cleanup()
    for transport in transports:
        if isinstance(transport, asyncio.WriteTransport):
            transport.abort()
    for _ in range(3):  # what is cut is closed in the loop's next rounds
        await asyncio.sleep(0)


def _json(response: Response) -> web.Response:
    return web.json_response(response.body, status=response.code)


def not_found() -> Response:
    """What is said of a path or method that is not served."""
    return Response(404, status(404, "NotFound", "the server could not find the requested resource"))


def status(code: int, reason: str, message: str) -> dict[str, Any]:
    """A Kubernetes Status that says what went wrong."""
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "reason": reason,
        "code": code,
    }
