"""Rarer garbage collections during a run."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let far more objects pile up between two collections, and have the modules loaded so far left out of them.

    A run makes many small values and few cycles; with the interpreter's threshold it would spend a fifth of its time
    looking for garbage in live schemas and rules. Bounded, so that a large tree does not grow without end.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
