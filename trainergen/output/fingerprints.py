"""Fingerprints that tell a fault again after its lines have moved."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import Finding, ObjectRef
    from trainergen.report import LocatedNotEvaluated


class Fingerprints:
    """Gives each item of one report a fingerprint of its own.

    It is made of what the fault is about (rule, file, object, path, message) and of no position; faults that agree in
    all of this are told apart by their order.
    """

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of_finding(self, finding: Finding) -> str:
        """The fingerprint of a finding: 32 hexadecimal digits."""
        return self._make(
            ("finding", finding.rule, finding.file, *_object(finding.object), finding.path, finding.message)
        )

    def of_not_evaluated(self, item: LocatedNotEvaluated) -> str:
        """The fingerprint of an undecided check: 32 hexadecimal digits."""
        return self._make(("not-evaluated", item.check, item.file, *_object(item.object), item.path, item.reason))

    def _make(self, parts: Iterable[str]) -> str:
        key = "\0".join(parts)
        count = self._seen[key]
        self._seen[key] += 1
        return sha256(f"{key}\0{count}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _object(ref: ObjectRef | None) -> tuple[str, ...]:
    return () if ref is None else (ref.api_version, ref.kind, ref.namespace, ref.name)
