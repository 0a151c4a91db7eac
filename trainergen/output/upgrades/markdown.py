"""An upgrade as a page for a change request: the plan in order, what is left to do, the files, the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.output.markdown import escape
from trainergen.output.markdown_blocks import fenced, finding_lines
from trainergen.output.phrases import object_name, plural
from trainergen.output.upgrades.cluster import cluster_parts, cluster_summary
from trainergen.output.upgrades.words import companion_lines, crd_lines

if TYPE_CHECKING:
    from trainergen.upgrade.audit import Audit
    from trainergen.upgrade.live.report import LiveAudit
    from trainergen.upgrade.report import FileUpgrade, UpgradeReport


def render(report: UpgradeReport) -> str:
    """``report`` as GitHub and GitLab flavoured Markdown, complete and so without a limit to its length."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: UpgradeReport) -> Iterator[str]:
    yield f"# Upgrade from Trainer {report.from_release} to {report.to_release}"
    yield ""
    written, held = len(report.to_write), sum(bool(file.held) for file in report.files)
    yield f"{plural(written, 'file')} to write, {held} held back, {plural(len(report.findings), 'finding')}."
    if report.audit is not None:
        yield from _install(report.audit)
    if report.live is not None:
        yield from _live(report.live)
    if report.findings:
        yield from ("", "## Left to do", "")
        for finding in report.findings:
            yield from finding_lines(finding)
    if report.files:
        yield from ("", "## Files")
        for file in report.files:
            yield from _file(file)
    yield from _cluster(report)


def _install(audit: Audit) -> Iterator[str]:
    if audit.steps:
        yield from ("", "## Plan", "")
        yield from (f"{number}. {escape(step)}" for number, step in enumerate(audit.steps, start=1))
    if audit.companions:
        yield from ("", "## Beside the Trainer", "", "| component | up to now | with the target | suggested | why |")
        yield "| --- | --- | --- | --- | --- |"
        for one in audit.companions:
            yield f"| {' | '.join(map(escape, (one.name, one.before, one.after, one.version, one.why)))} |"
    places = [line.strip() for line in companion_lines(audit) if line.startswith(" ")]
    if audit.pins or audit.crds or audit.values or audit.findings or places:
        yield from ("", "## Installation", "")
        yield from (f"- {escape(line)}" for line in (*crd_lines(audit), *places))
        for pin in audit.pins:
            yield f"- {escape(f'{pin.file}:{pin.line} pins {pin.what} {pin.version}: write {pin.write}')}"
        yield from (f"- values: {escape(value)}" for value in audit.values)
        for finding in audit.findings:
            yield from finding_lines(finding)


def _live(live: LiveAudit) -> Iterator[str]:
    yield from ("", f"## The cluster {escape(live.context)}", "", f"{escape(cluster_summary(live))}.")
    for part in cluster_parts(live):
        yield from ("", f"### {part.title}", "")
        yield from (f"- {escape(line)}" for line in part.lines)
    if live.findings:
        yield from ("", "### What stands against the upgrade", "")
        for finding in live.findings:
            yield from finding_lines(finding)


def _file(file: FileUpgrade) -> Iterator[str]:
    yield from ("", f"### {escape(file.name)}", "")
    if file.held:
        yield f"Not written: {escape(file.held)}."
    for one in file.objects:
        yield f"- {escape(object_name(one.ref))}"
        yield from (f"  - {escape(note)}" for note in one.notes)
    if file.patch:
        yield ""
        yield from fenced(file.patch.rstrip("\n"), "diff")


def _cluster(report: UpgradeReport) -> Iterator[str]:
    compared = len(report.proofs) + report.unchanged
    yield from ("", "## What changes in the cluster", "")
    yield f"{plural(compared, 'TrainJob')} rendered on both sides, {report.unchanged} of them the same."
    if report.reasons:
        yield from ("", "| reason | TrainJobs |", "| --- | --- |")
        ordered = sorted(report.reasons.items(), key=lambda item: (-item[1], item[0]))
        yield from (f"| {escape(text)} | {count} |" for text, count in ordered)
    for proof in report.proofs:
        changes = list(proof.changes.changes)
        yield from ("", f"<details><summary>{escape(object_name(proof.changes.ref))}</summary>", "")
        for change, reason in zip(changes, proof.reasons, strict=True):
            place = change.place or "the object as a whole"
            yield f"- {escape(place)} ({change.impact}): {escape(reason)}"
        yield from ("", "</details>")
    for item in report.unproved:
        yield f"- not compared: {escape(object_name(item.ref))}: {escape(item.reason)}"
