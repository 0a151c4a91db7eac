"""The documentation of a rule, taken apart: why, bad and good, and their examples as small trees of files."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

HEADINGS = ("Why", "Bad", "Good")
BASE = "base:"
"""The beginning of a block's title when the file is the one at ``--base``."""
MARK = "# <-"
"""The comment behind a line that a finding must be placed on."""
DEFAULT_TITLE = "manifest.yaml"

_HEADING = re.compile(r"^## (\w[\w ]*)$", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A code block: the file it stands for and its text."""

    title: str
    text: str
    language: str = "yaml"

    @property
    def is_base(self) -> bool:
        """Whether the file is one of the base revision."""
        return self.title.startswith(BASE)

    @property
    def file(self) -> str:
        """The file's name."""
        return self.title.removeprefix(BASE)

    @property
    def marked_lines(self) -> list[int]:
        """The lines that a finding is expected on."""
        return [number for number, line in enumerate(self.text.splitlines(), 1) if line.rstrip().endswith(MARK)]

    @property
    def plain(self) -> str:
        """The text without marks, as it is shown."""
        return re.sub(rf"[ \t]*{re.escape(MARK)}[ \t]*$", "", self.text, flags=re.MULTILINE)


class Documentation(NamedTuple):
    """A rule's documentation."""

    summary: str
    """The first line, one sentence."""
    sections: dict[str, str]
    """The text below each heading, blocks included."""

    def blocks(self, heading: str) -> list[Block]:
        """The blocks of a section, in order."""
        return list(blocks_in(self.sections.get(heading, "")))

    def faults(self) -> Iterator[str]:
        """What is missing."""
        for heading in HEADINGS:
            if not self.sections.get(heading, "").strip():
                yield f"there is no section '## {heading}'"
            elif heading != "Why" and not self.blocks(heading):
                yield f"the section '## {heading}' has no code block"


def documentation_of(function: Callable[..., object]) -> Documentation:
    """The documentation in a rule's docstring."""
    text = inspect.cleandoc(function.__doc__ or "")
    pieces = _HEADING.split(text)
    summary = " ".join(pieces[0].split())
    return Documentation(
        summary, {name: body.strip() + "\n" for name, body in zip(pieces[1::2], pieces[2::2], strict=True)}
    )


def blocks_in(text: str) -> Iterator[Block]:
    """The code blocks of a Markdown text."""
    for language, title, body in _BLOCK.findall(text):
        yield Block(title or DEFAULT_TITLE, body, language)
