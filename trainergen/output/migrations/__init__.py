"""Migrations as text, JSON, Markdown and HTML; a format's module is imported only when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.migrate.report import MigrateReport

FORMATS = ("text", "json", "markdown", "html")


def render(name: str, report: MigrateReport) -> str:
    """``report`` in one of FORMATS; equal reports give equal text."""
    if name == "json":
        from trainergen.output.migrations import json_format

        return json_format.render(report)
    if name == "markdown":
        from trainergen.output.migrations import markdown

        return markdown.render(report)
    if name == "html":
        from trainergen.output.migrations import html

        return html.render(report)
    from trainergen.output.migrations import text

    return text.render(report)
