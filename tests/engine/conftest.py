"""A repository to change things in."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Repository:
    """A git repository in a folder of its own."""

    folder: Path

    def git(self, *arguments: str) -> None:
        """Run a git command, with nothing of the user's settings."""
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
        subprocess.run(["git", *identity, *arguments], cwd=self.folder, check=True, capture_output=True)

    def write(self, **files: str) -> None:
        """Write files by name; ``__`` stands for a folder's slash, and the suffix is added."""
        for name, text in files.items():
            path = self.folder / f"{name.replace('__', '/')}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def commit(self) -> None:
        """Commit everything."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "change")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """An empty repository, which is the working folder."""
    found = Repository(tmp_path)
    found.git("init", "--quiet")
    monkeypatch.chdir(tmp_path)
    return found
