"""The hooks for pre-commit, in a scratch repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.manifests import GOOD, NEEDS_DATASET, RUNTIME

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / ".pre-commit-hooks.yaml"
BIN = Path(sys.executable).parent
PRE_COMMIT = BIN / "pre-commit"
UNUSED = GOOD.replace("numNodes: 2", "numNodes: 2  # trainergen: ignore[TG301]")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PRE_COMMIT.exists(), reason="pre-commit is not installed"),
    pytest.mark.skipif(not (BIN / "trainergen").exists(), reason="the command trainergen is not installed"),
]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    git(folder, "init", "--quiet")
    hooks = [
        {**{key: hook[key] for key in ("id", "name", "entry", "types_or", "require_serial")}, "language": "system"}
        for hook in yaml.safe_load(MANIFEST.read_text())
    ]
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (folder / "trainergen.yaml").write_text("release: 2.3\n")
    (folder / "ci.yaml").write_text("on: push\n")
    return folder


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def pre_commit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(folder.parent / "cache"),
        "NO_COLOR": "1",
        "PRE_COMMIT_COLOR": "never",
    }
    command = [str(PRE_COMMIT), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def run_hook(folder: Path, hook: str) -> subprocess.CompletedProcess[str]:
    git(folder, "add", ".")
    return pre_commit(folder, "run", hook)


def test_the_manifest_is_valid(tmp_path: Path) -> None:
    ran = pre_commit(tmp_path, "validate-manifest", str(MANIFEST))
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_files_that_are_no_manifests_pass(repository: Path) -> None:
    ran = run_hook(repository, "trainergen-check")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_only_what_is_committed_is_judged_and_the_repository_is_looked_up(repository: Path) -> None:
    (repository / "platform").mkdir()
    (repository / "platform" / "runtime.yaml").write_text(RUNTIME)
    (repository / "old.yaml").write_text(GOOD.replace("numNodes: 2", "numNodes: 0"))
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "before")
    (repository / "job.yaml").write_text(NEEDS_DATASET)
    ran = run_hook(repository, "trainergen-check")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "job.yaml:" in ran.stdout
    assert "dataset-initializer" in ran.stdout, "the runtime in a file that is not committed now was found"
    assert "old.yaml" not in ran.stdout


def test_the_other_hook_mends_files_and_so_stops_the_commit_once(repository: Path) -> None:
    (repository / "job.yaml").write_text(UNUSED)
    ran = run_hook(repository, "trainergen-fix")
    assert ran.returncode == 1
    assert "files were modified by this hook" in ran.stdout
    assert (repository / "job.yaml").read_text() == GOOD
    assert run_hook(repository, "trainergen-fix").returncode == 0


@pytest.mark.timeout(600)
def test_pre_commit_installs_the_hooks_from_a_checkout(tmp_path: Path, repository: Path) -> None:
    probe = [
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--no-cache-dir",
        "--dest",
        str(tmp_path / "probe"),
        "hatchling",
    ]
    if subprocess.run([sys.executable, *probe], capture_output=True, check=False).returncode:
        pytest.skip("no package registry can be reached")
    checkout = tmp_path / "checkout"
    left_out = shutil.ignore_patterns("__pycache__")
    for name in ("trainergen", "schemas"):
        shutil.copytree(ROOT / name, checkout / name, ignore=left_out)
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, checkout / name)
    git(checkout, "init", "--quiet")
    git(checkout, "add", ".")
    git(checkout, "commit", "--quiet", "--message", "checkout")
    (repository / "job.yaml").write_text(GOOD.replace("numNodes: 2", "numNodes: 0"))
    git(repository, "add", ".")
    ran = pre_commit(repository, "try-repo", str(checkout), "trainergen-check", "--files", "job.yaml")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "job.yaml:10:15: error[TG301]" in ran.stdout
