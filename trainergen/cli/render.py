"""``trainergen render``: what the cluster would create for TrainJobs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainergen.cli.exit_codes import EXIT_FINDINGS, EXIT_OK, EXIT_USAGE
from trainergen.cli.options import build_asked, build_options, release_option
from trainergen.errors import TrainergenError
from trainergen.finding import Severity

if TYPE_CHECKING:
    from trainergen.cli.render_output import Writer
    from trainergen.config import Settings
    from trainergen.engine.rendering import JobRendering, RenderOptions, RenderRun

Listed = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the options ask for."""

    format_: str
    pods: bool
    explain: bool
    split: Path | None


@click.command("render")
@click.argument("paths", nargs=-1)
@release_option
@click.option("--job", "jobs", multiple=True, metavar="NS/NAME", help="Only this TrainJob; NAME alone will do.")
@click.option("--format", "format_", type=click.Choice(["yaml", "json"]), help="YAML unless JSON is asked for.")
@click.option("--pods", is_flag=True, help="Show the Pods that the JobSet and its Jobs would make.")
@click.option("--explain", is_flag=True, help="Say at the end of each line where it comes from.")
@click.option("--split", type=click.Path(path_type=Path), metavar="DIR", help="Write one file for each object there.")
@click.option("--gate", "gates", multiple=True, metavar="NAME=BOOL", help="A feature gate, e.g. TrainJobStatus=true.")
@click.option("--runtimes", multiple=True, metavar="DIR", help="Look for runtimes there too.")
@build_options
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave these files out, as in .gitignore.")
@click.option("--force", is_flag=True, help="Render also what admission refuses.")
@click.option("--stdin-filename", default="<stdin>", metavar="NAME", help="The name of what '-' reads.")
def command(paths: Listed, release: str | None, jobs: Listed, gates: Listed, **asked: object) -> int:
    """Print what the Trainer would create for the TrainJobs in PATHS, without a cluster.

    PATHS and where runtimes are looked for are those of 'trainergen check'. Generated keys and certificates are
    placeholders. The exit code is 0 when all TrainJobs were rendered, 1 when one could not be, 2 for wrong usage or
    input that could not be read.
    """
    wanted = _wanted(asked)
    from trainergen.cli.render_output import writer_for
    from trainergen.cli.settle import settings_for
    from trainergen.engine.rendering import no_such_job, render_paths

    settings = settings_for(paths)
    options = _options(paths, (release, jobs, gates), settings, asked)
    run = render_paths(options)
    refused = _write(run, writer_for(wanted, run))
    for name in options.jobs:
        if name not in run.found:
            raise no_such_job(run, name)
    return _exit_code(run, refused=refused)


def _write(run: RenderRun, writer: Writer) -> bool:
    """Write every rendering; True if some TrainJob could not be rendered."""
    refused = False
    for rendering in run:
        refused = refused or rendering.rendered is None
        _report(rendering, force=run.options.force)
        writer.write(rendering)
    writer.close()
    for finding in run.findings:
        level = "error" if finding.severity is Severity.ERROR else "warning"
        _complain(f"{finding.file}:{finding.line}:{finding.column}: {finding.message}", finding.help, level=level)
    if not run.seen and not run.findings:
        _complain("the paths hold no TrainJob", "Name the files or folders that TrainJobs are in.", level="warning")
    return refused


def _exit_code(run: RenderRun, *, refused: bool) -> int:
    if run.unreadable:
        return EXIT_USAGE
    return EXIT_FINDINGS if refused or any(finding.refuses for finding in run.findings) else EXIT_OK


def _report(rendering: JobRendering, *, force: bool) -> None:
    """Say on standard error what keeps a TrainJob from being rendered, or what was overlooked."""
    from trainergen.cli.render_output import problem

    found = problem(rendering)
    if found is not None:
        where = f"{rendering.file}:{rendering.line}: TrainJob {rendering.job}"
        _complain(f"{where}: {found.message}", found.help)
    elif force and rendering.refusals:
        count = len(rendering.refusals)
        _complain(
            f"{rendering.file}:{rendering.line}: TrainJob {rendering.job} is rendered although the cluster would "
            f"refuse it for {count} reason{'' if count == 1 else 's'}",
            f"Run 'trainergen check {rendering.file}'.",
            level="warning",
        )


def _complain(message: str, remedy: str, *, level: str = "error") -> None:
    from trainergen.output.visible import escape_controls

    sys.stderr.write(f"{level}: {escape_controls(message)}\n")
    if remedy:
        sys.stderr.write(f"hint: {escape_controls(remedy)}\n")


def _wanted(asked: dict[str, object]) -> Asked:
    split = asked["split"]
    wanted = Asked(
        format_=str(asked["format_"] or "yaml"),
        pods=bool(asked["pods"]),
        explain=bool(asked["explain"]),
        split=split if isinstance(split, Path) else None,
    )
    pairs = (
        ("--explain", wanted.explain, "--format json", wanted.format_ == "json"),
        ("--explain", wanted.explain, "--pods", wanted.pods),
        ("--split", wanted.split is not None, "--pods", wanted.pods),
        ("--split", wanted.split is not None, "--format json", wanted.format_ == "json"),
        ("--pods", wanted.pods, "--format yaml", asked["format_"] == "yaml"),
    )
    for one, has_one, other, has_other in pairs:
        if has_one and has_other:
            raise TrainergenError(f"{one} and {other} do not go together", hint=f"Leave out {one} or {other}.")
    return wanted


def _options(
    paths: Listed, chosen: tuple[str | None, Listed, Listed], settings: Settings, asked: dict[str, object]
) -> RenderOptions:
    from trainergen.cli.settle import settle_release
    from trainergen.engine.rendering import RenderOptions
    from trainergen.releases import get_release
    from trainergen.render.registry import plugins_of

    release, jobs, gates = chosen
    check = settings.check
    places = paths or tuple(str(settings.place(path)) for path in check.paths) or (".",)
    start = next((Path(path) for path in places if path != "-" and Path(path).exists()), Path())
    settled = settle_release(release, settings, start)
    features = dict(map(_gate, gates))
    build, values = build_asked(asked)
    plugins_of(get_release(settled.name), features)
    return RenderOptions(
        paths=places,
        release=settled.name,
        release_reason=settled.reason,
        exclude=_strings(asked["exclude"]) + check.exclude,
        runtimes=_strings(asked["runtimes"]) + tuple(str(settings.place(path)) for path in check.runtimes),
        jobs=jobs,
        features=features,
        force=bool(asked["force"]),
        build=build,
        values=values,
        stdin=sys.stdin.buffer.read() if "-" in places else None,
        stdin_filename=str(asked["stdin_filename"]),
    )


def _gate(text: str) -> tuple[str, bool]:
    name, _, value = text.partition("=")
    if value.lower() not in ("true", "false"):
        raise TrainergenError(
            f"--gate is '{text}', but it must be a name and true or false",
            hint="Write for example TrainJobStatus=true.",
        )
    return name, value.lower() == "true"


def _strings(value: object) -> Listed:
    return tuple(str(item) for item in value) if isinstance(value, list | tuple) else ()
