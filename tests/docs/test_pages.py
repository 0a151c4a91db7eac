"""Every command of the tutorial and of the pages about single commands, with the output that is shown."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.docs.reading import DOCS, commands, matches, reader_in


def test_the_tutorial_can_be_followed(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    reader = reader_in(tmp_path, tmp_path / "empty")

    def with_origin(line: str) -> None:
        """The remote that the reader is taken to have, once there is a first commit."""
        if line.startswith("git commit -qm"):
            origin = tmp_path / "origin.git"
            for each in (f"git init -q --bare {origin}", f"git remote add origin {origin}", "git push -q origin main"):
                assert reader.run(each) == ""

    seen = reader.follow(DOCS / "tutorial.md", with_origin)
    assert len(seen) > 20
    used = {line.split()[1] for line in seen if line.startswith("trainergen ")}
    assert used == {"init", "build", "check", "render", "run-plan", "diff"}


@pytest.mark.parametrize("page", ["run-plan", "new"])
def test_a_page_shows_what_comes_out(page: str, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    if page == "run-plan":
        shutil.copytree(DOCS.parent / "examples" / "valid", repository / "examples" / "valid")
    assert reader_in(tmp_path, repository).follow(DOCS / f"{page}.md")


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


def test_a_block_is_its_commands_with_their_output() -> None:
    assert list(commands("$ a\nb\n$ c\n$ d\ne\n")) == [("a", ["b"]), ("c", []), ("d", ["e"])]
