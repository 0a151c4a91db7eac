"""What an audit of one object found, and what is told of it: Events, and numbers over many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from trainergen.finding import Severity
from trainergen_controller.passes.actions import Occurrence

if TYPE_CHECKING:
    from trainergen.finding import Finding, NotEvaluated, ObjectRef
    from trainergen_controller.audit.drift import Drift

FOUND, DRIFTED, NOT_RENDERED = "FindingsReported", "JobSetDrifted", "RenderFailed"
_ACTION = "Auditing"
_LONGEST_NOTE = 950
_TOLD = (Severity.ERROR, Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Audit:
    """The outcome for one object, ``uid`` and all; equal audits need not be told twice."""

    ref: ObjectRef
    uid: str = ""
    findings: tuple[Finding, ...] = ()
    drift: tuple[Drift, ...] = ()
    failure: str = ""
    """Why nothing can be rendered for the TrainJob."""
    not_evaluated: tuple[NotEvaluated, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.findings or self.drift or self.failure)

    @property
    def complaint(self) -> str:
        """What is wrong but for warnings, in one text; empty for nothing."""
        errors = [f"{one.rule} {one.path}: {one.message}" for one in self.findings if one.severity is Severity.ERROR]
        drift = [f"the JobSet is not as rendered: {'; '.join(map(str, self.drift))}"] if self.drift else []
        return "; ".join([*errors, *([self.failure] if self.failure else []), *drift])


class Measures(NamedTuple):
    """Numbers for a monitoring system."""

    findings: dict[tuple[str, str, str], int]
    """By namespace (empty outside of any), rule and severity."""
    drifted: dict[str, int]
    """JobSets that are not as rendered, by namespace; also those with none, so that a number goes back to zero."""
    audited: dict[tuple[str, str], int]
    """Objects by namespace and kind."""


def events_of(audit: Audit) -> tuple[Occurrence, ...]:
    """At most one Event of each sort for the object; mere information is for reports only."""
    events = []
    told = [each for each in audit.findings if each.severity in _TOLD]
    if told:
        counts = Counter(each.severity for each in told)
        words = [_plural(counts[severity], str(severity)) for severity in _TOLD if counts[severity]]
        lines = "; ".join(f"{each.rule} {each.path}: {each.message}" for each in told)
        events.append(_warning(FOUND, f"{' and '.join(words)}: {lines}"))
    if audit.failure:
        events.append(_warning(NOT_RENDERED, audit.failure))
    if audit.drift:
        places = "; ".join(map(str, audit.drift))
        events.append(_warning(DRIFTED, f"the JobSet is not as rendered: {places}"))
    return tuple(events)


def measures_of(audits: Iterable[Audit]) -> Measures:
    """The numbers of all objects that were audited."""
    findings: Counter[tuple[str, str, str]] = Counter()
    drifted: Counter[str] = Counter()
    audited: Counter[tuple[str, str]] = Counter()
    for audit in audits:
        namespace = audit.ref.namespace
        audited[namespace, audit.ref.kind] += 1
        drifted[namespace] += bool(audit.drift)
        findings.update((namespace, each.rule, str(each.severity)) for each in audit.findings)
    return Measures(dict(findings), dict(drifted), dict(audited))


def _warning(reason: str, note: str) -> Occurrence:
    return Occurrence("Warning", reason, _ACTION, note if len(note) <= _LONGEST_NOTE else note[:_LONGEST_NOTE] + " ...")


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
