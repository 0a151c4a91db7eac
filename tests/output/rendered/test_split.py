"""One file for each object: their names, and what is never overwritten."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trainergen.errors import TrainergenError
from trainergen.output.rendered.split import MARKER, SplitFolder, file_name

if TYPE_CHECKING:
    from trainergen.finding import JsonObject


def made(name: str = "tj", kind: str = "JobSet", namespace: str = "ml") -> JsonObject:
    return {"kind": kind, "metadata": {"name": name, "namespace": namespace}}


def test_a_file_is_named_by_namespace_kind_and_name() -> None:
    assert file_name(made()) == "ml.jobset.tj.yaml"


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "a\\b", "a\0b", "a\nb", "…", "x" * 300, "con:", ".", " "])
def test_whatever_a_name_holds_the_file_stays_in_its_folder(name: str, tmp_path: Path) -> None:
    path = SplitFolder(tmp_path / "out").write(made(name), "a: 1\n", of="x")
    assert path.parent == tmp_path / "out"
    assert path.read_text() == MARKER + "a: 1\n"
    assert len(path.name) <= 255


def test_unsafe_names_do_not_collide() -> None:
    assert len({file_name(made(name)) for name in ("a/b", "a\\b", "a b", "a-b")}) == 4


def test_a_second_run_overwrites_the_first_and_leaves_no_other_file(tmp_path: Path) -> None:
    for text in ("a: 1\n", "a: 2\n"):
        SplitFolder(tmp_path).write(made(), text, of="x")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("ml.jobset.tj.yaml", MARKER + "a: 2\n")]


def test_a_file_that_was_not_generated_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "ml.jobset.tj.yaml"
    mine.write_text("# mine\n")
    with pytest.raises(TrainergenError, match="was not generated") as caught:
        SplitFolder(tmp_path).write(made(), "a: 1\n", of="x")
    assert caught.value.exit_code == 2
    assert mine.read_text() == "# mine\n"


def test_links_and_folders_are_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text(MARKER)
    (tmp_path / "ml.jobset.tj.yaml").symlink_to(target)
    (tmp_path / "ml.secret.tj.yaml").mkdir()
    for kind in ("JobSet", "Secret"):
        with pytest.raises(TrainergenError):
            SplitFolder(tmp_path).write(made(kind=kind), "a: 1\n", of="x")
    assert target.read_text() == MARKER


def test_two_trainjobs_of_one_name_are_no_silent_loss(tmp_path: Path) -> None:
    folder = SplitFolder(tmp_path)
    folder.write(made(), "a: 1\n", of="dev")
    with pytest.raises(TrainergenError, match="an object of prod and of dev"):
        folder.write(made(), "a: 2\n", of="prod")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_folder_that_cannot_be_written_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(TrainergenError, match="cannot be written") as caught:
        SplitFolder(tmp_path / "out").write(made(), "a: 1\n", of="x")
    assert caught.value.hint


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(TrainergenError, match="cannot be written"):
        SplitFolder(tmp_path / "out").write(made(), "a: 1\n", of="x")
