"""Pages that are followed: their commands are run one after the other, and give the output that is shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.standins import install

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.M | re.S)
_HASH = re.compile(r"(?<=-)[0-9a-f]{8}\b|(?<=sha256:)[0-9a-f]{16}\b")
"""What depends on every byte of what is generated; that it is there is all that a page is held to."""


@dataclass
class Reader:
    """Somebody who does what a page says, with trainergen, kubectl, git and a stand-in for torchrun."""

    place: Path
    env: dict[str, str]

    @property
    def here(self) -> Path:
        """The folder that the commands led to."""
        return Path(self.place.read_text().strip())

    def run(self, line: str) -> str:
        """Run one line, and stay where it leads."""
        script = f'cd "$(cat {self.place})" || exit 99\n{line}\ncode=$?\npwd >{self.place}\nexit $code'
        out = subprocess.PIPE
        done = subprocess.run(
            ["bash", "-c", script], env=self.env, stdout=out, stderr=subprocess.STDOUT, text=True, check=False
        )
        assert done.returncode in (0, 1, 2), f"$ {line}\n{done.stdout}"
        return done.stdout

    def follow(self, page: Path, after: Callable[[str], None] = lambda line: None) -> list[str]:
        """Do all that ``page`` says; ``after`` is called with each command. The commands that were run."""
        seen = []
        for kind, title, body in _BLOCK.findall(page.read_text(encoding="utf-8")):
            if kind == "console":
                for line, shown in commands(body):
                    real = self.run(line)
                    assert matches(_unhashed("\n".join(shown)), _unhashed(real)), f"$ {line}\n{real}"
                    seen.append(line)
                    after(line)
            elif kind == "diff":
                subprocess.run(["git", "apply", "-"], input=body, text=True, cwd=self.here, env=self.env, check=True)
            else:
                assert body in (self.here / title).read_text(encoding="utf-8"), body
        return seen


def reader_in(folder: Path, start: Path) -> Reader:
    """A reader who begins at ``start`` and has a home of their own in ``folder``."""
    place = folder / "place"
    place.write_text(f"{start}\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "CI"))}
    found = install(folder / "bin")
    found["PATH"] = f"{folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    named = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return Reader(place, kept | found | named | {"HOME": str(folder), "NO_COLOR": "1", "GIT_CONFIG_NOSYSTEM": "1"})


def commands(block: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a block with the lines that are shown after it."""
    shown: list[str] = []
    line = ""
    for text in block.splitlines():
        if text.startswith("$ "):
            if line:
                yield line, shown
            line, shown = text[2:], []
        else:
            shown.append(text)
    if line:
        yield line, shown


def matches(shown: list[str], real: list[str]) -> bool:
    """Whether ``real`` is what is ``shown``, where a line of one ellipsis stands for any lines."""
    pattern = "".join("(?:.*\n)*?" if line == "…" else re.escape(f"{line}\n") for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in real)) is not None


def _unhashed(text: str) -> list[str]:
    return _HASH.sub("#", text).splitlines()
