"""``trainergen check --fix`` and ``--diff``: what is fixed, what is written and what is said about it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from trainergen.cli.exit_codes import EXIT_FINDINGS, EXIT_OK, EXIT_USAGE
from trainergen.engine.run import run_check
from trainergen.errors import TrainergenError
from trainergen.fixing.files import STDIN, DiskFiles
from trainergen.fixing.rounds import fix_all, with_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trainergen.engine.options import CheckOptions
    from trainergen.fixing.rounds import Outcome
    from trainergen.report import Report


@dataclass(frozen=True, slots=True)
class Mended:
    """A run with fixes: the report on what remains, and what goes to standard output in its place, if anything does.

    ``texts`` are bytes that no file holds, by the names in findings. ``code`` is the least exit code.
    """

    report: Report
    texts: dict[str, bytes] = field(default_factory=dict)
    out: bytes | None = None
    code: int = EXIT_OK


def check_and_fix(options: CheckOptions, *, unsafe: bool, diff: bool) -> Mended:
    """Check, fix, and write the files, or with ``diff`` only say what would be written.

    Standard input comes back on standard output. Raises TrainergenError when it is named beside files.
    """
    if options.stdin is not None and len(options.paths) > 1 and not diff:
        raise TrainergenError("'-' with --fix goes alone", hint="Fix files and standard input in two runs.")
    files = DiskFiles(options.paths, stdin=options.stdin, stdin_name=options.stdin_filename)
    outcome = fix_all(lambda texts: _judge(options, texts), files, unsafe=unsafe)
    if diff:
        return _shown(options, outcome, files, unsafe=unsafe)
    failures = files.write(outcome.texts)
    for identity, reason in failures:
        done = outcome.fixed.pop(identity)
        del outcome.texts[identity]
        _say(f"error: {done[0].file} {reason}, so it was not fixed")
    if failures:
        # What was meant to be fixed there remains, and other files may depend on it.
        outcome.report = _judge(options, outcome.texts)
    _tell(outcome, "fixed")
    code = EXIT_USAGE if failures else EXIT_OK
    if options.stdin is None:
        return Mended(with_count(outcome), code=code)
    text = outcome.texts.get(STDIN, options.stdin)
    return Mended(with_count(outcome), {options.stdin_filename: text}, text, code)


def _judge(options: CheckOptions, texts: Mapping[str, bytes]) -> Report:
    stdin = None if options.stdin is None else texts.get(STDIN, options.stdin)
    return run_check(replace(options, texts=texts, stdin=stdin))


def _shown(options: CheckOptions, outcome: Outcome, files: DiskFiles, *, unsafe: bool) -> Mended:
    from trainergen.fixing.unified import diff

    _tell(outcome, "would fix")
    others = sum(finding.remedy is not None and finding.fix == "unsafe" for finding in outcome.report.findings)
    if others and not unsafe:
        _say(f"note: {others} more with --unsafe")
    names = sorted((done[0].file, identity) for identity, done in outcome.fixed.items())
    out = b"".join(diff(name, files.read(identity), outcome.texts[identity]) for name, identity in names)
    texts = {name: outcome.texts[identity] for name, identity in names}
    if options.stdin is not None:
        texts.setdefault(options.stdin_filename, options.stdin)
    return Mended(with_count(outcome), texts, out, EXIT_FINDINGS if out else EXIT_OK)


def _tell(outcome: Outcome, verb: str) -> None:
    for line in _lines(outcome, verb):
        _say(line)


def _lines(outcome: Outcome, verb: str) -> Iterator[str]:
    for fixed in sorted(one for done in outcome.fixed.values() for one in done):
        yield f"{verb}: {fixed.file}: {fixed.title} ({fixed.rule})"
    for note in outcome.notes:
        yield f"note: {note.file}: {note.text}"


def _say(line: str) -> None:
    from trainergen.output.visible import escape_controls

    sys.stderr.write(escape_controls(line) + "\n")
