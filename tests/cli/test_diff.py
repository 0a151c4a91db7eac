"""``trainergen diff`` as people and pipelines use it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import Ran
from tests.manifests import GOOD

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

Run = Callable[..., Ran]
EXAMPLES = Path(__file__).parents[2] / "examples"
HOPS = [("2.1", "2.2"), ("2.2", "2.3"), ("2.1", "2.3")]


@pytest.fixture
def examples(trainergen: Run, tmp_path: Path) -> Run:
    """The command line in a folder with the valid examples and those for upgrades."""
    for name in ("valid", "upgrade"):
        shutil.copytree(EXAMPLES / name, tmp_path / "examples" / name)
    return trainergen


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def committed(trainergen: Run, tmp_path: Path) -> Run:
    """The command line in a repository with one TrainJob."""
    (tmp_path / ".git").rmdir()
    git(tmp_path, "init")
    (tmp_path / "job.yaml").write_text(GOOD)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "start")
    return trainergen


@pytest.mark.parametrize(("old", "new"), HOPS, ids=[f"{old} to {new}" for old, new in HOPS])
def test_the_examples_change_between_releases_as_recorded(
    examples: Run, old: str, new: str, snapshot: SnapshotAssertion
) -> None:
    ran = examples("diff", "examples", "--from-release", old, "--to-release", new)
    assert ran.code == 1
    assert ran.out == snapshot


@pytest.mark.parametrize(("format_", "suffix"), [("json", "json"), ("markdown", "md")])
def test_formats_for_machines_are_as_recorded(
    examples: Run, format_: str, suffix: str, snapshot_as: Callable[[str], SnapshotAssertion]
) -> None:
    ran = examples("diff", "examples/upgrade", "--from-release=2.1", "--to-release=2.3", "--format", format_)
    assert ran.out == snapshot_as(suffix)


def test_a_revision_is_compared_with_the_working_tree(committed: Run, tmp_path: Path) -> None:
    assert committed("diff", "--base", "HEAD").code == 0
    (tmp_path / "job.yaml").write_text(GOOD.replace("numNodes: 2", "numNodes: 3"))
    ran = committed("diff", "--base", "HEAD", "--release", "2.3")
    assert ran.code == 1
    assert "~ spec.trainer [refused]" in ran.out
    assert "in all: Pods 2 → 3" in ran.out
    assert "HEAD → working tree, for Trainer 2.3 (--release)" in ran.out


def test_all_three_options_compare_an_upgrade(committed: Run) -> None:
    ran = committed("diff", "--base", "HEAD", "--from-release", "2.2", "--to-release", "2.3")
    assert ran.code == 1
    assert "HEAD on Trainer 2.2 → working tree on Trainer 2.3" in ran.out
    assert "+ ConfigMap mnist-runtime-snapshot  [cosmetic]" in ran.out


def test_a_release_that_is_left_out_is_that_of_the_repository(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(GOOD)
    (tmp_path / "trainergen.yaml").write_text("release: '2.2'\n")
    made = json.loads(trainergen("diff", "--to-release", "2.3", "--format", "json").out)
    assert (made["old"]["release"], made["new"]["release"]) == ("2.2", "2.3")
    made = json.loads(trainergen("diff", "--from-release", "2.1", "--format", "json").out)
    assert (made["old"]["release"], made["new"]["release"]) == ("2.1", "2.2")


@pytest.mark.parametrize(
    ("impact", "code"),
    [("cosmetic", 1), ("nothing", 1), ("restart", 1), ("resources", 0), ("processes", 0), ("refused", 0)],
)
def test_the_exit_code_can_wait_for_a_worse_impact(trainergen: Run, tmp_path: Path, impact: str, code: int) -> None:
    (tmp_path / "job.yaml").write_text(GOOD)
    ran = trainergen("diff", "--from-release", "2.2", "--to-release", "2.3", "--fail-on", impact)
    assert ran.code == code, "the release ships another image"


def test_what_could_not_be_read_decides_over_the_exit_code(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(GOOD)
    ran = trainergen("diff", "job.yaml", "typo.yaml", "--from-release", "2.2", "--to-release", "2.3")
    assert ran.code == 2
    assert "typo.yaml" in ran.out


def test_manifests_come_from_standard_input_too(
    trainergen: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "in").write_text(GOOD)
    with (tmp_path / "in").open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        ran = trainergen("diff", "-", "--from-release", "2.2", "--to-release", "2.3", "--stdin-filename", "built")
    assert "~ TrainJob team-a/mnist  built" in ran.out


def test_reports_are_written_to_files_too(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(GOOD)
    outputs = ("--output", "markdown=comment.md", "--output", "json=diff.json")
    assert trainergen("diff", "--from-release", "2.2", "--to-release", "2.3", *outputs).code == 1
    assert (tmp_path / "comment.md").read_text().startswith("<!-- trainergen-diff -->\n")
    assert json.loads((tmp_path / "diff.json").read_text())["summary"]["worst"] == "restart"


WRONG = {
    "nothing to compare with": ((), "nothing to compare with"),
    "twice the same release": (("--from-release", "2.3", "--to-release", "2.3"), "nothing can differ"),
    "an unknown release": (("--from-release", "1.9"), "1.9"),
    "a third release": (("--from-release=2.1", "--to-release=2.3", "--release=2.2"), "--release has no meaning"),
    "an unknown revision": (("--base", "nowhere"), "git cannot find 'nowhere'"),
    "a format for findings": (("--base", "HEAD", "--output", "sarif=a.sarif"), "cannot be written as"),
    "an unknown impact": (("--base", "HEAD", "--fail-on", "bad"), "'bad' is not one of"),
    "standard input and a revision": (("-", "--base", "HEAD"), "standard input has no base revision"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_makes_no_sense_is_explained(committed: Run, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments, message = WRONG[case]
    with Path("job.yaml").open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        ran = committed("diff", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_the_readme_shows_real_output(examples: Run) -> None:
    readme = (EXAMPLES.parent / "README.md").read_text()
    command = "trainergen diff examples/upgrade/merged-resources.yaml --from-release 2.2 --to-release 2.3"
    shown = readme.partition(f"$ {command}\n")[2].partition("\n…\n")[0]
    assert shown
    assert examples(*command.split()[1:]).out.startswith(shown)
