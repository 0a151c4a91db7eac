"""``trainergen build``: the plan, the files, and the exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

SPEC = """\
release: 2.3
build:
  name: team
  output: {format: plain}
  environments: {dev: {}}
  runtimes: {torch: {from: torch-distributed}}
  jobs: {bert: {runtime: torch, entrypoint: torchrun /app/train.py}}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """The specification of the working folder."""
    file = tmp_path / "trainergen.yaml"
    file.write_text(SPEC)
    return file


def test_the_configuration_of_the_folder_is_built_and_the_plan_is_shown(
    trainergen: Run, spec: Path, tmp_path: Path
) -> None:
    ran = trainergen("build")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "create   deploy/dev/jobs/bert.yaml",
        "create   deploy/dev/namespace/namespace.yaml",
        "create   deploy/dev/namespace/runtime-torch.yaml",
        "3 to create, 0 to change, 0 to delete, 0 unchanged",
    ]
    assert (tmp_path / "deploy/dev/jobs/bert.yaml").is_file()
    again = trainergen("build")
    assert again.out == "0 to create, 0 to change, 0 to delete, 3 unchanged\n"


def test_check_says_whether_something_would_change_and_writes_nothing(
    trainergen: Run, spec: Path, tmp_path: Path
) -> None:
    assert trainergen("build", "--check").code == 1
    assert not (tmp_path / "deploy").exists()
    trainergen("build")
    assert trainergen("build", "--check").code == 0
    spec.write_text(SPEC.replace("bert:", "bart:"))
    ran = trainergen("build", "--check")
    assert ran.code == 1
    assert [line.split()[0] for line in ran.out.splitlines()[:2]] == ["create", "delete"]


def test_diff_prints_a_patch_and_writes_nothing(trainergen: Run, spec: Path, tmp_path: Path) -> None:
    trainergen("build")
    spec.write_text(SPEC.replace("train.py", "main.py"))
    ran = trainergen("build", "--diff")
    assert ran.code == 0
    assert "-    - /app/train.py\n+    - /app/main.py\n" in ran.out.replace("- torchrun\n     ", "")
    assert "change   deploy/dev/jobs/bert.yaml" in ran.err
    assert "train.py" in (tmp_path / "deploy/dev/jobs/bert.yaml").read_text()


def test_an_edited_file_stops_the_build_unless_it_is_forced(trainergen: Run, spec: Path, tmp_path: Path) -> None:
    trainergen("build")
    edited = tmp_path / "deploy/dev/jobs/bert.yaml"
    edited.write_text(edited.read_text() + "# mine\n")
    ran = trainergen("build")
    assert ran.code == 2
    assert "conflict deploy/dev/jobs/bert.yaml: was edited by hand" in ran.out
    assert "error: deploy/dev/jobs/bert.yaml was edited by hand" in ran.err
    assert trainergen("build", "--diff").code == 1
    assert "# mine" in edited.read_text()
    assert trainergen("build", "--force").code == 0
    assert "# mine" not in edited.read_text()


def test_another_folder_format_and_file_can_be_named(trainergen: Run, spec: Path, tmp_path: Path) -> None:
    other = spec.rename(tmp_path / "other.yaml")
    ran = trainergen("build", str(other), "-o", "out", "--format", "kustomize", "--delivery", "none")
    assert ran.code == 0
    assert (tmp_path / "out/teams/team/jobs/overlays/dev/kustomization.yaml").is_file()


def test_faults_are_told_with_their_places(trainergen: Run, spec: Path) -> None:
    spec.write_text(SPEC.replace("runtime: torch", "runtime: tourch"))
    ran = trainergen("build")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("error: trainergen.yaml:7:26: there is no runtime 'tourch' (did you mean 'torch'?)")


def test_without_a_specification_it_says_how_to_start(trainergen: Run) -> None:
    ran = trainergen("build")
    assert ran.code == 2
    assert "there is no trainergen.yaml here or above" in ran.err
    assert "trainergen init" in ran.err


def test_check_reads_the_settings_beside_a_specification(trainergen: Run, spec: Path) -> None:
    trainergen("build")
    ran = trainergen("check", "deploy", "--profile", "minimal")
    assert ran.code == 0
    assert "release: Trainer 2.3 (set in trainergen.yaml)" in ran.out


def test_the_delivery_finds_the_tree_from_the_root_of_the_repository(
    trainergen: Run, spec: Path, tmp_path: Path
) -> None:
    url = "https://git.example.com/x.git"
    below = tmp_path / "teams/one"
    below.mkdir(parents=True)
    output = f"{{format: plain, delivery: flux, repository: '{url}'}}"
    (below / "spec.yaml").write_text(SPEC.replace("{format: plain}", output))
    for arguments, folder in (((), "teams/one/deploy"), (("-o", "other"), "other")):
        assert trainergen("build", "teams/one/spec.yaml", *arguments).code == 0
        texts = [path.read_text() for path in (tmp_path / folder / "flux").rglob("*.yaml")]
        assert any(f"path: ./{folder}/dev/jobs\n" in text for text in texts)


def test_a_run_is_found_by_its_key(trainergen: Run, spec: Path, tmp_path: Path) -> None:
    trainergen("build")
    ran = trainergen("render", "deploy", "--job", "bert")
    assert ran.code == 0
    assert "kind: JobSet\n" in ran.out
    assert "name: bert-" in ran.out
    assert trainergen("render", "deploy", "--job", "bart").code == 2
