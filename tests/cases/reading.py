"""Reading of case files: Markdown with inputs, a command and the findings that are expected of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from trainergen.rules.documentation import Block, blocks_in

FOLDER = Path(__file__).parent
_CASE = re.compile(r"^## (.+)$", re.MULTILINE)
_EXPECTED = re.compile(r"^- `([^`]+):(\d+)` (TG\d{3}): (.+)$", re.MULTILINE)
_COMMAND = re.compile(r"^\$ trainergen (.+)$", re.MULTILINE)
_NOTHING = "No findings."


@dataclass(frozen=True)
class Expected:
    """A finding: its line, its check, and words of its message."""

    file: str
    line: int
    rule: str
    words: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}: {self.words}"


@dataclass(frozen=True)
class Case:
    """One case: files, the arguments of the command, and what it must find, in order."""

    name: str
    blocks: tuple[Block, ...]
    arguments: tuple[str, ...]
    expected: tuple[Expected, ...]


def read_cases(file: Path) -> list[Case]:
    """The cases of a file; ValueError says what one lacks."""
    pieces = _CASE.split(file.read_text(encoding="utf-8"))
    return [_case(f"{file.stem}: {name}", body) for name, body in zip(pieces[1::2], pieces[2::2], strict=True)]


def all_cases() -> list[Case]:
    return [case for file in sorted(FOLDER.glob("*.md")) if file.stem != "README" for case in read_cases(file)]


def _case(name: str, body: str) -> Case:
    blocks = list(blocks_in(body))
    console = next((block for block in blocks if block.language == "console"), None)
    command = _COMMAND.search(console.text) if console else None
    prose = re.sub(r"^```.*?^```$", "", body, flags=re.MULTILINE | re.DOTALL)
    expected = tuple(Expected(file, int(line), rule, words) for file, line, rule, words in _EXPECTED.findall(prose))
    if command is None:
        raise ValueError(f"{name}: there is no console block with '$ trainergen …'")
    if bool(expected) == (_NOTHING in prose):
        raise ValueError(f"{name}: list the findings, or write '{_NOTHING}'")
    files = tuple(block for block in blocks if block.language != "console")
    return Case(name, files, tuple(command.group(1).split()), expected)
