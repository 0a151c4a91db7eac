"""Writing fixed files: in one step, where they are, and only where they may be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from trainergen.fixing.files import STDIN, DiskFiles, WriteError, replace_file


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_file_gets_its_new_bytes_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"old\r\n")
    file.chmod(0o640)
    replace_file("a.yaml", b"old\r\n", b"new\r\n")
    assert file.read_bytes() == b"new\r\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(WriteError, match="is read-only"):
        replace_file("a.yaml", b"old", b"new")
    assert file.read_bytes() == b"old"


def test_a_file_that_changed_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"theirs")
    with pytest.raises(WriteError, match="was changed by somebody else meanwhile"):
        replace_file("a.yaml", b"old", b"new")
    assert (tmp_path / "a.yaml").read_bytes() == b"theirs"


def test_a_failure_while_writing_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.yaml").write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("trainergen.fixing.files.os.replace", full)
    with pytest.raises(WriteError, match="cannot be written: no space left on device"):
        replace_file("a.yaml", b"old", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.yaml": b"old"}


def test_one_file_that_cannot_be_written_does_not_keep_the_others(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"old")
    files = DiskFiles(["."])
    for name in ("a", "b"):
        files.read(files.identity(name))
    (tmp_path / "a").write_bytes(b"theirs")
    failures = files.write({files.identity(name): b"new" for name in ("a", "b")})
    assert failures == [(str(tmp_path / "a"), "was changed by somebody else meanwhile")]
    assert (tmp_path / "b").read_bytes() == b"new"


def test_a_link_inside_the_checked_folder_is_written_at_its_target(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "real.yaml").write_bytes(b"old")
    (tmp_path / "tree" / "link.yaml").symlink_to("real.yaml")
    files = DiskFiles(["tree"])
    assert files.identity("tree/link.yaml") == files.identity("tree/real.yaml")
    assert files.obstacle("tree/link.yaml") == ""
    files.read(files.identity("tree/link.yaml"))
    assert files.write({files.identity("tree/link.yaml"): b"new"}) == []
    assert (tmp_path / "tree" / "link.yaml").is_symlink()
    assert (tmp_path / "tree" / "real.yaml").read_bytes() == b"new"


@pytest.mark.parametrize("named", ["tree", "tree/link.yaml", "tree/*.yaml"])
def test_a_link_out_of_the_checked_paths_is_not_followed(tmp_path: Path, named: str) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "outside.yaml").write_bytes(b"old")
    (tmp_path / "tree" / "link.yaml").symlink_to("../outside.yaml")
    assert DiskFiles([named]).obstacle("tree/link.yaml").startswith("is a link that leads out of the checked paths")


def test_a_folder_reached_through_a_link_is_the_checked_folder_when_it_was_named(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.yaml").write_bytes(b"")
    (tmp_path / "named").symlink_to("real")
    assert DiskFiles(["named"]).obstacle("named/a.yaml") == ""
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "sub").symlink_to("../real")
    assert DiskFiles(["tree"]).obstacle("tree/sub/a.yaml") != ""


def test_a_file_that_was_not_named_may_not_be_changed(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_bytes(b"")
    files = DiskFiles(["a.yaml"])
    assert files.obstacle("a.yaml") == ""
    assert files.obstacle("b.yaml") == "lies out of the checked paths, so it is not changed"


def test_standard_input_is_read_and_never_written() -> None:
    files = DiskFiles(["-"], stdin=b"text", stdin_name="x.yaml")
    assert files.identity("x.yaml") == STDIN
    assert files.read(STDIN) == b"text"
    assert files.write({STDIN: b"new"}) == []
    assert os.listdir() == []  # noqa: PTH208
