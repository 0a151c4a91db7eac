"""``trainergen run-plan``: the commands of a small copy of a TrainJob, for one machine without Kubernetes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainergen.cli.exit_codes import EXIT_OK
from trainergen.cli.options import build_asked, build_options, release_option
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from trainergen.engine.rendering import JobRendering, RenderOptions, RenderRun
    from trainergen.generate.runplan.plan import Plan

Pair = tuple[str, str]


def _mapping(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[Pair, ...]:
    pairs = []
    for text in values:
        there, equals, here = text.partition("=")
        if not equals or not there.startswith("/") or not here:
            raise click.BadParameter(f"'{text}' is not a folder of the container, =, and one of this machine")
        pairs.append((there, here))
    return tuple(pairs)


@click.command("run-plan")
@click.argument("job")
@click.option("--nodes", type=click.IntRange(min=1), help="How many nodes; by default two, or one if the job has one.")
@click.option("--procs", type=click.IntRange(min=1), help="Processes on each node, by default one.")
@click.option("--port", type=click.IntRange(1024, 65000), help="The first port to use instead of those of the job.")
@click.option(
    "--map", "paths", multiple=True, metavar="THERE=HERE", callback=_mapping, help="Folders, e.g. /workspace=."
)
@click.option("--format", "format_", type=click.Choice(["sh", "json"]), default="sh", show_default=True)
@release_option
@click.option("--runtimes", multiple=True, metavar="DIR", help="Look for runtimes there too.")
@build_options
def command(
    job: str,
    nodes: int | None,
    procs: int | None,
    *,
    port: int | None,
    paths: tuple[Pair, ...],
    format_: str,
    release: str | None,
    **asked: object,
) -> int:
    """Print how to run a small copy of a TrainJob on this machine, without Kubernetes.

    JOB is a file with one TrainJob, or a TrainJob's name (NAME or NAMESPACE/NAME) in the configured paths or the
    working folder. The script starts every node with the command line and the environment that the cluster would give
    it; all addresses are 127.0.0.1. Secrets, volumes and initializers are not available and listed at its top.

    \b
    trainergen run-plan jobs/bert.yaml --nodes 2 | sh
    """
    from trainergen.engine.rendering import render_paths

    options = _options(job, release, asked)
    run = render_paths(options)
    rendering = _one(run, options, job)
    plan = _plan(run, rendering, (nodes, procs), (port, paths))
    if format_ == "json":
        click.echo(json.dumps(plan.to_dict(), indent=2, ensure_ascii=False))
    else:
        from trainergen.generate.runplan.shell import script

        click.echo(script(plan), nl=False)
    return EXIT_OK


def _plan(
    run: RenderRun,
    rendering: JobRendering,
    numbers: tuple[int | None, int | None],
    where: tuple[int | None, tuple[Pair, ...]],
) -> Plan:
    from trainergen.generate.runplan.making import plan_of
    from trainergen.generate.runplan.places import places
    from trainergen.generate.runplan.small import small_copy
    from trainergen.render import render

    assert rendering.rendered is not None
    whole = rendering.rendered.pods()
    nodes, procs = numbers
    copy = small_copy(rendering.document.object, whole, nodes=nodes, procs=procs)
    small = render(copy, run.cluster_of(rendering), release=run.options.release, snapshot=False)
    port, paths = where
    return plan_of(small, places(small.pods(), port=port, paths=paths), whole=whole)


def _options(job: str, release: str | None, asked: dict[str, object]) -> RenderOptions:
    from trainergen.cli.settle import settings_for, settle_release
    from trainergen.engine.rendering import RenderOptions

    is_path = Path(job).exists()
    settings = settings_for((job,) if is_path else ())
    check = settings.check
    places = (job,) if is_path else tuple(str(settings.place(path)) for path in check.paths) or (".",)
    settled = settle_release(release, settings, Path(places[0]) if Path(places[0]).exists() else Path())
    build, values = build_asked(asked)
    named = asked["runtimes"]
    return RenderOptions(
        paths=places,
        release=settled.name,
        release_reason=settled.reason,
        exclude=check.exclude,
        runtimes=(
            *(named if isinstance(named, tuple) else ()),
            *(str(settings.place(path)) for path in check.runtimes),
        ),
        jobs=() if is_path else (job,),
        build=build,
        values=values,
    )


def _one(run: RenderRun, options: RenderOptions, job: str) -> JobRendering:
    """The one TrainJob that is meant, rendered; TrainergenError says why there is none."""
    from trainergen.cli.render_output import problem
    from trainergen.engine.rendering import no_such_job

    found = list(run)
    if not found:
        if options.jobs:
            raise no_such_job(run, job)
        raise TrainergenError(f"'{job}' holds no TrainJob", hint="Name the file that it is in, or its name.")
    if len(found) > 1:
        names = ", ".join(each.job for each in found[:5])
        raise TrainergenError(f"'{job}' holds {len(found)} TrainJobs: {names}", hint="Name one of them instead.")
    fault = problem(found[0])
    if fault is not None or found[0].rendered is None:
        place = f"{found[0].file}:{found[0].line}"
        message, remedy = (fault.message, fault.help) if fault is not None else ("it cannot be rendered", "")
        raise TrainergenError(f"{place}: TrainJob {found[0].job}: {message}", hint=remedy)
    return found[0]
