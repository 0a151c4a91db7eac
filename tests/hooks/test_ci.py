"""What runs on GitHub and GitLab: the scripts, and that the descriptions fit them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import trainergen
from tests.manifests import BAD, GOOD

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SCRIPTS = ROOT / "ci-templates" / "github"
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
GITLAB: dict[str, Any] = yaml.safe_load((ROOT / "ci-templates" / "gitlab.yml").read_text())

pytestmark = [
    pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed"),
    pytest.mark.skipif(not (BIN / "trainergen").exists(), reason="the command trainergen is not installed"),
]


def bash(folder: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder), **variables}
    return subprocess.run(["bash", *command], cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / "my jobs").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "my jobs" / "bad.yaml").write_text(BAD)
    (folder / "good.yaml").write_text(GOOD.replace("name: mnist", "name: good"))
    return folder


def test_the_check_annotates_and_writes_its_reports(repository: Path, tmp_path: Path) -> None:
    ran = bash(
        repository,
        str(SCRIPTS / "check.sh"),
        TRAINERGEN_PATHS="my jobs\ngood.yaml\n",
        TRAINERGEN_RELEASE="2.3",
        TRAINERGEN_ARGS="--profile strict  --ignore TG310",
        TRAINERGEN_SARIF="out.sarif",
        GITHUB_OUTPUT=str(tmp_path / "output"),
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary"),
    )
    assert ran.returncode == 1, ran.stderr
    assert "::error file=my jobs/bad.yaml,line=10," in ran.stdout
    assert json.loads((repository / "out.sarif").read_text())["runs"][0]["properties"]["release"] == "2.3"
    assert (tmp_path / "output").read_text() == "exit-code=1\nsarif=out.sarif\n"
    assert (tmp_path / "summary").read_text().startswith("<!-- trainergen -->")


def test_the_check_without_inputs_takes_everything(repository: Path) -> None:
    ran = bash(repository, str(SCRIPTS / "check.sh"))
    assert ran.returncode == 1, ran.stderr
    assert "bad.yaml" in ran.stdout
    assert sorted(path.name for path in repository.iterdir()) == [".git", "good.yaml", "my jobs"]


def test_an_input_is_never_shell_code_nor_an_option(repository: Path) -> None:
    ran = bash(repository, str(SCRIPTS / "check.sh"), TRAINERGEN_PATHS="$(touch hacked)\n--fix\n", TRAINERGEN_ARGS="*")
    assert ran.returncode == 2
    assert not (repository / "hacked").exists()
    assert "file=--fix" in ran.stdout, "it is a path that does not exist"


def test_the_installation_is_that_of_the_action_and_on_the_path(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    fake = tmp_path / "bin" / "python3"
    fake.write_text(
        '#!/usr/bin/env bash\nmkdir -p "$3/bin"\nprintf \'#!/usr/bin/env bash\\necho "$@" > "%s/called"\\n\' '
        f'"{tmp_path}" > "$3/bin/python"\nchmod +x "$3/bin/python"\n'
    )
    fake.chmod(0o755)
    ran = bash(
        tmp_path,
        str(SCRIPTS / "install.sh"),
        PATH=f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        RUNNER_TEMP=str(tmp_path),
        GITHUB_ACTION_PATH="/the/action",
        GITHUB_PATH=str(tmp_path / "path"),
    )
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "called").read_text() == "-m pip install --quiet --disable-pip-version-check /the/action\n"
    assert (tmp_path / "path").read_text() == f"{tmp_path}/trainergen/bin\n"


def test_the_action_passes_every_input_that_the_script_reads() -> None:
    (check,) = [step for step in ACTION["runs"]["steps"] if step.get("id") == "check"]
    script = (SCRIPTS / "check.sh").read_text()
    assert set(check["env"]) == set(re.findall(r"TRAINERGEN_[A-Z]+", script))
    used = set(re.findall(r"inputs\.([a-z-]+)", (ROOT / "action.yml").read_text()))
    assert used == set(ACTION["inputs"])
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), "an input in a script would be shell code"
        for script_name in re.findall(r"\$GITHUB_ACTION_PATH/([\w/.-]+)", step.get("run", "")):
            assert os.access(ROOT / script_name, os.X_OK)


def test_the_gitlab_job_reports_to_code_quality(repository: Path) -> None:
    job = GITLAB["trainergen"]
    variables = {**GITLAB["variables"], "TRAINERGEN_PATHS": "good.yaml **/*.yaml", "TRAINERGEN_RELEASE": "2.3"}
    ran = bash(repository, "-ec", "\n".join(job["script"]), **variables)
    assert ran.returncode == 1, ran.stderr
    report = repository / job["artifacts"]["reports"]["codequality"]
    critical = [issue for issue in json.loads(report.read_text()) if issue["severity"] == "critical"]
    assert [issue["location"]["path"] for issue in critical] == ["my jobs/bad.yaml"]


def test_the_gitlab_job_takes_everything_by_default(repository: Path) -> None:
    ran = bash(repository, "-ec", "\n".join(GITLAB["trainergen"]["script"]), **GITLAB["variables"])
    assert ran.returncode == 1, ran.stderr
    assert "bad.yaml:10:15: error[TG102]" in ran.stdout


def test_the_gitlab_job_installs_this_version() -> None:
    assert GITLAB["variables"]["TRAINERGEN_PACKAGE"] == f"trainergen=={trainergen.__version__}"
