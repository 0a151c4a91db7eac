"""The copy in which tools run."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainergen.built import sandbox as module
from trainergen.built.sandbox import Sandbox, TooLargeError


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "tree"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "file").write_text("text")
    return folder


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    (tmp_path / "sandbox").mkdir()
    return Sandbox(tmp_path / "sandbox")


def test_a_file_is_copied_to_its_own_path(tree: Path, sandbox: Sandbox) -> None:
    assert sandbox.take(tree / "b" / ".." / "a" / "file") == tree / "a" / "file"
    assert sandbox.place(tree / "a" / "file").read_text() == "text"
    assert sandbox.files == {tree / "a" / "file": b"text"}


def test_a_link_leads_to_the_copy(tree: Path, sandbox: Sandbox) -> None:
    (tree / "link").symlink_to(tree / "a")
    assert sandbox.take(tree / "link" / "file") == tree / "a" / "file"
    place = sandbox.place(tree / "link")
    assert place.is_symlink()
    assert place.resolve() == sandbox.place(tree / "a")
    assert (place / "file").read_text() == "text"


def test_writing_in_the_copy_leaves_the_tree_alone(tree: Path, sandbox: Sandbox) -> None:
    (tree / "link").symlink_to("a/file")
    sandbox.take(tree / "link")
    sandbox.place(tree / "link").write_text("other")
    assert (tree / "a" / "file").read_text() == "text"


def test_links_that_go_round_end(tree: Path, sandbox: Sandbox) -> None:
    (tree / "x").symlink_to("y")
    (tree / "y").symlink_to("x")
    (tree / "a" / "up").symlink_to("..")
    sandbox.take(tree / "x")
    sandbox.take_folder(tree / "a")
    assert sandbox.files == {tree / "a" / "file": b"text"}


def test_what_is_no_file_is_not_copied(tree: Path, sandbox: Sandbox) -> None:
    import os

    os.mkfifo(tree / "pipe")
    sandbox.take_folder(tree)
    assert sandbox.files == {tree / "a" / "file": b"text"}


def test_a_given_text_stands_for_a_file(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    sandbox = Sandbox(tmp_path / "other", {str(tree / "a" / "file"): b"given"})
    sandbox.take(tree / "a" / "file")
    assert sandbox.place(tree / "a" / "file").read_bytes() == b"given"


def test_too_much_is_not_copied(tree: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_BYTES", 3)
    sandbox.take(tree / "a" / "file")
    assert sandbox.files == {}, "a file by itself that is too large is none"
    monkeypatch.setattr(module, "_MOST_BYTES", 6)
    (tree / "b").write_text("more")
    with pytest.raises(TooLargeError):
        sandbox.take_folder(tree)


def test_messages_lose_the_place_of_the_copy(tree: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    text = f"no '{sandbox.place(tree / 'a')}' and no '{sandbox.place(Path('/etc'))}'"
    assert sandbox.without_places(text) == "no 'a' and no '/etc'"
