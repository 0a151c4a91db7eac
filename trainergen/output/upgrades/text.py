"""An upgrade for people: the patch, what was done, what is left to do, the changes in the cluster, the installation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.output.colour import paint
from trainergen.output.diffs.words import change_lines, tags, whole_line
from trainergen.output.phrases import object_name, place_of, plural
from trainergen.output.upgrades.cluster import cluster_parts, cluster_summary
from trainergen.output.upgrades.words import companion_lines, crd_lines
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from trainergen.finding import Finding
    from trainergen.upgrade.audit import Audit
    from trainergen.upgrade.live.report import LiveAudit
    from trainergen.upgrade.report import Proved, UpgradeReport

_STYLES = {"error": "error", "warning": "warning", "info": "dim"}


def render(report: UpgradeReport, *, colour: bool = False) -> str:
    """``report`` for reading; ends with a line break."""
    patches = [file.patch.rstrip("\n") for file in report.files if file.patch]
    blocks = [list(_objects(report, colour)), *([*_finding(one, colour)] for one in report.findings)]
    blocks += [list(_proof(one, colour)) for one in report.proofs]
    blocks += [list(_audit(report.audit, colour)) if report.audit is not None else []]
    blocks += [list(_live(report.live, colour)) if report.live is not None else []]
    blocks += [list(_closing(report, colour))]
    return "\n\n".join([*patches, *("\n".join(block) for block in blocks if block)]) + "\n"


def _objects(report: UpgradeReport, colour: bool) -> Iterator[str]:
    for file, one in report.objects:
        name = paint("place", escape_controls(object_name(one.ref)), colour)
        yield f"{name}  {paint('dim', escape_controls(f'{file.name}:{one.line}'), colour)}"
        if file.held:
            yield escape_controls(f"  not written: {file.held}")
        for note in one.notes:
            yield escape_controls(f"  {note}")


def _finding(finding: Finding, colour: bool) -> Iterator[str]:
    head = paint(_STYLES[finding.severity], f"{finding.severity}[{finding.rule}]", colour)
    yield f"{escape_controls(place_of(finding))}: {head} {escape_controls(finding.message)}"
    first, *others = finding.help.split("\n")
    yield f"  {paint('help', 'help:', colour)} {escape_controls(first)}"
    for line in others:
        yield escape_controls(f"    {line}")


def _proof(proof: Proved, colour: bool) -> Iterator[str]:
    changes = proof.changes
    name = paint("place", escape_controls(object_name(changes.ref)), colour)
    yield f"{name}  {paint('dim', escape_controls(changes.file), colour)} changes in the cluster:"
    reasons = list(proof.reasons)
    for change in changes.verdicts:
        yield escape_controls(f"  {tags(change)} {change.place or 'the TrainJob'}: {reasons.pop(0)}")
    for obj in changes.objects:
        for change in obj.changes:
            reason = escape_controls(reasons.pop(0))
            if not change.path:
                yield f"  {whole_line(obj)}"
                yield f"      {paint('dim', reason, colour)}"
                continue
            first, *more = change_lines(change)
            yield f"  {obj.ref.kind}: {first.sign} {first.text}  {tags(change)}"
            yield from (f"        {line.sign}{line.text}" for line in more)
            yield f"      {paint('dim', reason, colour)}"


def _audit(audit: Audit, colour: bool) -> Iterator[str]:
    if not (audit.pins or audit.crds or audit.values or audit.steps or audit.findings):
        return
    yield paint("place", "installation", colour)
    for pin in audit.pins:
        yield escape_controls(f"  {pin.file}:{pin.line} pins {pin.what} {pin.version}: write {pin.write}")
    yield from (escape_controls(f"  {line}") for line in (*crd_lines(audit), *companion_lines(audit)))
    for value in audit.values:
        yield escape_controls(f"  values: {value}")
    for finding in audit.findings:
        yield from (f"  {line}" for line in _finding(finding, colour))
    for number, step in enumerate(audit.steps, start=1):
        yield escape_controls(f"  {number}. {step}")


def _live(live: LiveAudit, colour: bool) -> Iterator[str]:
    yield paint("place", escape_controls(f"cluster {live.context}"), colour)
    for part in cluster_parts(live):
        yield f"  {part.title}"
        yield from (escape_controls(f"    {line}") for line in part.lines)
    for finding in live.findings:
        yield from (f"  {line}" for line in _finding(finding, colour))


def _closing(report: UpgradeReport, colour: bool) -> Iterator[str]:
    reason = f" ({report.release_reason})" if report.release_reason else ""
    written = len(report.to_write)
    held = len(report.files) - written
    yield escape_controls(f"Trainer {report.from_release}{reason} → Trainer {report.to_release}")
    yield f"{plural(written, 'file')} to write, {held} held back, {plural(len(report.findings), 'finding')}"
    if report.live is not None:
        yield escape_controls(cluster_summary(report.live))
    compared = len(report.proofs) + report.unchanged
    yield f"{plural(compared, 'TrainJob')} rendered on both sides, {report.unchanged} of them the same"
    for text, count in sorted(report.reasons.items(), key=lambda item: (-item[1], item[0])):
        yield paint("dim", escape_controls(f"  {plural(count, 'TrainJob')}: {text}"), colour)
    for item in report.unproved:
        yield escape_controls(f"  not compared: {object_name(item.ref)} ({item.file}): {item.reason}")
