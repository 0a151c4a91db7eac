"""``trainergen migrate``: jobs of the Training Operator become TrainJobs, with a report of what is lost."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainergen.cli.exit_codes import EXIT_FINDINGS, EXIT_OK, EXIT_USAGE
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from trainergen.engine.migrating import MigrateOptions
    from trainergen.migrate.report import FileMigration, MigrateReport

Listed = tuple[str, ...]

FORMATS = ("text", "json", "markdown", "html")
_SUFFIXES = {".json": "json", ".md": "markdown", ".html": "html"}


@click.command("migrate")
@click.argument("paths", nargs=-1)
@click.option("--to", "target", default="2.3", show_default=True, metavar="RELEASE", help="2.1, 2.2 or 2.3.")
@click.option("--write", is_flag=True, help="Write the files in place.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Write the files there instead.")
@click.option("--diff", is_flag=True, help="Print the patch; the report goes to standard error.")
@click.option("--force", is_flag=True, help="Write although the git tree has changes that are not committed.")
@click.option("--accept", multiple=True, metavar="LOSS", help="Write in spite of this error, an id, a name, or 'all'.")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the report to a file too: .html, .md, .json, or text.",
)
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--keep-launch-module", is_flag=True, help="Leave torch.distributed.launch in place.")
@click.option("--exact-restart", is_flag=True, help="Generate a runtime where only a restart policy needs one.")
@click.option("--merge-roles", is_flag=True, help="Give roles that differ in resources the larger ones.")
@click.option("--gang", type=click.Choice(["auto", "volcano", "coscheduling", "none"]), default="auto")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave these files out, as in .gitignore.")
@click.option("--stdin-filename", default="<stdin>", metavar="NAME", help="The name of what '-' reads.")
def command(paths: Listed, format_: str, **asked: object) -> int:
    """Rewrite the jobs of the Training Operator and the MPI Operator in PATHS as TrainJobs.

    Each becomes a TrainJob, and a TrainingRuntime where it needs one. What is lost or changes its meaning is listed;
    errors keep a file from being written unless they are accepted. Nothing is written without --write or -o. The exit
    code is 0 when every file can be written, 1 when one cannot, 2 for wrong usage or input that could not be read.
    """
    if asked["write"] and (asked["output"] or asked["diff"]):
        raise TrainergenError("--write goes without -o and --diff", hint="Choose one of them.")
    from trainergen.engine.migrating import run_migrate, unreadable

    options = _options(paths, asked)
    if asked["write"]:
        _resume(options.paths, force=bool(asked["force"]))
    report = run_migrate(options)
    failed = _write(report, options, asked)
    # What is written to standard output leaves no room there for a report.
    taken = bool(asked["diff"]) or (bool(asked["write"]) and options.stdin is not None)
    _report(report, asked["report"], format_, aside=taken)
    if failed or unreadable(report):
        return EXIT_USAGE
    return EXIT_FINDINGS if report.held else EXIT_OK


def _report(report: MigrateReport, file: object, format_: str, *, aside: bool) -> None:
    """The report into the file that was asked for, and on standard output, or ``aside`` on standard error."""
    from trainergen.output import emit
    from trainergen.output.migrations import render
    from trainergen.output.targets import write_text

    if isinstance(file, Path):
        write_text(file, render(_SUFFIXES.get(file.suffix, "text"), report))
    emit(sys.stderr if aside else sys.stdout, render(format_, report), format_name=format_)


def _options(paths: Listed, asked: dict[str, object]) -> MigrateOptions:
    from trainergen.cli.settle import settings_for
    from trainergen.engine.migrating import MigrateOptions, unknown_losses
    from trainergen.migrate import Choices
    from trainergen.releases import get_release

    settings = settings_for(paths)
    chosen = paths or tuple(str(settings.place(path)) for path in settings.check.paths) or (".",)
    accepted = [word for each in _strings(asked["accept"]) for word in each.replace(" ", "").split(",") if word]
    wrong = unknown_losses(accepted)
    if wrong:
        raise TrainergenError(
            f"--accept is '{wrong[0]}', which is no loss", hint="Write an id or a name from the report, or 'all'."
        )
    gang = str(asked["gang"])
    return MigrateOptions(
        paths=chosen,
        target=get_release(str(asked["target"])).name,
        choices=Choices(
            keep_launch_module=bool(asked["keep_launch_module"]),
            exact_restart=bool(asked["exact_restart"]),
            merge_roles=bool(asked["merge_roles"]),
            gang=gang,  # type: ignore[arg-type]
        ),
        accepted=frozenset(accepted),
        exclude=_strings(asked["exclude"]) + settings.check.exclude,
        stdin=sys.stdin.buffer.read() if "-" in chosen else None,
        stdin_filename=str(asked["stdin_filename"]),
    )


def _write(report: MigrateReport, options: MigrateOptions, asked: dict[str, object]) -> bool:
    """Write what is asked for, each file as a whole or not at all; True when a file could not be written."""
    ready = [file for file in report.files if file.new is not None]
    if asked["diff"]:
        _show(ready)
    folder = asked["output"]
    if isinstance(folder, Path):
        failed = [file for file in ready if not _beside(file, folder)]
        return bool(failed)
    if not asked["write"]:
        return False
    return not _in_place(report, options, force=bool(asked["force"]))


def _in_place(report: MigrateReport, options: MigrateOptions, *, force: bool) -> bool:
    """Write over the files; True when all could be written."""
    from trainergen.engine.migrating_journal import Journal

    on_disk = [file for file in report.files if file.new is not None and file.location]
    journal = Journal.of(_folder(options.paths))
    if on_disk and not force:
        from trainergen.cli.dirty import refuse_dirty

        refuse_dirty((file.location for file in on_disk), deed="the migration", is_own=journal.wrote)
    if options.stdin is not None:
        standard = next((file for file in report.files if not file.location), None)
        sys.stdout.buffer.write(standard.new if standard is not None and standard.new is not None else options.stdin)
        sys.stdout.buffer.flush()
    all_written = True
    for file, why in journal.write(on_disk):
        _say(f"error: {file.name} {why}, so it was not migrated" if why else f"migrated: {file.name}")
        all_written = all_written and not why
    return all_written


def _folder(paths: Listed) -> Path:
    """A folder of what is migrated: the first one that is there."""
    for path in map(Path, paths):
        if path.exists():
            return path if path.is_dir() else path.parent
    return Path.cwd()


def _resume(paths: Listed, *, force: bool) -> None:
    """Complete what an earlier run was interrupted at, before anything is read."""
    from trainergen.engine.migrating_journal import Journal

    journal = Journal.of(_folder(paths))
    if force and journal.pending:
        journal.forget()
    for name in journal.resume() if journal.pending else ():
        _say(f"completed: {name}")


def _show(files: list[FileMigration]) -> None:
    from trainergen.fixing.unified import diff

    for file in files:
        assert file.new is not None
        is_new = bool(file.location) and not file.old and not Path(file.location).exists()
        sys.stdout.buffer.write(diff(file.name, file.old, file.new, is_new=is_new))
    sys.stdout.buffer.flush()


def _beside(file: FileMigration, folder: Path) -> bool:
    """Write under the folder, below the path from the working folder; files from outside of it by their names."""
    assert file.new is not None
    source = Path(file.location or "stdin.yaml")
    try:
        inner = source.resolve().relative_to(Path.cwd())
    except ValueError:
        inner = Path(source.name)
    target = folder / inner
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as stream:
            stream.write(file.new)
    except FileExistsError:
        _say(f"error: {target} exists already, so {file.name} was not written")
        return False
    except OSError as error:
        _say(f"error: {target} cannot be written: {(error.strerror or str(error)).lower()}")
        return False
    _say(f"written: {target}")
    return True


def _say(line: str) -> None:
    from trainergen.output.visible import escape_controls

    sys.stderr.write(escape_controls(line) + "\n")


def _strings(value: object) -> Listed:
    return tuple(str(item) for item in value) if isinstance(value, list | tuple) else ()
