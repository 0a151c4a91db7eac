"""``trainergen init``: the first files of a repository."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainergen.cli.exit_codes import EXIT_OK
from trainergen.cli.options import release_option
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.generate.scaffold.starting import Step
    from trainergen.generate.workspace_files import GeneratedFile


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=".", metavar="[DIR]")
@click.option("--name", metavar="NAME", help="The team; by default what the folder is called.")
@click.option("--ci", type=click.Choice(["github", "gitlab", "none"]), help="By default that of the git remote.")
@click.option("--kustomize", is_flag=True, help="Write only the component for kustomize.")
@release_option
def command(folder: Path, name: str | None, ci: str | None, *, kustomize: bool, release: str | None) -> int:
    """Start a repository in DIR, by default the working folder.

    Writes trainergen.yaml with a small specification, a program to train with, checks for pre-commit and CI, and a
    .gitignore. What is there already is kept as it is.

    With --kustomize, writes components/trainer-kustomize instead, for kustomizations of your own: merge keys, name
    references and image fields of a release.
    """
    from trainergen.cli.settle import settle_release
    from trainergen.config import find_settings
    from trainergen.generate.scaffold.starting import component_of, repository_files

    here = _here(folder)
    settings = find_settings(here)
    settled = settle_release(release, settings, here)
    if kustomize:
        files: Iterable[GeneratedFile] = component_of(settled.name)
    else:
        team = _team(folder, name)
        files = repository_files(team, settled.name, ci=ci or _ci(here), configured=settings.file is not None)
        if settings.file is not None:
            click.echo(f"keep     {settings.file}")
    planned = _write(files, folder)
    _advise(planned, kustomize=kustomize)
    return EXIT_OK


def _here(folder: Path) -> Path:
    """The folder, or the nearest above it that exists."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.is_dir())


def _write(files: Iterable[GeneratedFile], folder: Path) -> list[Step]:
    from trainergen.generate.scaffold.starting import steps, write

    planned = steps(files, folder)
    write(planned, folder)
    for step in planned:
        click.echo(f"{step.action:8} {(folder / step.file.path).as_posix()}")
    return planned


def _advise(planned: list[Step], *, kustomize: bool) -> None:
    from trainergen.generate.scaffold.starting import COMPONENT, SPECIFICATION

    kept = [str(step.file.path) for step in planned if step.action == "keep"]
    if kept:
        click.echo(f"{', '.join(kept)} stays as it is; delete it and run this again for a new one.", err=True)
    if kustomize:
        click.echo(f"List the component in your kustomizations: components: [<way to>/{COMPONENT}]", err=True)
    elif any(step.file.path == SPECIFICATION and step.action == "create" for step in planned):
        click.echo("Next: change trainergen.yaml, then 'trainergen build' and 'trainergen check --build'.", err=True)


def _team(folder: Path, name: str | None) -> str:
    wanted = name
    if wanted is None:
        called = re.sub(r"[^a-z0-9]+", "-", folder.absolute().resolve().name.lower())
        wanted = called.lstrip("-0123456789")[:30].rstrip("-") or "team"
    if not re.fullmatch(r"[a-z]([-a-z0-9]{0,28}[a-z0-9])?", wanted):
        raise TrainergenError(
            f"--name: '{wanted}' is no name for a team",
            hint="Write at most 30 lower-case letters, digits and hyphens, with a letter first and no hyphen last.",
        )
    return wanted


def _ci(here: Path) -> str:
    """The service whose name is in the addresses of the git remotes; GitHub where nothing tells."""
    for each in (here, *here.parents):
        config = each / ".git" / "config"
        if config.is_file():
            urls = re.findall(r"^\s*url\s*=\s*(.*)$", config.read_text(encoding="utf-8", errors="replace"), re.M)
            return "gitlab" if any("gitlab" in url for url in urls) else "github"
    return "github"
