"""The table of output formats."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple, cast

from trainergen.errors import TrainergenError
from trainergen.output.options import OutputOptions
from trainergen.report import FORMAT_NAMES, Report
from trainergen.spelling import did_you_mean

Renderer = Callable[[Report, OutputOptions], str]


class Format(NamedTuple):
    """One output format; ``module`` holds its ``render(report, options) -> str``."""

    name: str
    module: str
    summary: str


def _formats(*formats: Format) -> dict[str, Format]:
    return {each.name: each for each in formats}


FORMATS = _formats(
    Format("text", "trainergen.output.text", "for people: code frames, help and a closing summary"),
    Format("json", "trainergen.output.json_format", "for programs: everything the report holds"),
    Format("sarif", "trainergen.output.sarif", "SARIF 2.1.0, for code scanning"),
    Format("junit", "trainergen.output.junit", "JUnit XML, for test reports of a CI server"),
    Format("github", "trainergen.output.github", "workflow commands, for annotations on GitHub"),
    Format("gitlab", "trainergen.output.gitlab", "Code Quality JSON, for GitLab merge requests"),
    Format("markdown", "trainergen.output.markdown", "a comment for a pull request"),
)


def get_format(name: str) -> Format:
    """The format called ``name``; an unknown name raises TrainergenError with the nearest one."""
    if name in FORMATS:
        return FORMATS[name]
    raise TrainergenError(
        f"unknown output format '{name}'{did_you_mean(name, FORMAT_NAMES)}",
        hint=f"Known formats: {', '.join(FORMAT_NAMES)}.",
    )


def render(name: str, report: Report, options: OutputOptions) -> str:
    """``report`` in the format called ``name``; equal reports and options give equal text."""
    renderer = cast("Renderer", import_module(get_format(name).module).render)
    return renderer(report, options)
