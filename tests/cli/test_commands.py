"""The other commands, and what happens when the tool itself fails."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import trainergen as package
from tests.cli.conftest import Ran

Run = Callable[..., Ran]


def test_the_version_is_printed(trainergen: Run) -> None:
    assert trainergen("--version").out == f"trainergen {package.__version__}\n"


def test_help_lists_every_command(trainergen: Run) -> None:
    ran = trainergen("--help")
    assert ran.code == 0
    for command in ("check", "explain", "schema", "runtimes", "doctor", "completion"):
        assert f"\n  {command} " in ran.out
        assert trainergen(command, "--help").code == 0


def test_explain_says_what_differs_per_release(trainergen: Run) -> None:
    ran = trainergen("explain", "trainjob.spec.trainer.numProcPerNode")
    assert ran.code == 0
    assert "2.0 and 2.1  integer or string" in ran.out


@pytest.mark.parametrize("subject", ["TG101", "tg101", "unknown-field"])
def test_explain_knows_checks_by_id_and_name(trainergen: Run, subject: str) -> None:
    assert trainergen("explain", subject).out.startswith("TG101 unknown-field (error)\n")


def test_explain_lists_the_checks(trainergen: Run) -> None:
    lines = trainergen("explain", "checks").out.splitlines()
    ids = [line.split()[0] for line in lines]
    assert ids == sorted(set(ids))
    assert len(ids) > 60


@pytest.mark.parametrize("subject", ["trainjob.spec.trainr", "TG999", "nothing"])
def test_explain_of_something_unknown_has_a_way_out(trainergen: Run, subject: str) -> None:
    ran = trainergen("explain", subject)
    assert ran.code == 2
    assert "hint: " in ran.err


def test_schemas_are_printed_and_written(trainergen: Run, tmp_path: Path) -> None:
    printed = trainergen("schema", "json", "trainjob", "--release", "2.1")
    assert json.loads(printed.out)["$schema"].startswith("http://json-schema.org/draft-07/")
    assert '"podTemplateOverrides"' in printed.out
    assert trainergen("schema", "json", "--release", "2.1", "-o", "out").code == 0
    assert len(list((tmp_path / "out").iterdir())) == 3
    crds = list(yaml.safe_load_all(trainergen("schema", "crd").out))
    assert [crd["kind"] for crd in crds] == ["CustomResourceDefinition"] * 3
    assert "definitions" in json.loads(trainergen("schema", "kustomize-openapi").out)


def test_one_json_schema_has_to_be_chosen(trainergen: Run) -> None:
    assert trainergen("schema", "json").code == 2
    assert trainergen("schema", "json", "trainjop").code == 2


def test_runtimes_are_listed(trainergen: Run) -> None:
    assert "torch-distributed " in trainergen("runtimes", "--release", "2.3").out
    listed = json.loads(trainergen("runtimes", "--release", "2.0", "--format", "json").out)
    assert listed["release"] == "2.0"
    assert "mpi-distributed" in [runtime["name"] for runtime in listed["runtimes"]]


def test_doctor_names_engine_configuration_and_release(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "trainergen.yaml").write_text("release: 2.2\n")
    ran = trainergen("doctor")
    assert ran.code == 0
    assert "cel-python" in ran.out
    assert "2.2 (set in trainergen.yaml)" in ran.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "trainergen", "completion", shell], capture_output=True, text=True, check=True
    )
    assert "_TRAINERGEN_COMPLETE" in done.stdout


def test_a_defect_is_a_message_and_exit_code_three(trainergen: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("surprise")

    monkeypatch.setattr("trainergen.engine.run.run_check", fail)
    ran = trainergen("check")
    assert ran.code == 3
    assert ran.err.startswith("error: internal error: ZeroDivisionError: surprise\n")
    monkeypatch.setenv("TRAINERGEN_DEBUG", "1")
    assert "Traceback" in trainergen("check").err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_no_defect_of_the_program() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "trainergen", "rules"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "error: the output cannot be written: no space is left\nhint: Make room on the disk.\n"


def test_an_interrupt_is_exit_code_130(trainergen: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("trainergen.engine.run.run_check", interrupt)
    assert trainergen("check").code == 130


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m trainergen explain checks | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
