"""``trainergen schema``: the generated schemas of a release, on standard output or into a folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from trainergen.cli.options import release_option
from trainergen.datafiles import data_dir
from trainergen.errors import TrainergenError
from trainergen.releases import get_release

PATTERNS = {"json": "*_v1alpha1.json", "crd": "crds/*.yaml", "kustomize-openapi": "kustomize-openapi.json"}
CONFIG = "config"


@click.command("schema")
@click.argument("what", type=click.Choice([*PATTERNS, CONFIG]))
@click.argument("kind", required=False)
@release_option
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write the files there."
)
def command(what: str, kind: str | None, release: str | None, output: Path | None) -> int:
    """Print or write the schemas of a Trainer release.

    \b
    json               JSON Schemas for kubeconform and editors; unknown fields are refused
    crd                the CustomResourceDefinitions, installable with server-side apply
    kustomize-openapi  merge keys for kustomize's `openapi: {path: …}`; 'trainergen init --kustomize' writes more
    config             the JSON Schema of trainergen.yaml, for editors; it is the same for every release

    KIND (trainjob, trainingruntime, clustertrainingruntime) picks one of several files.
    """
    name = get_release(release).name if release else get_release_default()
    files = _files(what, kind, name)
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copyfile(file, output / file.name)
            click.echo(str(output / file.name), err=True)
        return 0
    if len(files) > 1 and what == "json":
        raise click.UsageError("there is a JSON Schema for each kind; name a KIND, or give a folder with -o")
    for index, file in enumerate(files):
        if index:
            click.echo("---")
        click.echo(file.read_text(encoding="utf-8"), nl=False)
    return 0


def get_release_default() -> str:
    """The newest release: a schema is asked for by people who are about to adopt one."""
    from trainergen.releases import NEWEST

    return NEWEST.name


def _files(what: str, kind: str | None, release: str) -> list[Path]:
    if what == CONFIG:
        return [data_dir("schemas") / "trainergen-config.schema.json"]
    files = sorted((data_dir("schemas") / release).glob(PATTERNS[what]))
    if kind is not None:
        wanted = kind.lower().rstrip("s")
        files = [file for file in files if _kind_of(file) == wanted]
    if not files:
        kinds = "trainjob, trainingruntime, clustertrainingruntime"
        raise TrainergenError(f"no {what} schema for '{kind}'", hint=f"The kinds are {kinds}.")
    return files


def _kind_of(file: Path) -> str:
    name = file.name.removesuffix("_v1alpha1.json")
    return name.removeprefix("trainer.kubeflow.org_").removesuffix(".yaml").rstrip("s")
