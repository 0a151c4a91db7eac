"""Every command of the tutorial, one after the other in one folder, with the output that the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.standins import install

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.M | re.S)
HASH = re.compile(r"(?<=-)[0-9a-f]{8}\b|(?<=sha256:)[0-9a-f]{16}\b")
"""What depends on every byte of what is generated; that it is there is all that the page is held to."""


@dataclass
class Reader:
    """Somebody who does what the page says."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    def run(self, line: str) -> str:
        """Run one line, and stay where it leads."""
        place = self.env["TUTORIAL_PLACE"]
        script = f'cd "$(cat {place})" || exit 99\n{line}\ncode=$?\npwd >{place}\nexit $code'
        done = subprocess.run(
            ["bash", "-c", script],
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1, 2), f"{line}\n{done.stdout}"
        return done.stdout

    @property
    def here(self) -> Path:
        return Path(Path(self.env["TUTORIAL_PLACE"]).read_text().strip())


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """With trainergen, kubectl, git and a stand-in for torchrun; ``origin`` gets what is on main."""
    place = tmp_path / "place"
    (tmp_path / "empty").mkdir()
    place.write_text(f"{tmp_path / 'empty'}\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "CI"))}
    found = install(tmp_path / "bin")
    found["PATH"] = f"{tmp_path / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    named = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    here = {"HOME": str(tmp_path), "NO_COLOR": "1", "TUTORIAL_PLACE": str(place), "GIT_CONFIG_NOSYSTEM": "1"}
    return Reader(tmp_path, kept | found | named | here)


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


def unhashed(text: str) -> list[str]:
    return HASH.sub("#", text).splitlines()


def with_origin(reader: Reader) -> None:
    """The remote that the reader is taken to have, once there is a first commit."""
    origin = reader.folder / "origin.git"
    for line in (f"git init -q --bare {origin}", f"git remote add origin {origin}", "git push -q origin main"):
        assert reader.run(line) == ""


def test_the_tutorial_can_be_followed(reader: Reader) -> None:
    seen = []
    for kind, title, body in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "console":
            for line, shown in commands(body):
                seen.append(line)
                real = reader.run(line)
                wanted = unhashed("\n".join(shown))
                assert matches(wanted, unhashed(real)), f"$ {line}\n{real}"
                if line.startswith("git commit -qm"):
                    with_origin(reader)
        elif kind == "diff":
            subprocess.run(["git", "apply", "-"], input=body, text=True, cwd=reader.here, env=reader.env, check=True)
        else:
            assert kind == "yaml"
            assert body in (reader.here / title).read_text(encoding="utf-8"), body
    assert len(seen) > 20
    assert {line.split()[1] for line in seen if line.startswith("trainergen ")} == {
        "init",
        "build",
        "check",
        "render",
        "run-plan",
        "diff",
    }


MATCHES = {
    "the same": (["a", "b"], ["a", "b"], True),
    "nothing": ([], [], True),
    "another line": (["a"], ["b"], False),
    "one too many": (["a"], ["a", "b"], False),
    "an ellipsis": (["a", "…", "d"], ["a", "b", "c", "d"], True),
    "an ellipsis for nothing": (["a", "…"], ["a"], True),
    "the end is missing": (["a", "…", "d"], ["a", "b"], False),
}


@pytest.mark.parametrize("case", MATCHES)
def test_output_is_compared_line_by_line(case: str) -> None:
    shown, real, expected = MATCHES[case]
    assert matches(shown, real) is expected
