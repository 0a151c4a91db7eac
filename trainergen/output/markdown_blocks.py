"""What pages in Markdown are made of: findings as items of a list, and fenced text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.output.markdown import escape
from trainergen.output.phrases import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding

_FENCES = re.compile("`{3,}")


def finding_lines(finding: Finding) -> Iterator[str]:
    """A finding as an item, with the text to write below it."""
    first, *others = finding.help.split("\n")
    head = f"- **{finding.severity} {finding.rule}** {escape(place_of(finding))}"
    yield f"{head}: {escape(finding.message)}. {escape(first)}"
    if others:
        yield from (f"  {line}" for line in fenced("\n".join(others), "yaml"))


def fenced(text: str, language: str) -> Iterator[str]:
    """A block of code, its fence longer than any in the text."""
    fence = "`" * max([3, *(len(found) + 1 for found in _FENCES.findall(text))])
    yield f"{fence}{language}"
    yield from text.split("\n")
    yield fence
