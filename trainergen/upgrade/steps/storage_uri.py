"""A ``storageUri`` without a scheme, which is refused from 2.3 on."""

from __future__ import annotations

import re

from trainergen.upgrade.checks import STORAGE_SCHEME
from trainergen.upgrade.work import JOB, Work

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://.*", re.DOTALL)
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")


def storage_uri(work: Work) -> None:
    """Say what to write; which store a bare path meant is known to its author only."""
    if work.document.kind != JOB or work.old.behaviours.initializer_needs_mount:
        return
    if not work.new.behaviours.initializer_needs_mount:
        return
    for part in ("dataset", "model"):
        uri = work.draft.get("spec", "initializer", part, "storageUri")
        if not isinstance(uri, str) or not uri or _SCHEME.fullmatch(uri):
            continue
        guess = f" If it is a repository of Hugging Face, write hf://{uri}." if _REPOSITORY.fullmatch(uri) else ""
        work.lose(
            STORAGE_SCHEME.at(
                ("spec", "initializer", part, "storageUri"),
                f"storageUri '{uri}' has no scheme, and {work.new.name} refuses it",
                help=f"Write the store in front, as in hf:// or s3://.{guess}",
            )
        )
