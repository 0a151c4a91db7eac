"""The in-process server over plain HTTP on the loopback, with faults as a network and a server make them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import yaml

from trainergen_controller.errors import ApiError, GoneError, error_of
from trainergen_controller.inprocess import faults
from trainergen_controller.inprocess.client import REASONS
from trainergen_controller.inprocess.requests import Answer, Asked, Requests, status_of

if TYPE_CHECKING:
    from trainergen_controller.inprocess.faults import CutWatch, Fault
    from trainergen_controller.inprocess.routes import Route
    from trainergen_controller.inprocess.server import InProcessServer

_HEALTH = ("/healthz", "/livez", "/readyz")


class HttpServer:
    """Serves an ``InProcessServer``; ``with`` starts it on a free port and stops it, watches included."""

    def __init__(self, server: InProcessServer, *, port: int = 0) -> None:
        self._server = server
        self._listener = _Listener(("127.0.0.1", port), server)
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.05,), name="inprocess-http")

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._listener.server_address[1]}"

    def __enter__(self) -> HttpServer:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._listener.stopping.set()
        self._server.cut_watches()
        self._listener.shutdown()
        self._listener.server_close()
        self._thread.join()


class _Listener(ThreadingHTTPServer):
    # Connections that a client keeps open would hold up a stop; what they wait for is ended by ``stopping``.
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], server: InProcessServer) -> None:
        super().__init__(address, _Handler)
        self.faults = server.faults
        self.requests = Requests(server)
        self.stopping = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away in the middle is everyday."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listener

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is given
        """Says nothing."""

    def do_GET(self) -> None:
        """Reads, and watches."""
        self._handle()

    def do_POST(self) -> None:
        """Creates."""
        self._handle()

    def do_PUT(self) -> None:
        """Replaces."""
        self._handle()

    def do_PATCH(self) -> None:
        """Patches and applies."""
        self._handle()

    def do_DELETE(self) -> None:
        """Deletes."""
        self._handle()

    def _handle(self) -> None:
        try:
            asked = self._asked()
            known = Answer(200, {}) if asked.path in _HEALTH else self._described(asked)
            if known is not None:
                self._send(known)
                return
            route = self.server.requests.routes.find(asked.path)
            verb = self.server.requests.verb(asked, route)
            self._play(self._fault(verb, asked, route), verb, asked, route)
        except ApiError as error:
            self._send(Answer(error.code, status_of(error)), retry_after=error.retry_after)

    def _asked(self) -> Asked:
        parts = urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        agent = self.headers.get("User-Agent", "").split("/")[0]
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        return Asked(self.command, parts.path, query, self.headers.get_content_type(), agent, _decoded(raw))

    def _described(self, asked: Asked) -> Answer | None:
        document = self.server.requests.routes.described(asked.path) if asked.method == "GET" else None
        return None if document is None else Answer(200, document)

    def _fault(self, verb: str, asked: Asked, route: Route) -> Fault | None:
        body = asked.body if isinstance(asked.body, dict) else {}
        name = route.name or str((body.get("metadata") or {}).get("name") or "")
        return self.server.faults.next(verb, route.kind.plural, name)

    def _play(self, fault: Fault | None, verb: str, asked: Asked, route: Route) -> None:
        match fault:
            case faults.Refuse(code, reason, retry_after, message):
                raise error_of(code, reason or REASONS.get(code, "InternalError"), message, retry_after=retry_after)
            case faults.Drop(after):
                if after:
                    self.server.requests.answer(verb, asked, route)
                self.close_connection = True
                return
            case faults.Hang(seconds):
                self.server.stopping.wait(seconds)
                self.close_connection = True
                return
            case faults.Garble(text):
                self._send(Answer(502, text))
                return
            case faults.Slow(seconds):
                self.server.stopping.wait(seconds)
        if verb == "watch":
            cut = fault if isinstance(fault, faults.CutWatch) else None
            self._stream(self._events(asked, route), cut)
            return
        past = fault.version if isinstance(fault, faults.Stale) else None
        self._send(self.server.requests.answer(verb, asked, route, past=past))

    def _events(self, asked: Asked, route: Route) -> Iterator[tuple[str, Any]]:
        """The events of a watch; a version that is forgotten is told in the stream, not by the code of the answer."""
        try:
            for event in self.server.requests.events(asked, route):
                yield event.type, event.object
        except GoneError as error:
            yield "ERROR", status_of(error)

    def _stream(self, events: Iterator[tuple[str, Any]], cut: CutWatch | None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events if cut is None else islice(events, cut.after):
            self._chunk(*event)
        if cut is not None and not cut.expired:
            self.close_connection = True
            return
        if cut is not None:
            self._chunk("ERROR", status_of(error_of(410, "Expired", "too old resource version")))
        self.wfile.write(b"0\r\n\r\n")

    def _chunk(self, kind: str, body: Any) -> None:
        line = json.dumps({"type": kind, "object": body}).encode() + b"\n"
        self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
        self.wfile.flush()

    def _send(self, answer: Answer, *, retry_after: float | None = None) -> None:
        is_text = isinstance(answer.body, str)
        raw = answer.body.encode() if is_text else json.dumps(answer.body).encode()
        self.send_response(answer.code)
        self.send_header("Content-Type", "text/html" if is_text else "application/json")
        self.send_header("Content-Length", str(len(raw)))
        if retry_after is not None:
            self.send_header("Retry-After", str(int(retry_after)))
        self.end_headers()
        self.wfile.write(raw)


def _decoded(raw: bytes) -> Any:
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        pass
    try:
        return yaml.load(raw, yaml.CSafeLoader)
    except yaml.YAMLError as error:
        raise error_of(400, "BadRequest", f"the body is neither JSON nor YAML: {error}") from error
