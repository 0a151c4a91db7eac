"""``trainergen diff``: what changes in the cluster, between two releases or two revisions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainergen.cli.exit_codes import EXIT_FINDINGS, EXIT_OK, EXIT_USAGE
from trainergen.cli.options import build_asked, build_options, release_option
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from trainergen.cli.settle import SettledRelease
    from trainergen.config import Settings
    from trainergen.diff import DiffReport
    from trainergen.engine.diffing import DiffOptions

Listed = tuple[str, ...]

FORMATS = ("text", "json", "markdown")
IMPACTS = ("cosmetic", "nothing", "restart", "resources", "processes", "refused")


@click.command("diff")
@click.argument("paths", nargs=-1)
@click.option("--from-release", metavar="RELEASE", help="The old side is rendered for this release.")
@click.option("--to-release", metavar="RELEASE", help="The new side is rendered for this release.")
@click.option("--base", metavar="GIT_REV", help="The old side's manifests are those of this revision.")
@release_option
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--output", "outputs", multiple=True, metavar="FORMAT=FILE", help="Write one more report to a file.")
@click.option("--runtimes", multiple=True, metavar="DIR", help="Look for runtimes there too.")
@build_options
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave these files out, as in .gitignore.")
@click.option(
    "--fail-on",
    type=click.Choice(IMPACTS),
    default="cosmetic",
    show_default=True,
    help="The mildest impact for which the exit code is 1.",
)
@click.option("--stdin-filename", default="<stdin>", metavar="NAME", help="The name of what '-' reads.")
def command(paths: Listed, release: str | None, format_: str, outputs: Listed, **asked: object) -> int:
    """Say what changes in the cluster for the TrainJobs in PATHS.

    With --from-release and --to-release the same manifests are rendered for two releases; one that is left out is the
    release that the repository is for. With --base the manifests of a git revision are compared with the working tree,
    both for --release. With all three the revision is rendered for the first release and the working tree for the
    second, as in a pull request that upgrades.

    The exit code is 0 when nothing differs, 1 when something does, 2 when something could not be read.
    """
    from trainergen.cli.settle import settings_for

    settings = settings_for(paths)
    targets = [_target(output) for output in outputs]
    options = _options(paths, release, settings, asked)

    from trainergen.engine.diffing import run_diff

    report = run_diff(options)
    _write(report, format_, targets)
    return _exit_code(report, str(asked["fail_on"]))


def _options(paths: Listed, release: str | None, settings: Settings, asked: dict[str, object]) -> DiffOptions:
    from trainergen.cli.settle import settle_release
    from trainergen.engine.diffing import DiffOptions

    check = settings.check
    chosen = paths or tuple(str(settings.place(path)) for path in check.paths) or (".",)
    start = next((Path(path) for path in chosen if path != "-" and Path(path).exists()), Path())
    base, old, new = (_text(asked[name]) for name in ("base", "from_release", "to_release"))
    settled = settle_release(release, settings, start)
    old_release, new_release = _releases(old, new, base, settled, given=release is not None)
    build, values = build_asked(asked)
    return DiffOptions(
        paths=chosen,
        old_release=old_release,
        new_release=new_release,
        release_reason=settled.reason if old is None and new is None else "",
        base=base,
        exclude=_strings(asked["exclude"]) + check.exclude,
        runtimes=_strings(asked["runtimes"]) + tuple(str(settings.place(path)) for path in check.runtimes),
        build=build,
        values=values,
        stdin=sys.stdin.buffer.read() if "-" in chosen else None,
        stdin_filename=str(asked["stdin_filename"]),
    )


def _releases(
    old: str | None, new: str | None, base: str | None, settled: SettledRelease, *, given: bool
) -> tuple[str, str]:
    """The releases of the two sides; TrainergenError for options that leave nothing to compare or contradict."""
    from trainergen.releases import get_release

    if old is None and new is None and base is None:
        raise TrainergenError(
            "nothing to compare with",
            hint="Give two releases (--from-release 2.1 --to-release 2.3), or a git revision (--base origin/main).",
        )
    if given and old is not None and new is not None:
        raise TrainergenError(
            "--release has no meaning beside --from-release and --to-release",
            hint="Leave --release out: the two others name the release of each side.",
        )
    names = tuple(settled.name if name is None else get_release(name).name for name in (old, new))
    if base is None and names[0] == names[1]:
        raise TrainergenError(
            f"both sides are the same manifests for Trainer {names[0]}, so that nothing can differ",
            hint="Name another release with --from-release or --to-release, or a git revision with --base.",
        )
    return names[0], names[1]


def _target(argument: str) -> tuple[str, Path]:
    """The format and file of ``--output``."""
    from trainergen.output import parse_target

    target = parse_target(argument)
    if target.format not in FORMATS:
        raise TrainergenError(
            f"output '{argument}' asks for '{target.format}', which a comparison cannot be written as",
            hint=f"The formats are {', '.join(FORMATS)}.",
        )
    return target.format, target.file


def _write(report: DiffReport, format_: str, targets: list[tuple[str, Path]]) -> None:
    from trainergen.output import emit, wants_colour
    from trainergen.output.diffs import render
    from trainergen.output.targets import write_text

    emit(sys.stdout, render(format_, report, colour=wants_colour(sys.stdout)), format_name=format_)
    for name, file in targets:
        write_text(file, render(name, report))


def _exit_code(report: DiffReport, fail_on: str) -> int:
    from trainergen.diff import Impact
    from trainergen.engine.diffing import unreadable

    if unreadable(report):
        return EXIT_USAGE
    return EXIT_FINDINGS if report.differs(Impact(fail_on)) else EXIT_OK


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _strings(value: object) -> Listed:
    return tuple(str(item) for item in value) if isinstance(value, list | tuple) else ()
