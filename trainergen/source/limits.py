"""How much one file may ask for, so that no input exhausts the process."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """Upper bounds on one file.

    ``depth`` is far below what libyaml and the API server bear (1,000 and 10,000), because code that walks values may
    recurse; a Trainer object is about 30 levels deep, and one of 200 levels has unknown fields anyway.
    ``alias_nodes`` bounds what aliases add to one file, on top of the API server's own ratio for a document.
    """

    file_bytes: int = 16 * 1024 * 1024
    documents: int = 10_000
    depth: int = 200
    alias_nodes: int = 1_000_000


DEFAULT_LIMITS = Limits()
