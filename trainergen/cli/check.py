"""``trainergen check``: the verdict of the cluster on manifests, our rules on them, and their fixes."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from trainergen.cli.exit_codes import EXIT_FINDINGS, EXIT_INTERNAL, EXIT_OK, EXIT_USAGE
from trainergen.cli.judging import Listed, check_options, judging_options, known_checks, unknown, words
from trainergen.errors import TrainergenError
from trainergen.report import FAIL_ON, FORMAT_NAMES, Report
from trainergen.rules.settings import RULE_FAILED
from trainergen.source.checks import INPUT_CHECKS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO

    from trainergen.config import Settings
    from trainergen.engine.options import CheckOptions
    from trainergen.output import OutputTarget
    from trainergen.suppress.baseline import Baseline


@click.command("check")
@judging_options
@click.option("--format", "format_", type=click.Choice(FORMAT_NAMES), default="text", show_default=True)
@click.option("--output", "outputs", multiple=True, metavar="FORMAT=FILE", help="Write one more report to a file.")
@click.option("--base", metavar="GIT_REV", help="Judge changes against this revision, as updates of its objects.")
@click.option("--baseline", metavar="FILE", help="Leave out the findings in this file, which 'baseline' wrote.")
@click.option("--fix", is_flag=True, help="Mend what can be mended without a change of meaning, in the files.")
@click.option("--unsafe", is_flag=True, help="With --fix or --diff: also what changes the meaning.")
@click.option("--diff", is_flag=True, help="Show what --fix would do as a diff, and write nothing.")
@click.option(
    "--fail-on",
    multiple=True,
    metavar="LIST",
    help="What else fails the run: warning, not-evaluated. Errors always do.",
)
@click.option("--stdin-filename", default="<stdin>", metavar="NAME", help="The name of what '-' reads.")
def command(paths: Listed, release: str | None, format_: str, outputs: Listed, **asked: object) -> int:
    """Say what the API server and the Trainer's webhooks would say to the manifests in PATHS, and what our rules do.

    PATHS are files, folders, patterns, or '-' for standard input; by default those of the configuration, else the
    working folder. The exit code is 0 when all is well, 1 when there are findings, or with --diff something to mend, 2
    when something could not be read or written. With --fix and '-' the mended text goes to standard output and the
    report to standard error.
    """
    from trainergen.cli.settle import settings_for

    settings = settings_for(paths)
    targets = _targets(outputs, settings)
    if asked["unsafe"] and not (asked["fix"] or asked["diff"]):
        raise TrainergenError("--unsafe does nothing alone", hint="Write --fix --unsafe, or --diff --unsafe.")
    options = replace(
        check_options(paths, release, settings, asked),
        base=asked["base"] if isinstance(asked["base"], str) else None,
        baseline=_baseline(asked["baseline"], settings),
        stdin_filename=str(asked["stdin_filename"]),
    )
    fail_on = _fail_on(asked["fail_on"] or settings.check.fail_on)
    if asked["fix"] or asked["diff"]:
        return _fix(options, format_, targets, fail_on, unsafe=bool(asked["unsafe"]), diff=bool(asked["diff"]))

    from trainergen.engine.run import run_check

    report = run_check(options)
    known = {} if options.stdin is None else {options.stdin_filename: options.stdin}
    _write(report, format_, targets, known=known, stream=sys.stdout)
    return _exit_code(report, fail_on)


def _fix(
    options: CheckOptions, format_: str, targets: list[OutputTarget], fail_on: Listed, *, unsafe: bool, diff: bool
) -> int:
    from trainergen.cli.fix import check_and_fix

    mended = check_and_fix(options, unsafe=unsafe, diff=diff)
    if mended.out is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(mended.out)
    stream = None if diff else sys.stdout if mended.out is None else sys.stderr
    _write(mended.report, format_, targets, known=mended.texts, stream=stream)
    return max(mended.code, _exit_code(mended.report, fail_on))


def _baseline(file: object, settings: Settings) -> Baseline | None:
    named = file if isinstance(file, str) else settings.check.baseline and str(settings.place(settings.check.baseline))
    if not named:
        return None
    from trainergen.suppress.baseline import read

    return read(named)


def _targets(outputs: Listed, settings: Settings) -> list[OutputTarget]:
    """Where to write besides standard output; settled before the run, so that a typo costs no time."""
    if not outputs and not settings.check.outputs:
        return []
    from trainergen.output import make_target, parse_target

    configured = [make_target(entry.format, settings.place(entry.file)) for entry in settings.check.outputs]
    return [*configured, *map(parse_target, outputs)]


def _write(
    report: Report,
    format_: str,
    targets: list[OutputTarget],
    *,
    known: Mapping[str, bytes],
    stream: IO[str] | None,
) -> None:
    """Write all reports; ``known`` holds bytes that lie in no file, by the names in findings."""
    from trainergen.output import OutputOptions, SourceReader, emit, render, wants_colour, write_target

    source = SourceReader(known=known)
    checks = known_checks() if format_ == "sarif" or any(target.format == "sarif" for target in targets) else {}
    if stream is not None:
        options = OutputOptions(colour=wants_colour(stream), source=source, checks=checks)
        emit(stream, render(format_, report, options), format_name=format_)
    for target in targets:
        write_target(target, report, OutputOptions(source=source, checks=checks))


def _exit_code(report: Report, fail_on: Listed) -> int:
    if any(finding.rule == RULE_FAILED for finding in report.findings):
        return EXIT_INTERNAL
    if any(finding.rule in INPUT_CHECKS for finding in report.findings):
        return EXIT_USAGE
    return EXIT_FINDINGS if report.fails(fail_on) else EXIT_OK


def _fail_on(value: object) -> Listed:
    named = words(value)
    for word in named:
        if word not in FAIL_ON:
            raise unknown("--fail-on", word, FAIL_ON)
    return named
