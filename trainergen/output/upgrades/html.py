"""An upgrade as one self-contained page: plan, what is left to do, files with their patches, changes in the cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape as escaped
from typing import TYPE_CHECKING

from trainergen.output.phrases import object_name, place_of, plural
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from trainergen.finding import Finding
    from trainergen.upgrade.audit import Audit
    from trainergen.upgrade.report import FileUpgrade, Proved, UpgradeReport

_STYLE = """\
:root { color-scheme: light dark; --line: #8884; --add: #2a02; --del: #c002; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h2 { border-bottom: 1px solid var(--line); margin-top: 2.5rem; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 4px; font-size: 13px; }
pre span { display: block; min-height: 1.2em; } .add { background: var(--add); } .del { background: var(--del); }
li, td, p { overflow-wrap: anywhere; } table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
.error { color: #c22; font-weight: 600; } .warning { color: #a60; font-weight: 600; } .held { color: #c22; }
@media print { details { display: block; } pre { white-space: pre-wrap; } }
"""


def render(report: UpgradeReport) -> str:
    """``report`` as an HTML document that needs nothing but itself: no script, no font, no picture from elsewhere."""
    title = f"Upgrade from Trainer {report.from_release} to {report.to_release}"
    head = f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{_text(title)}</title>\n'
    head += '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    body = "\n".join(_body(report, title))
    return f"{head}<style>\n{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"


def _body(report: UpgradeReport, title: str) -> Iterator[str]:
    yield f"<h1>{_text(title)}</h1>"
    held = sum(bool(file.held) for file in report.files)
    counts = (
        f"{plural(len(report.to_write), 'file')} to write, {held} held back, {plural(len(report.findings), 'finding')}."
    )
    yield f"<p>{_text(counts)}</p>"
    if report.audit is not None:
        yield from _install(report.audit)
    if report.findings:
        yield "<h2>Left to do</h2>"
        yield from _findings(report.findings)
    if report.files:
        yield "<h2>Files</h2>"
        for file in report.files:
            yield from _file(file)
    yield from _cluster(report)


def _install(audit: Audit) -> Iterator[str]:
    if audit.steps:
        yield "<h2>Plan, in order</h2>"
        yield f"<ol>{''.join(f'<li>{_text(step)}</li>' for step in audit.steps)}</ol>"
    if audit.pins or audit.values or audit.findings:
        yield "<h2>Installation</h2>"
        pins = [f"{pin.file}:{pin.line} pins {pin.what} {pin.version}: write {pin.write}" for pin in audit.pins]
        yield f"<ul>{''.join(f'<li>{_text(line)}</li>' for line in (*pins, *audit.values))}</ul>"
        yield from _findings(audit.findings)


def _findings(findings: Iterable[Finding]) -> Iterator[str]:
    yield "<table><tr><th>severity</th><th>place</th><th>what, and what to do</th></tr>"
    for one in findings:
        first, *others = one.help.split("\n")
        more = f"<pre>{''.join(f'<span>{_text(line)}</span>' for line in others)}</pre>" if others else ""
        yield (
            f'<tr><td class="{one.severity}">{one.severity}<br>{_text(one.rule)}</td><td>{_text(place_of(one))}</td>'
            f"<td>{_text(one.message)}<br>{_text(first)}{more}</td></tr>"
        )
    yield "</table>"


def _file(file: FileUpgrade) -> Iterator[str]:
    yield f"<h3>{_text(file.name)}</h3>"
    if file.held:
        yield f'<p class="held">Not written: {_text(file.held)}.</p>'
    for one in file.objects:
        notes = "".join(f"<li>{_text(note)}</li>" for note in one.notes)
        yield f"<p>{_text(object_name(one.ref))}</p><ul>{notes}</ul>"
    if file.patch:
        yield f"<pre>{''.join(_patch_line(line) for line in file.patch.rstrip(chr(10)).split(chr(10)))}</pre>"


def _patch_line(line: str) -> str:
    kind = {"+": "add", "-": "del"}.get(line[:1], "same")
    return f'<span class="{kind}">{_text(line)}</span>'


def _cluster(report: UpgradeReport) -> Iterator[str]:
    yield "<h2>What changes in the cluster</h2>"
    compared = len(report.proofs) + report.unchanged
    counts = f"{plural(compared, 'TrainJob')} rendered on both sides, {report.unchanged} of them the same."
    yield f"<p>{_text(counts)}</p>"
    if report.reasons:
        ordered = sorted(report.reasons.items(), key=lambda item: (-item[1], item[0]))
        rows = "".join(f"<tr><td>{_text(text)}</td><td>{count}</td></tr>" for text, count in ordered)
        yield f"<table><tr><th>reason</th><th>TrainJobs</th></tr>{rows}</table>"
    for proof in report.proofs:
        yield from _proof(proof)
    for item in report.unproved:
        yield f"<p>Not compared: {_text(object_name(item.ref))} ({_text(item.file)}): {_text(item.reason)}</p>"


def _proof(proof: Proved) -> Iterator[str]:
    pairs = zip(proof.changes.changes, proof.reasons, strict=True)
    lines = [(change.place or "the object as a whole", change.impact.value, reason) for change, reason in pairs]
    rows = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in line)}</tr>" for line in lines)
    yield f"<details><summary>{_text(object_name(proof.changes.ref))}</summary>"
    yield f"<table><tr><th>place</th><th>impact</th><th>reason</th></tr>{rows}</table></details>"


def _text(text: str) -> str:
    return escaped(escape_controls(text))
