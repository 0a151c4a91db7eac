"""``trainergen doctor``: what this installation has, and what it would use in this folder."""

from __future__ import annotations

import platform
import shutil
import sys
from importlib import metadata
from pathlib import Path

import click

import trainergen


@click.command("doctor")
def command() -> int:
    """Show versions, optional parts, tools on PATH, and the configuration and release that hold here."""
    for section, rows in (("Installation", _installation()), ("Tools", _tools()), ("This folder", _folder())):
        click.echo(section)
        for name, value in rows:
            click.echo(f"  {name:<18} {value}")
    return 0


def _installation() -> list[tuple[str, str]]:
    import yaml

    from trainergen.cel.engine import engines

    python = f"{platform.python_version()} ({sys.executable})"
    return [
        ("trainergen", trainergen.__version__),
        ("python", python),
        ("libyaml", "yes" if yaml.__with_libyaml__ else "no: reading is many times slower"),
        ("cel-python", _version("cel-python")),
        ("cel-expr-python", _version("cel-expr-python", missing="not installed (extra 'fast')")),
        ("CEL engine", next(engines()).name),
        ("cluster client", _version("kubernetes", missing="not installed (extra 'controller')")),
    ]


def _tools() -> list[tuple[str, str]]:
    extras = {"kubectl": "extra 'kustomize'", "helm": "extra 'helm'"}
    rows = []
    for tool in ("git", "kubectl", "kustomize", "helm"):
        remedy = f" ({extras[tool]})" if tool in extras else ""
        rows.append((tool, shutil.which(tool) or f"not on PATH{remedy}"))
    return rows


def _folder() -> list[tuple[str, str]]:
    from trainergen.cli.settle import settle_release
    from trainergen.config import find_settings
    from trainergen.releases import RELEASES
    from trainergen.releases.detect import repository_root

    settings = find_settings(Path())
    settled = settle_release(None, settings, Path())
    return [
        ("configuration", str(settings.file) if settings.file else "none found"),
        ("repository", str(repository_root(Path()).resolve())),
        ("release", f"{settled.name} ({settled.reason})"),
        ("known releases", ", ".join(f"{release.name} ({release.tag})" for release in RELEASES)),
    ]


def _version(distribution: str, *, missing: str = "not installed") -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return missing
