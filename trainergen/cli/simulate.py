"""``trainergen simulate``: the life of a TrainJob, told without a cluster."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from trainergen.cli.exit_codes import EXIT_FINDINGS, EXIT_OK, EXIT_USAGE
from trainergen.cli.options import build_asked, build_options, release_option
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen_controller.simulate import Simulation

    from trainergen.engine.rendering import JobRendering, RenderOptions, RenderRun
    from trainergen.finding import JsonObject

STORIES = {
    "complete": "the training succeeds",
    "fail": "it fails, as often as the runtime restarts it",
    "suspend-resume": "it is suspended while it runs, and resumed",
    "deadline": "it goes on for longer than activeDeadlineSeconds",
    "delete": "the TrainJob is deleted while it runs",
    "job-set-deleted": "somebody deletes the JobSet while it runs",
    "patch-suspended": "its Pods are patched while it is suspended, as JobSet allows and as it does not",
    "runtime-edit": "the runtime is edited while the TrainJob is suspended",
}


@click.command("simulate")
@click.argument("paths", nargs=-1)
@release_option
@click.option("--job", "jobs", multiple=True, metavar="NS/NAME", help="Only this TrainJob; NAME alone will do.")
@click.option(
    "--scenario",
    type=click.Choice(list(STORIES)),
    default="complete",
    show_default=True,
    help="; ".join(f"{name}: {text}" for name, text in STORIES.items()) + ".",
)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--runtimes", multiple=True, metavar="DIR", help="Look for runtimes there too.")
@build_options
def command(
    paths: tuple[str, ...],
    release: str | None,
    jobs: tuple[str, ...],
    *,
    scenario: str,
    format_: str,
    **asked: object,
) -> int:
    """Tell what happens to the TrainJobs in PATHS in a cluster, second by second, without one.

    The API server with the release's CRDs and webhooks, the controller's passes and garbage collection are those that
    trainergen answers with everywhere; JobSet, the Pods and people follow the scenario. Time is virtual, and the same
    input gives the same output. The exit code is 0, 1 when a TrainJob is refused, 2 for wrong usage or input that
    could not be read.
    """
    from trainergen.engine.rendering import no_such_job, render_paths

    options = _options(paths, (release, jobs), asked)
    run = render_paths(options)
    notes: dict[str, None] = {}
    told = [_told(run, rendering, scenario, notes) for rendering in run]
    for name in jobs:
        if name not in run.seen and not any(seen.partition("/")[2] == name for seen in run.seen):
            raise no_such_job(run, name)
    if not told and not run.unreadable:
        raise TrainergenError("the paths hold no TrainJob", hint="Name the files or folders that TrainJobs are in.")
    _write(told, format_)
    for note in notes:
        sys.stderr.write(f"note: {note}\n")
    for finding in run.findings:
        sys.stderr.write(f"{finding.file}:{finding.line}:{finding.column}: {finding.message}\n")
    if run.unreadable:
        return EXIT_USAGE
    return EXIT_FINDINGS if any(one.refusal for one in told) else EXIT_OK


def _told(run: RenderRun, rendering: JobRendering, scenario: str, notes: dict[str, None]) -> Simulation:
    from trainergen_controller.simulate import SCENARIOS, simulate

    job = rendering.document.object
    objects = list(_runtimes(run, rendering, notes))
    return simulate(job, objects, SCENARIOS[scenario], release=run.options.release)


def _runtimes(run: RenderRun, rendering: JobRendering, notes: dict[str, None]) -> Iterator[JsonObject]:
    """The runtimes that count for a TrainJob: those near it, and what the release ships under other names.

    Those that the cluster refuses never get there, so that they are left out, with a note.
    """
    from trainergen import admit
    from trainergen.api.access import text_at
    from trainergen.releases.catalogue import shipped_runtimes

    found: dict[tuple[str, ...], JsonObject | None] = {}
    for file, runtime in run.runtimes_near(rendering):
        key = tuple(text_at(runtime, *path) for path in (("kind",), ("metadata", "namespace"), ("metadata", "name")))
        refused = admit(runtime, release=run.options.release).refused
        found[key] = None if refused else runtime
        if refused:
            notes[f"runtime '{key[-1]}' is left out, since it would be refused: see 'trainergen check {file}'"] = None
    for name, shipped in shipped_runtimes(run.options.release).items():
        found.setdefault(("ClusterTrainingRuntime", "", name), dict(shipped))
    yield from (runtime for runtime in found.values() if runtime is not None)


def _write(told: list[Simulation], format_: str) -> None:
    from trainergen_controller.simulate.report import as_json, as_text

    from trainergen.output.visible import escape_controls

    if format_ == "json":
        click.echo(json.dumps([as_json(one) for one in told], indent=2, ensure_ascii=False))
        return
    text = "\n".join(as_text(one) for one in told)
    click.echo("\n".join(escape_controls(line) for line in text.split("\n")), nl=False)


def _options(
    paths: tuple[str, ...], chosen: tuple[str | None, tuple[str, ...]], asked: dict[str, object]
) -> RenderOptions:
    from pathlib import Path

    from trainergen.cli.settle import settings_for, settle_release
    from trainergen.engine.rendering import RenderOptions

    release, jobs = chosen
    settings = settings_for(paths)
    places = paths or tuple(str(settings.place(path)) for path in settings.check.paths) or (".",)
    start = next((Path(path) for path in places if Path(path).exists()), Path())
    settled = settle_release(release, settings, start)
    build, values = build_asked(asked)
    runtimes = asked["runtimes"]
    named = tuple(str(one) for one in runtimes) if isinstance(runtimes, tuple) else ()
    return RenderOptions(
        paths=places,
        release=settled.name,
        release_reason=settled.reason,
        exclude=settings.check.exclude,
        runtimes=named + tuple(str(settings.place(path)) for path in settings.check.runtimes),
        jobs=jobs,
        force=True,
        build=build,
        values=values,
        stdin=sys.stdin.buffer.read() if "-" in places else None,
    )
