"""``trainergen upgrade``: take manifests from one release to another, and say what is left to do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainergen.cli.exit_codes import EXIT_FINDINGS, EXIT_OK, EXIT_USAGE
from trainergen.cli.options import build_asked, build_options
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from trainergen.engine.upgrade_retry import Retry
    from trainergen.engine.upgrading import UpgradeOptions
    from trainergen.upgrade.live import ClusterReader
    from trainergen.upgrade.report import UpgradeReport

Listed = tuple[str, ...]

FORMATS = ("text", "json", "markdown", "html")
FAIL_ON = ("never", "error", "warning", "change")
_SUFFIXES = {".json": "json", ".md": "markdown", ".html": "html"}


@click.command("upgrade")
@click.argument("paths", nargs=-1)
@click.option("--from", "from_release", metavar="RELEASE", help="What the cluster runs; by default what is pinned.")
@click.option("--to", "to_release", metavar="RELEASE", help="What to upgrade to; by default the newest release.")
@click.option("--diff", is_flag=True, help="Print nothing but the patch; the report goes to standard error.")
@click.option("--write", is_flag=True, help="Write the files.")
@click.option("--force", is_flag=True, help="Write although the git tree has changes that are not committed.")
@click.option("--report", metavar="FILE", help="Write the report to a file too: .html, .md, .json, or text.")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="error",
    show_default=True,
    help="For what the exit code is 1; 'change' means also for files that are to be written.",
)
@click.option("--manager", metavar="NAME", help="The manager of the patches that are made, a domain and a path.")
@click.option("--runtimes", multiple=True, metavar="DIR", help="Look for runtimes there too.")
@build_options
@click.option("--live", metavar="CONTEXT", help="Look at the cluster of this context of the kubeconfig too; read-only.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave these files out, as in .gitignore.")
@click.option("--stdin-filename", default="<stdin>", metavar="NAME", help="The name of what '-' reads.")
def command(paths: Listed, format_: str, fail_on: str, **asked: object) -> int:
    """Rewrite the manifests in PATHS for another release of the Trainer, in place, and audit the installation.

    Without --write nothing is changed and the patch is shown. Each TrainJob is rendered before and after: what the
    releases change is listed with the reason, and a file whose edits would change Pods on their own is left alone.
    What cannot be carried over is a finding that says what to do.
    """
    if asked["diff"] and asked["write"]:
        raise TrainergenError("--diff and --write exclude each other", hint="Leave --diff out to write.")
    options = _options(paths, asked)
    cluster = _cluster(asked)

    from trainergen.engine.upgrading import run_upgrade, unreadable

    retry = _retry(options) if asked["write"] and not asked["force"] else None
    report = run_upgrade(options, cluster) if retry is None else retry.report
    failed = _write(report, options, force=bool(asked["force"]), retry=retry) if asked["write"] else False
    if file := _text(asked["report"]):
        _save(report, Path(file))
    # What is written to standard output leaves no room there for a report.
    taken = bool(asked["diff"]) or (bool(asked["write"]) and options.stdin is not None)
    _show(report, format_, aside=taken, patch=bool(asked["diff"]))
    if failed or unreadable(report):
        return EXIT_USAGE
    pending = fail_on == "change" and bool(report.files)
    return EXIT_FINDINGS if pending or report.fails("error" if fail_on == "change" else fail_on) else EXIT_OK


def _options(paths: Listed, asked: dict[str, object]) -> UpgradeOptions:
    from trainergen.cli.settle import settings_for, settle_release
    from trainergen.engine.upgrading import UpgradeOptions
    from trainergen.releases import NEWEST, RELEASES, get_release
    from trainergen.upgrade import DEFAULT_MANAGER

    settings = settings_for(paths)
    check = settings.check
    chosen = paths or tuple(str(settings.place(path)) for path in check.paths) or (".",)
    start = next((Path(path) for path in chosen if path != "-" and Path(path).exists()), Path())
    target = get_release(_text(asked["to_release"]) or NEWEST.name)
    settled = settle_release(_text(asked["from_release"]), settings, start)
    if RELEASES.index(get_release(settled.name)) > RELEASES.index(target):
        raise TrainergenError(
            f"{settled.name} ({settled.reason}) is newer than {target.name}, which is to be upgraded to",
            hint="There is no way back; name a newer release with --to, or the right one with --from.",
        )
    build, values = build_asked(asked)
    return UpgradeOptions(
        paths=chosen,
        from_release=settled.name,
        to_release=target.name,
        release_reason="" if asked["from_release"] else settled.reason,
        manager=_manager(_text(asked["manager"]) or DEFAULT_MANAGER),
        exclude=_strings(asked["exclude"]) + check.exclude,
        runtimes=_strings(asked["runtimes"]) + tuple(str(settings.place(path)) for path in check.runtimes),
        build=build,
        values=values,
        stdin=sys.stdin.buffer.read() if "-" in chosen else None,
        stdin_filename=str(asked["stdin_filename"]),
    )


def _cluster(asked: dict[str, object]) -> ClusterReader | None:
    """The cluster of ``--live``, which answers; nothing is ever written to it."""
    context = _text(asked["live"])
    if context is None:
        return None
    if asked["write"]:
        raise TrainergenError(
            "--live and --write exclude each other", hint="Look at the cluster first, then write without --live."
        )
    from trainergen.live import connect

    return connect(context)


def _manager(name: str) -> str:
    domain, slash, path = name.partition("/")
    if not (domain and slash and path) or len(name) > 253:
        raise TrainergenError(
            f"'{name}' is no name of a manager", hint="Write a domain and a path, as in example.com/upgrade."
        )
    return name


def _retry(options: UpgradeOptions) -> Retry | None:
    """The upgrade that was interrupted here, when that is all that is not committed."""
    if options.stdin is not None:
        return None
    from trainergen.engine.upgrade_retry import interrupted

    found = interrupted(options)
    if found is not None:
        _say(f"going on with an upgrade that was interrupted, written before: {', '.join(found.written)}")
    return found


def _write(report: UpgradeReport, options: UpgradeOptions, *, force: bool, retry: Retry | None) -> bool:
    """Write the files, each as a whole or not at all; True when one could not be written."""
    from trainergen.fixing.files import WriteError, replace_file

    before = frozenset(retry.written if retry is not None else ())
    files = [file for file in report.to_write if file.name != options.stdin_filename or options.stdin is None]
    files = [file for file in files if file.name not in before]
    if files and not force:
        from trainergen.cli.dirty import refuse_dirty

        elsewhere = [file.location for file in files if retry is None or not _is_below(file.location, retry.top)]
        refuse_dirty(elsewhere, deed="the upgrade")
    if report.tangled:
        _say(
            f"note: {', '.join(report.tangled)} hold runtimes and TrainJobs of each other; if the run is cut short "
            "outside of a git repository, restore them before the next one"
        )
    failed = False
    for file in files:
        try:
            # A link stays one: what it leads to is written.
            replace_file(str(Path(file.location).resolve()), file.old, file.new)
        except WriteError as error:
            failed = True
            _say(f"error: {file.name} {error}, so it was not upgraded")
        else:
            _say(f"upgraded: {file.name}")
    if options.stdin is not None:
        written = next((file.new for file in report.to_write if file.name == options.stdin_filename), options.stdin)
        sys.stderr.flush()
        sys.stdout.buffer.write(written)
        sys.stdout.buffer.flush()
    return failed


def _is_below(location: str, top: Path) -> bool:
    return Path(location).resolve().is_relative_to(top)


def _save(report: UpgradeReport, file: Path) -> None:
    from trainergen.output.targets import write_text
    from trainergen.output.upgrades import render

    write_text(file, render(_SUFFIXES.get(file.suffix, "text"), report))


def _show(report: UpgradeReport, format_: str, *, aside: bool, patch: bool) -> None:
    """The report on standard output, or ``aside`` on standard error."""
    from trainergen.output import emit, wants_colour
    from trainergen.output.upgrades import render

    if patch:
        emit(sys.stdout, "".join(one.patch for one in report.files if not one.held), format_name="patch")
    stream = sys.stderr if aside else sys.stdout
    emit(stream, render(format_, report, colour=wants_colour(stream)), format_name=format_)


def _say(line: str) -> None:
    from trainergen.output.visible import escape_controls

    sys.stderr.write(escape_controls(line) + "\n")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _strings(value: object) -> Listed:
    return tuple(str(item) for item in value) if isinstance(value, list | tuple) else ()
