"""``trainergen check``: the verdict of the cluster on manifests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainergen.cli.exit_codes import EXIT_FINDINGS, EXIT_INTERNAL, EXIT_OK, EXIT_USAGE
from trainergen.cli.options import release_option
from trainergen.errors import TrainergenError
from trainergen.report import FAIL_ON, FORMAT_NAMES, Report
from trainergen.rules.settings import PROFILES, RULE_FAILED
from trainergen.source.checks import INPUT_CHECKS

if TYPE_CHECKING:
    from trainergen.config import Settings
    from trainergen.engine.options import CheckOptions
    from trainergen.finding import Check
    from trainergen.output import OutputTarget

Listed = tuple[str, ...]


@click.command("check")
@click.argument("paths", nargs=-1)
@release_option
@click.option("--format", "format_", type=click.Choice(FORMAT_NAMES), default="text", show_default=True)
@click.option("--output", "outputs", multiple=True, metavar="FORMAT=FILE", help="Write one more report to a file.")
@click.option("--layer", "layers", multiple=True, metavar="LIST", help="Only these layers, e.g. yaml,schema,cel.")
@click.option(
    "--profile", metavar="NAME", help="Which rules are on: minimal, recommended (default), strict, production."
)
@click.option("--select", multiple=True, metavar="CHECKS", help="Only these: ids, starts of ids, names, or families.")
@click.option("--ignore", multiple=True, metavar="CHECKS", help="Not these checks.")
@click.option("--base", metavar="GIT_REV", help="Judge changes against this revision, as updates of its objects.")
@click.option("--runtimes", multiple=True, metavar="DIR", help="Look for runtimes there too.")
@click.option("--policies", multiple=True, metavar="DIR", help="Look for admission policies there too.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave these files out, as in .gitignore.")
@click.option(
    "--fail-on",
    multiple=True,
    metavar="LIST",
    help="What else fails the run: warning, not-evaluated. Errors always do.",
)
@click.option("--stdin-filename", default="<stdin>", metavar="NAME", help="The name of what '-' reads.")
@click.option("--skip-unrelated", is_flag=True, help="Pass over named files that hold no Trainer object.")
@click.option("-j", "--jobs", type=click.IntRange(min=0), default=0, help="Processes; 0 lets the work decide.")
def command(paths: Listed, release: str | None, format_: str, outputs: Listed, **asked: object) -> int:
    """Say what the API server and the Trainer's webhooks would say to the manifests in PATHS, and what our rules do.

    PATHS are files, folders, patterns, or '-' for standard input; by default those of the configuration, else the
    working folder. The exit code is 0 when all is well, 1 when there are findings, 2 when something could not be read.
    """
    from trainergen.cli.settle import settings_for

    settings = settings_for(paths)
    targets = _targets(outputs, settings)
    options = _options(paths, release, settings, asked)
    fail_on = _fail_on(asked["fail_on"] or settings.check.fail_on)

    from trainergen.engine.run import run_check

    report = run_check(options)
    _write(report, format_, targets, options)
    return _exit_code(report, fail_on)


def _options(paths: Listed, release: str | None, settings: Settings, asked: dict[str, object]) -> CheckOptions:
    from trainergen.cli.progress import progress_line
    from trainergen.cli.settle import settle_release
    from trainergen.engine.options import ALL_LAYERS, CheckOptions, layer_named

    check = settings.check
    chosen = paths or tuple(str(settings.place(path)) for path in check.paths) or (".",)
    start = next((Path(path) for path in chosen if path != "-" and Path(path).exists()), Path())
    settled = settle_release(release, settings, start)
    layers = _words(asked["layers"]) or tuple(check.layers)
    rules = check.rules if asked["profile"] is None else check.rules._replace(profile=_profile(asked["profile"]))
    return CheckOptions(
        paths=chosen,
        release=settled.name,
        release_reason=settled.reason,
        layers=frozenset(map(layer_named, layers)) or ALL_LAYERS,
        select=_checks(_words(asked["select"]) or check.select, "--select"),
        ignore=_checks(_words(asked["ignore"]) + check.ignore, "--ignore"),
        exclude=_strings(asked["exclude"]) + check.exclude,
        runtimes=_strings(asked["runtimes"]) + tuple(str(settings.place(path)) for path in check.runtimes),
        policies=_strings(asked["policies"]) + tuple(str(settings.place(path)) for path in check.policies),
        rules=rules,
        base=asked["base"] if isinstance(asked["base"], str) else None,
        stdin=sys.stdin.buffer.read() if "-" in chosen else None,
        stdin_filename=str(asked["stdin_filename"]),
        skip_unrelated=bool(asked["skip_unrelated"]),
        jobs=int(str(asked["jobs"])),
        progress=progress_line(),
    )


def _targets(outputs: Listed, settings: Settings) -> list[OutputTarget]:
    """Where to write besides standard output; settled before the run, so that a typo costs no time."""
    if not outputs and not settings.check.outputs:
        return []
    from trainergen.output import make_target, parse_target

    configured = [make_target(entry.format, settings.place(entry.file)) for entry in settings.check.outputs]
    return [*configured, *map(parse_target, outputs)]


def _write(report: Report, format_: str, targets: list[OutputTarget], options: CheckOptions) -> None:
    from trainergen.output import OutputOptions, SourceReader, emit, render, wants_colour, write_target

    known = {} if options.stdin is None else {options.stdin_filename: options.stdin}
    source = SourceReader(known=known)
    checks = _known_checks() if format_ == "sarif" or any(target.format == "sarif" for target in targets) else {}
    emit(
        sys.stdout,
        render(format_, report, OutputOptions(colour=wants_colour(sys.stdout), source=source, checks=checks)),
        format_name=format_,
    )
    for target in targets:
        write_target(target, report, OutputOptions(source=source, checks=checks))


def _exit_code(report: Report, fail_on: Listed) -> int:
    if any(finding.rule == RULE_FAILED for finding in report.findings):
        return EXIT_INTERNAL
    if any(finding.rule in INPUT_CHECKS for finding in report.findings):
        return EXIT_USAGE
    return EXIT_FINDINGS if report.fails(fail_on) else EXIT_OK


def _fail_on(value: object) -> Listed:
    words = _words(value)
    for word in words:
        if word not in FAIL_ON:
            raise _unknown("--fail-on", word, FAIL_ON)
    return words


def _checks(words: Listed, option: str) -> Listed:
    """The words, each of which must name a check there is."""
    if not words:
        return ()
    from trainergen.rules.registry import all_rules
    from trainergen.rules.selection import known_words

    known = _known_checks()
    names = {check.name for check in known.values()} | known_words(all_rules().values())
    for word in words:
        if word not in names and not (word and any(identity.startswith(word) for identity in known)):
            raise _unknown(option, word, [*known, *names])
    return words


def _profile(value: object) -> str:
    if value not in PROFILES:
        raise _unknown("--profile", str(value), list(PROFILES))
    return str(value)


def _known_checks() -> dict[str, Check]:
    from trainergen.engine.checks import all_checks

    return all_checks()


def _unknown(option: str, word: str, known: object) -> TrainergenError:
    from trainergen.spelling import did_you_mean

    names = [str(name) for name in known] if isinstance(known, list | tuple) else []
    hint = f"Known: {', '.join(names)}." if len(names) < 12 else "'trainergen explain checks' lists them all."
    return TrainergenError(f"{option} names '{word}', which is unknown{did_you_mean(word, names)}", hint=hint)


def _words(value: object) -> Listed:
    """The words of a repeated option whose values may hold several, separated by commas."""
    return tuple(word for text in _strings(value) for word in text.replace(",", " ").split())


def _strings(value: object) -> Listed:
    return tuple(str(item) for item in value) if isinstance(value, list | tuple) else ()
