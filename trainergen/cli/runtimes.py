"""``trainergen runtimes``: the ClusterTrainingRuntimes that a release ships."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from trainergen.api.access import list_at, object_at, text_at, value_at
from trainergen.cli.options import release_option
from trainergen.cli.settle import settle_release
from trainergen.config import find_settings
from trainergen.releases.catalogue import shipped_runtimes

if TYPE_CHECKING:
    from trainergen.finding import JsonObject


class Row(TypedDict):
    """One runtime in the list."""

    name: str
    framework: str
    nodes: int
    jobs: list[str]
    images: list[str]


@click.command("runtimes")
@release_option
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(release: str | None, format_: str) -> int:
    """List the runtimes that a Trainer release ships, with framework, nodes and images."""
    settled = settle_release(release, find_settings(Path()), Path())
    rows = [_row(runtime) for runtime in shipped_runtimes(settled.name).values()]
    if format_ == "json":
        click.echo(json.dumps({"release": settled.name, "runtimes": rows}, indent=2))
        return 0
    click.echo(f"Runtimes of Trainer {settled.name} ({settled.reason})")
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        click.echo(
            f"  {row['name']:<{width}}  {row['framework']:<9}  {row['nodes']:>2} node(s)  {', '.join(row['images'])}"
        )
    return 0


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
