"""Diffs that git applies."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from trainergen.fixing.unified import diff

PAIRS = {
    "a line in the middle": (b"a\nb\nc\n", b"a\nx\nc\n"),
    "carriage returns": (b"a\r\nb\r\n", b"a\r\nx\r\n"),
    "no line break at the end": (b"a\nb", b"a\nx"),
    "a line break that is new": (b"a\nb", b"a\nb\n"),
    "bytes that are no text": (b"\xff\nb\n", b"\xff\nx\n"),
    "everything gone": (b"a\n", b""),
}


@pytest.mark.parametrize(("old", "new"), PAIRS.values(), ids=PAIRS)
def test_git_makes_the_new_file_of_the_old_one(tmp_path: Path, old: bytes, new: bytes) -> None:
    (tmp_path / "f.yaml").write_bytes(old)
    subprocess.run(
        ["git", "apply", "--allow-empty", "-"],
        cwd=tmp_path,
        input=diff("f.yaml", old, new),
        check=True,
        capture_output=True,
    )
    assert (tmp_path / "f.yaml").read_bytes() == new


@pytest.mark.parametrize("name", ["a b.yaml", 'a "b".yaml', "a\tb.yaml", "a\nb.yaml", "a\\b.yaml", "ü.yaml"])
def test_git_finds_the_file_whatever_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"a\n")
    changed = diff(name, b"a\n", b"b\n")
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=changed, check=True, capture_output=True)
    assert (tmp_path / name).read_bytes() == b"b\n"


def test_equal_bytes_have_no_diff() -> None:
    assert diff("f.yaml", b"a\n", b"a\n") == b""
