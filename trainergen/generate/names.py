"""Names of generated objects, and the hashes in them."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonValue

KEY_LABEL = "trainergen.io/key"
"""The label of what has another name whenever it is another: the current one of a key has it, earlier ones have not."""
DIGITS = 8
_LONGEST = 63
_SUFFIX = len("-abcde")


def content_hash(*values: JsonValue) -> str:
    """Eight hexadecimal digits of what the values hold, whatever the order of their keys."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def slug(text: str) -> str:
    """A text as a part of a name: lower-case letters, digits and single hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def longest_job_name(replicated_jobs: list[str], nodes: int) -> int:
    """How many characters the name of a TrainJob may have, so that the names of its Pods fit."""
    longest = max((len(name) for name in replicated_jobs), default=0)
    return _LONGEST - _SUFFIX - len(f"-0-{max(nodes - 1, 0)}") - 1 - longest
