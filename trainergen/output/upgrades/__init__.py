"""Upgrades as text, JSON, Markdown and HTML; a format's module is imported only when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.upgrade.report import UpgradeReport

FORMATS = ("text", "json", "markdown", "html")


def render(name: str, report: UpgradeReport, *, colour: bool = False) -> str:
    """``report`` in one of FORMATS; equal reports give equal text. Only ``text`` takes colour."""
    if name == "json":
        from trainergen.output.upgrades import json_format

        return json_format.render(report)
    if name == "markdown":
        from trainergen.output.upgrades import markdown

        return markdown.render(report)
    if name == "html":
        from trainergen.output.upgrades import html

        return html.render(report)
    from trainergen.output.upgrades import text

    return text.render(report, colour=colour)
