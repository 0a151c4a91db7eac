"""``/healthz``, ``/readyz`` and ``/metrics`` over plain HTTP, on a port of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeAlias

Check: TypeAlias = Callable[[], str]
"""Gives what is wrong, empty if nothing is."""


class HealthServer:
    """Answers 200 or 503, with one line a check; serves until it is closed."""

    def __init__(
        self,
        address: tuple[str, int],
        *,
        live: Mapping[str, Check],
        ready: Mapping[str, Check],
        metrics: Callable[[], bytes],
    ) -> None:
        pages = {"/healthz": live, "/livez": live, "/readyz": ready}

        class Handler(BaseHTTPRequestHandler):
            timeout = 10

            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                if path in pages:
                    ok, text = _verdict(pages[path])
                    self._answer(200 if ok else 503, text.encode(), "text/plain; charset=utf-8")
                elif path == "/metrics":
                    self._answer(200, metrics(), "text/plain; version=0.0.4; charset=utf-8")
                else:
                    self._answer(404, b"not found\n", "text/plain; charset=utf-8")

            def _answer(self, code: int, body: bytes, content: str) -> None:
                self.send_response(code)
                self.send_header("Content-Type", content)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                """Probes come every few seconds; nobody wants to read of each."""

        self._server = ThreadingHTTPServer(address, Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="health", kwargs={"poll_interval": 0.2})

    @property
    def port(self) -> int:
        """The port it listens on, chosen by the system if the address said 0."""
        return int(self._server.server_address[1])

    def start(self) -> None:
        """Begins to answer."""
        self._thread.start()

    def close(self) -> None:
        """Ends, and waits for it."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _verdict(checks: Mapping[str, Check]) -> tuple[bool, str]:
    wrong = {name: check() for name, check in checks.items()}
    lines = [f"[-] {name}: {text}" if text else f"[+] {name}: ok" for name, text in wrong.items()]
    return not any(wrong.values()), "\n".join(lines) + "\n"
