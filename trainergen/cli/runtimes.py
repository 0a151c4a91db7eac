"""``trainergen runtimes``: the runtimes that a release ships, the examples it has, and our recipes for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from trainergen.api.access import list_at, object_at, text_at, value_at
from trainergen.cli.options import release_option
from trainergen.cli.settle import SettledRelease, settle_release
from trainergen.config import find_settings
from trainergen.errors import TrainergenError
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.catalogue.definition import Recipe, Shipped
    from trainergen.finding import JsonObject


class Row(TypedDict):
    """One runtime in the list."""

    name: str
    framework: str
    nodes: int
    jobs: list[str]
    images: list[str]


SECTIONS = {
    "runtimes": "Runtimes of Trainer {release} ({reason})",
    "examples": "Examples of Trainer {release}, which no installation brings along",
    "recipes": "Recipes for Trainer {release}: hardened runtimes with an example TrainJob each",
}


@click.group("runtimes", invoke_without_command=True)
@release_option
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, release: str | None, format_: str) -> int:
    """List the runtimes that a Trainer release ships and the recipes for it, or print one of them."""
    ctx.obj = release
    if ctx.invoked_subcommand is not None:
        return 0
    settled = _settled(release)
    rows = {
        "runtimes": [_row(runtime) for runtime in shipped_runtimes(settled.name).values()],
        "examples": [_row(each.at(settled.name)) for each in _shipped(settled.name) if not each.installed],
        "recipes": [_row(recipe.runtime.to_dict()) for recipe in _recipes() if settled.name in recipe.releases],
    }
    if format_ == "json":
        click.echo(json.dumps({"release": settled.name, **rows}, indent=2))
    else:
        _print(rows, settled)
    return 0


@command.command("show")
@click.argument("name")
@click.option("--job", is_flag=True, help="Print the example TrainJob of a recipe.")
@release_option
@click.pass_context
def show(ctx: click.Context, name: str, job: bool, release: str | None) -> int:
    """Print the runtime NAME as YAML: one that the release ships, an example, or a recipe."""
    from trainergen.catalogue.files import job_text, name_of, recipe_text, shipped_text

    settled = _settled(release or ctx.obj)
    shipped = {name_of(each.at(settled.name)): each for each in _shipped(settled.name)}
    recipes = {each.name: each for each in _recipes()}
    if name in recipes and settled.name in recipes[name].releases:
        text = job_text(recipes[name]) if job else recipe_text(recipes[name])
    elif name not in shipped:
        raise _unknown(name, settled, [*shipped, *recipes])
    elif job:
        raise TrainergenError(
            f"'{name}' is no recipe, and only recipes have an example TrainJob",
            hint="Leave out --job to print the runtime, or list the recipes with trainergen runtimes.",
        )
    else:
        text = shipped_text(shipped[name], settled.name)
    click.echo(text, nl=False)
    return 0


def _settled(release: str | None) -> SettledRelease:
    return settle_release(release, find_settings(Path()), Path())


def _shipped(release: str) -> list[Shipped]:
    from trainergen.catalogue.shipped import shipped_in

    return shipped_in(release)


def _recipes() -> tuple[Recipe, ...]:
    from trainergen.catalogue.recipes import RECIPES

    return RECIPES


def _unknown(name: str, settled: SettledRelease, known: list[str]) -> TrainergenError:
    """The refusal of a name; it tells the releases that have a runtime of that name."""
    from trainergen.catalogue.files import releases_of

    releases = releases_of(name)
    if releases:
        return TrainergenError(
            f"Trainer {settled.name} has no runtime '{name}', which is in {', '.join(releases)}",
            hint=f"Add --release {releases[-1]}.",
        )
    return TrainergenError(
        f"there is no runtime '{name}' in Trainer {settled.name} nor among the recipes{did_you_mean(name, known)}",
        hint="List them with trainergen runtimes.",
    )


def _print(rows: dict[str, list[Row]], settled: SettledRelease) -> None:
    everything = [row for section in rows.values() for row in section]
    width, framework = (max((len(row[key]) for row in everything), default=0) for key in ("name", "framework"))
    for number, (section, title) in enumerate(SECTIONS.items()):
        if rows[section]:
            click.echo("\n" * bool(number) + title.format(release=settled.name, reason=settled.reason))
        for row in rows[section]:
            label = f"{row['name']:<{width}}  {row['framework']:<{framework}}"
            click.echo(f"  {label}  {row['nodes']:>2} node(s)  {', '.join(row['images'])}")


def _row(runtime: JsonObject) -> Row:
    spec = object_at(runtime, "spec")
    jobs = [object_at(job) for job in list_at(spec, "template", "spec", "replicatedJobs")]
    containers = [
        object_at(each) for job in jobs for each in list_at(job, "template", "spec", "template", "spec", "containers")
    ]
    nodes = value_at(spec, "mlPolicy", "numNodes")
    return {
        "name": text_at(runtime, "metadata", "name"),
        "framework": text_at(runtime, "metadata", "labels", "trainer.kubeflow.org/framework"),
        "nodes": nodes if isinstance(nodes, int) else 1,
        "jobs": [text_at(job, "name") for job in jobs],
        "images": list(dict.fromkeys(text_at(each, "image") for each in containers)),
    }
