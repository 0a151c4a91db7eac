"""``trainergen build``: a GitOps tree from a specification; the plan first, then the files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainergen.cli.exit_codes import EXIT_FINDINGS, EXIT_OK
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.generate import Workspace
    from trainergen.generate.writing import Plan

FORMATS, DELIVERIES = ("kustomize", "helm", "plain"), ("argocd", "flux", "none")


@click.command("build")
@click.argument("spec", required=False, type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Write the tree there.")
@click.option("--diff", is_flag=True, help="Write nothing, and print the patch; the plan goes to standard error.")
@click.option("--check", is_flag=True, help="Write nothing; the exit code is 1 when something would change.")
@click.option("--force", is_flag=True, help="Write over files that were edited by hand or are not ours.")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="Instead of output.format.")
@click.option("--delivery", type=click.Choice(DELIVERIES), help="Instead of output.delivery.")
def command(spec: Path | None, output: Path | None, **asked: object) -> int:
    """Write the tree that SPEC describes, by default build: of the trainergen.yaml that rules the working folder.

    The plan is shown first. Files that were generated before and are no longer wanted are deleted; a generated file
    that somebody edited stops the build before anything is written. A second build changes nothing.
    """
    from trainergen.source.configfile import shown_name

    workspace = _workspace(spec, asked)
    plan = workspace.plan(output or shown_name(workspace.folder))
    dry = bool(asked["diff"] or asked["check"])
    _say_plan(plan, aside=bool(asked["diff"]))
    if asked["diff"]:
        _show(plan)
    if not dry:
        plan.apply(force=bool(asked["force"]))
        return EXIT_OK
    pending = plan.changes if asked["check"] else plan.conflicts
    return EXIT_FINDINGS if pending else EXIT_OK


def _workspace(spec: Path | None, asked: dict[str, object]) -> Workspace:
    from trainergen.generate import Workspace

    workspace = Workspace.load(spec if spec is not None else _configured())
    chosen = {"format": asked["format_"], "delivery": asked["delivery"]}
    fields = {name: str(value) for name, value in chosen.items() if value is not None}
    return workspace.with_output(**fields) if fields else workspace


def _configured() -> Path:
    from trainergen.config import find_config

    found = find_config(Path())
    if found is None:
        raise TrainergenError(
            "there is no trainergen.yaml here or above",
            hint="Name the specification, or start one with 'trainergen init'.",
        )
    return found


def _say_plan(plan: Plan, *, aside: bool) -> None:
    from trainergen.output import emit
    from trainergen.output.visible import escape_controls

    text = "".join(f"{escape_controls(line)}\n" for line in _lines(plan))
    emit(sys.stderr if aside else sys.stdout, text, format_name="text")


def _lines(plan: Plan) -> Iterator[str]:
    for change in plan.changes:
        yield f"{change.action:8} {plan.folder / change.path}" + (f": {change.reason}" if change.reason else "")
    counts = plan.counts()
    parts = [f"{counts[word]} to {word}" for word in ("create", "change", "delete")]
    if counts["conflict"]:
        parts.append(f"{counts['conflict']} in the way")
    yield f"{', '.join(parts)}, {plan.unchanged} unchanged"


def _show(plan: Plan) -> None:
    from trainergen.fixing.unified import diff

    for change in plan.changes:
        name = (plan.folder / change.path).as_posix()
        sys.stdout.buffer.write(diff(name, (change.old or "").encode(), (change.new or "").encode()))
    sys.stdout.buffer.flush()
