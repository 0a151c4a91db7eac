"""An upgrade as one self-contained page: plan, what is left to do, files with their patches, changes in the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.finding import Severity
from trainergen.output.diffs.words import change_lines
from trainergen.output.pages.blocks import (
    bullets,
    chapter,
    counts,
    findings,
    folded,
    numbered,
    patch,
    place,
    signed,
    table,
    text,
)
from trainergen.output.pages.document import document
from trainergen.output.phrases import object_name, plural
from trainergen.output.upgrades.cluster import cluster_parts, cluster_summary
from trainergen.output.upgrades.words import companion_lines, crd_lines

if TYPE_CHECKING:
    from trainergen.diff.change import Change
    from trainergen.upgrade.audit import Audit
    from trainergen.upgrade.live.report import LiveAudit
    from trainergen.upgrade.report import FileUpgrade, Proved, UpgradeReport

_CHANGES = {"object": "20%", "change": "auto", "reason": "28%"}
_COMPANIONS = {"component": "16%", "up to now": "18%", "with the target": "18%", "suggested": "12%", "why": "auto"}
_REASONS = {"reason": "auto", "TrainJobs": "6rem"}


def render(report: UpgradeReport) -> str:
    """``report`` as an HTML document that needs nothing but itself: no script, no font, no picture from elsewhere."""
    title = f"Upgrade from Trainer {report.from_release} to {report.to_release}"
    return document(title, _body(report), contents=_contents(report))


def _contents(report: UpgradeReport) -> dict[str, str]:
    audit = report.audit
    chapters = {
        "plan": ("Plan, in order", audit is not None and audit.steps),
        "installation": ("Installation", audit is not None and _has_installation(audit)),
        "live": ("" if report.live is None else f"The cluster {report.live.context}", report.live is not None),
        "left": ("Left to do", report.findings),
        "files": ("Files", report.files),
        "cluster": ("What changes in the cluster", True),
    }
    return {key: name for key, (name, there) in chapters.items() if there}


def _body(report: UpgradeReport) -> Iterator[str]:
    if report.release_reason:
        yield f'<p class="soft">Trainer {text(report.from_release)} is {text(report.release_reason)}.</p>'
    held = sum(bool(file.held) for file in report.files)
    yield counts(
        (
            (len(report.to_write), "files to write"),
            (held, "held back"),
            (report.count(Severity.ERROR), "errors"),
            (report.count(Severity.WARNING), "warnings"),
            (len(report.proofs) + report.unchanged, "TrainJobs rendered on both sides"),
        )
    )
    for key, name in _contents(report).items():
        yield chapter(key, name)
        if key in ("plan", "installation") and report.audit is not None:
            yield from _plan(report.audit) if key == "plan" else _installation(report.audit)
        elif key == "live" and report.live is not None:
            yield from _live(report.live)
        elif key == "left":
            yield findings(report.findings)
        elif key == "files":
            for file in report.files:
                yield from _file(file)
        else:
            yield from _cluster(report)


def _has_installation(audit: Audit) -> bool:
    return bool(audit.pins or audit.companions or audit.crds or audit.values or audit.findings)


def _plan(audit: Audit) -> Iterator[str]:
    yield numbered(audit.steps)


def _installation(audit: Audit) -> Iterator[str]:
    pins = [f"{pin.file}:{pin.line} pins {pin.what} {pin.version}: write {pin.write}" for pin in audit.pins]
    places = [line.strip() for line in companion_lines(audit) if line.startswith(" ")]
    yield bullets((*pins, *crd_lines(audit), *places, *audit.values))
    if audit.companions:
        rows = ((one.name, one.before, one.after, one.version, one.why) for one in audit.companions)
        yield table(_COMPANIONS, (map(text, row) for row in rows))
    if audit.findings:
        yield findings(audit.findings)


def _live(live: LiveAudit) -> Iterator[str]:
    yield f"<p>{text(cluster_summary(live))}.</p>"
    if live.findings:
        yield findings(live.findings)
    for part in cluster_parts(live):
        yield f"<h3>{text(part.title)}</h3>{bullets(part.lines)}"


def _file(file: FileUpgrade) -> Iterator[str]:
    yield f"<h3>{text(file.name)}</h3>"
    if file.held:
        yield f'<p class="held">Not written: {text(file.held)}.</p>'
    for one in file.objects:
        yield f"<p>{text(object_name(one.ref))}</p>{bullets(one.notes)}"
    if file.patch:
        yield patch(file.patch)


def _cluster(report: UpgradeReport) -> Iterator[str]:
    compared = len(report.proofs) + report.unchanged
    yield f"<p>{plural(compared, 'TrainJob')} rendered on both sides, {report.unchanged} of them the same.</p>"
    if report.reasons:
        ordered = sorted(report.reasons.items(), key=lambda item: (-item[1], item[0]))
        yield table(_REASONS, ((text(words), str(count)) for words, count in ordered))
    for proof in report.proofs:
        yield _proof(proof)
    for item in report.unproved:
        yield f"<p>Not compared: {text(object_name(item.ref))} ({text(item.file)}): {text(item.reason)}</p>"


def _proof(proof: Proved) -> str:
    found: list[tuple[str, Change]] = [("the TrainJob", change) for change in proof.changes.verdicts]
    found += [(f"{obj.ref.kind} {obj.ref.name}", change) for obj in proof.changes.objects for change in obj.changes]
    title = f"{object_name(proof.changes.ref)}: {plural(len(found), 'change')}"
    rows = (_change(name, change, reason) for (name, change), reason in zip(found, proof.reasons, strict=True))
    return folded(title, table(_CHANGES, rows))


def _change(name: str, change: Change, reason: str) -> Iterator[str]:
    yield f'{place(name)}<br><span class="soft">{text(change.impact.value)}</span>'
    whole = f"the object as a whole, {change.kind.value}"
    yield signed((line.sign, line.text) for line in change_lines(change, signed=True)) if change.path else text(whole)
    yield text(reason)
