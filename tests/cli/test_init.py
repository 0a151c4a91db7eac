"""`trainergen init`: a start that builds and is clean, and nothing of the user's is ever written over."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import trainergen as api
from tests.cli.conftest import Ran
from tests.overlays.kustomize import build, kustomization, write

Run = Callable[..., Ran]
FILES = [
    ".github/workflows/trainergen.yaml",
    ".gitignore",
    ".pre-commit-config.yaml",
    "jobs/hello.py",
    "trainergen.yaml",
]
RELEASES = ("2.0", "2.1", "2.2", "2.3")


def files(folder: Path = Path()) -> list[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in found if path.parts[0] != ".git")


def contents(folder: Path = Path()) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in files(folder)}


def test_it_says_what_it_writes(trainergen: Run) -> None:
    ran = trainergen("init", "--name", "vision", "--release", "2.3")
    assert ran.code == 0
    assert sorted(line.split()[1] for line in ran.out.splitlines()) == FILES == files()
    assert {line.split()[0] for line in ran.out.splitlines()} == {"create"}
    assert ran.err == "Next: change trainergen.yaml, then 'trainergen build' and 'trainergen check --build'.\n"


def test_the_files(trainergen: Run, snapshot_as: Callable[[str], object]) -> None:
    trainergen("init", "--name", "vision", "--release", "2.3")
    texts = {name: Path(name).read_text(encoding="utf-8") for name in FILES}
    whole = "".join(f"==> {name}\n{text}\n" for name, text in texts.items())
    assert whole.replace(api.__version__, "VERSION") == snapshot_as("txt")


@pytest.mark.parametrize("release", RELEASES)
def test_what_it_starts_can_be_built(trainergen: Run, release: str) -> None:
    trainergen("init", "--name", "vision", "--release", release)
    assert trainergen("build").code == 0
    jobs = build(Path("deploy/teams/vision/jobs/overlays/prod"))
    assert {each["kind"] for each in jobs} == {"TrainJob", "ConfigMap"}
    assert trainergen("build", "--check").code == 0
    report = api.check("deploy", release=release, profile="production", build=True)
    assert [each for each in report.findings if each.refuses] == []
    if release in ("2.2", "2.3"):
        assert report.findings == ()


def test_a_second_time_changes_nothing(trainergen: Run) -> None:
    trainergen("init", "--name", "vision", "--release", "2.3")
    before = contents()
    ran = trainergen("init")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == ["keep", "same", "same", "same"]
    assert contents() == before


def test_nothing_is_ever_written_over(trainergen: Run) -> None:
    mine = {name: f"# mine, {name}\n" for name in FILES if name != "trainergen.yaml"}
    write(Path(), mine)
    ran = trainergen("init", "--name", "vision", "--release", "2.3")
    assert ran.code == 0
    assert {name: Path(name).read_text() for name in mine} == mine
    assert (
        "jobs/hello.py, .pre-commit-config.yaml, .github/workflows/trainergen.yaml, .gitignore stays as it is"
        in ran.err
    )
    assert Path("trainergen.yaml").is_file()


def test_a_link_that_leads_nowhere_is_not_followed(trainergen: Run, tmp_path: Path) -> None:
    Path(".gitignore").symlink_to(tmp_path / "elsewhere")
    assert trainergen("init", "--name", "vision", "--release", "2.3").code == 0
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("name", ["trainergen.yml", ".trainergen.yaml"])
def test_a_repository_with_a_configuration_gets_no_second_one(trainergen: Run, name: str) -> None:
    Path(name).write_text("release: '2.2'\n")
    ran = trainergen("init")
    assert ran.code == 0
    assert not Path("trainergen.yaml").exists()
    assert not Path("jobs").exists()
    assert trainergen("check").code == 0


def test_another_folder_is_made(trainergen: Run) -> None:
    ran = trainergen("init", "a/Team 7!", "--release", "2.3")
    assert ran.code == 0
    assert files(Path("a/Team 7!")) == FILES
    assert yaml.safe_load(Path("a/Team 7!/trainergen.yaml").read_text())["build"]["name"] == "team-7"


def test_the_ci_is_that_of_the_remote(trainergen: Run) -> None:
    Path(".git/config").write_text('[remote "origin"]\n\turl = git@gitlab.example.org:a/b.git\n')
    trainergen("init", "--name", "vision")
    assert Path(".gitlab-ci.yml").is_file()
    assert not Path(".github").exists()
    assert "script" in yaml.safe_load(Path(".gitlab-ci.yml").read_text())["trainergen"]


def test_the_ci_can_be_left_out(trainergen: Run) -> None:
    trainergen("init", "--name", "vision", "--ci", "none")
    assert not Path(".github").exists()
    assert not Path(".gitlab-ci.yml").exists()


@pytest.mark.parametrize("name", ["Vision", "7", "a" * 31, "-a", "a-", ""])
def test_a_name_that_is_none_is_refused(trainergen: Run, name: str) -> None:
    ran = trainergen("init", "--name", name)
    assert (ran.code, files()) == (2, [])
    assert f"--name: '{name}' is no name for a team" in ran.err


def test_pre_commit_takes_the_hooks(trainergen: Run) -> None:
    trainergen("init", "--name", "vision")
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config", ".pre-commit-config.yaml"],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")


def commands() -> list[str]:
    """What the hooks and the CI run."""
    hooks = yaml.safe_load(Path(".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    steps = yaml.safe_load(Path(".github/workflows/trainergen.yaml").read_text())["jobs"]["check"]["steps"]
    return [hook["entry"] for hook in hooks] + [each["run"] for each in steps if "trainergen " in each.get("run", "")]


def test_what_hooks_and_ci_run_succeeds(trainergen: Run, tmp_path: Path) -> None:
    trainergen("init", "--name", "vision", "--release", "2.3")
    trainergen("build")
    git = shutil.which("git")
    assert git
    (tmp_path / ".git").rmdir()
    told = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    env = os.environ | told | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "GITHUB_BASE_REF": "main"}
    env["GITHUB_STEP_SUMMARY"] = str(tmp_path / ".git" / "summary.md")
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        ["commit", "-qm", "a"],
        ["update-ref", "refs/remotes/origin/main", "HEAD"],
    ):
        subprocess.run([git, *words], check=True, env=env)
    found = commands()
    assert len(found) == 5
    for line in found:
        done = subprocess.run(["sh", "-e", "-c", line], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (line, done.stdout, done.stderr)


@pytest.mark.parametrize("release", RELEASES)
def test_the_component_is_for_the_release(trainergen: Run, release: str) -> None:
    ran = trainergen("init", "--kustomize", "--release", release)
    assert ran.code == 0
    folder = "components/trainer-kustomize"
    assert files() == [f"{folder}/{name}" for name in ("kustomization.yaml", "references.yaml", "schema.json")]
    assert f"components: [<way to>/{folder}]" in ran.err
    schema = trainergen("schema", "kustomize-openapi", "--release", release).out
    assert json.loads(Path(folder, "schema.json").read_text()) == json.loads(schema)
    job = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "j"},
        "spec": {"runtimeRef": {"name": "r"}, "trainer": {"env": [{"name": "A", "value": "1"}]}},
    }
    patch = job | {"spec": {"trainer": {"env": [{"name": "B", "value": "2"}]}}}
    text = kustomization(
        resources=["job.yaml"], components=["components/trainer-kustomize"], patches=[{"patch": yaml.safe_dump(patch)}]
    )
    (built,) = build(write(Path(), {"job.yaml": yaml.safe_dump(job), "kustomization.yaml": text}))
    assert {each["name"] for each in built["spec"]["trainer"]["env"]} == {"A", "B"}


def test_an_older_component_is_kept(trainergen: Run) -> None:
    trainergen("init", "--kustomize", "--release", "2.1")
    before = contents()
    ran = trainergen("init", "--kustomize", "--release", "2.3")
    assert ran.code == 0
    assert {line.split()[0] for line in ran.out.splitlines()} == {"keep"}
    assert "delete it and run this again for a new one" in ran.err
    assert contents() == before


def test_the_schema_of_the_configuration_is_served(trainergen: Run) -> None:
    assert "build" in json.loads(trainergen("schema", "config").out)["properties"]
