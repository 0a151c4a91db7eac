"""Running a tool that is not ours: without our environment, for a limited time, with a limited output."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

_CHUNK = 64 * 1024
_DEAD_END = "http://127.0.0.1:9"
"""A proxy that nobody answers at: the tools are given no network to reach."""


class Limits(NamedTuple):
    """How long a tool may take and how many bytes it may write."""

    seconds: float = 60
    output: int = 64 * 1024 * 1024


LIMITS = Limits()


class Ran(NamedTuple):
    """What became of a command; with ``broken`` it came to no end of its own, and that says why."""

    code: int
    out: bytes
    err: str
    broken: str = ""


def environment(home: Path) -> dict[str, str]:
    """An environment that holds nothing of the user's: no credentials, no proxies, no programs to call."""
    empty = str(home / "bin")
    found = {
        "PATH": empty,
        "HOME": str(home),
        "TMPDIR": str(home),
        "LC_ALL": "C.UTF-8",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
    }
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        found[name] = found[name.upper()] = _DEAD_END
    if "SYSTEMROOT" in os.environ:
        # NB: without it no program starts on Windows.
        found["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    return found


def run(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes = b"",
    limits: Limits = LIMITS,
    stop: threading.Event | None = None,
) -> Ran:
    """Run a command to its end, or to its limits, or until ``stop`` is set; never raises for what it does."""
    try:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        return Ran(126, b"", "", f"cannot be started: {(error.strerror or str(error)).lower()}")
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = _Drain(process.stdout, limits.output), _Drain(process.stderr, 1024 * 1024)
    feed = threading.Thread(target=_feed, args=(process.stdin, stdin), daemon=True)
    feed.start()
    deadline = time.monotonic() + limits.seconds
    broken = _await(out, err, limits, deadline=deadline, stop=stop)
    try:
        code = process.wait(0 if broken else max(deadline - time.monotonic(), 1))
    except subprocess.TimeoutExpired:
        broken = broken or f"takes longer than {limits.seconds:g} seconds"
        _kill(process)
        code = process.wait()
    for thread in (out, err):
        thread.join(1)
    return Ran(code, bytes(out.data), err.data.decode("utf-8", "replace"), broken)


class _Drain(threading.Thread):
    """Reads a pipe to its end, or until there is too much in it."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        super().__init__(daemon=True)
        self.data = bytearray()
        self.too_much = False
        self._stream, self._most = stream, most
        self.start()

    def run(self) -> None:
        with self._stream:
            while chunk := os.read(self._stream.fileno(), _CHUNK):
                if len(self.data) + len(chunk) > self._most:
                    self.too_much = True
                    return
                self.data += chunk


def _await(out: _Drain, err: _Drain, limits: Limits, *, deadline: float, stop: threading.Event | None) -> str:
    """Wait for the end of the output; why it was not waited for any longer, else an empty text."""
    while out.is_alive() or err.is_alive():
        for drain in (out, err):
            drain.join(0.2)
        if out.too_much or err.too_much:
            return f"writes more than {limits.output / 1024 / 1024:.0f} MiB"
        if stop is not None and stop.is_set():
            return "is interrupted"
        if time.monotonic() > deadline and (out.is_alive() or err.is_alive()):
            return f"takes longer than {limits.seconds:g} seconds"
    return f"writes more than {limits.output / 1024 / 1024:.0f} MiB" if out.too_much or err.too_much else ""


def _feed(stream: IO[bytes], data: bytes) -> None:
    try:
        with stream:
            stream.write(data)
    except OSError:
        pass  # it does not want to know


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started."""
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
