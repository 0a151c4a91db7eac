"""A line on standard error that says how far a long run has come, when somebody is there to read it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

_QUIET_SECONDS = 1.0
_EVERY_SECONDS = 0.1


def progress_line() -> Callable[[int, int], None] | None:
    """A callback for ``done, total``; None when standard error is no terminal."""
    if not sys.stderr.isatty():
        return None
    started = last = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - started < _QUIET_SECONDS:
            return
        if done == total:
            sys.stderr.write("\r\x1b[K")
        elif now - last >= _EVERY_SECONDS:
            last = now
            sys.stderr.write(f"\r\x1b[K{done:,} of {total:,} files")
        sys.stderr.flush()

    return show
