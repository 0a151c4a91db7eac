"""``trainergen check``: options, exit codes, and where reports go."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from tests.manifests import BAD, GOOD, NEEDS_DATASET, RUNTIME, USES_RUNTIME

Run = Callable[..., Ran]


def findings(ran: Ran) -> list[tuple[str, int, int, str]]:
    return [(f["rule"], f["line"], f["column"], f["path"]) for f in json.loads(ran.out)["findings"]]


def test_a_good_manifest_is_accepted(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(GOOD)
    ran = trainergen("check", "job.yaml", "--release", "2.3")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "no findings in 1 document, 1 file\nrelease: Trainer 2.3 (--release)\n"


def test_a_fault_has_file_line_column_and_exit_code_one(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(BAD)
    ran = trainergen("check", "job.yaml", "--release", "2.3")
    assert ran.code == 1
    assert ran.out.startswith("job.yaml:10:15: error[TG102] numNodes is the string '2', but must be an integer\n")


def test_the_working_folder_is_checked_when_nothing_is_named(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "job.yaml").write_text(BAD)
    ran = trainergen("check", "--format", "json")
    assert (ran.code, findings(ran)) == (1, [("TG102", 10, 15, "spec.trainer.numNodes")])
    assert json.loads(ran.out)["findings"][0]["file"] == "deep/job.yaml"


def test_other_files_are_checked_beside_one_that_is_missing(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(BAD)
    ran = trainergen("check", "job.yaml", "jov.yaml", "--format", "json")
    assert ran.code == 2
    assert [rule for rule, *_ in findings(ran)] == ["TG102", "TG002"]
    assert "Did you mean 'job.yaml'?" in ran.out


def test_standard_input_has_the_name_it_is_given(
    trainergen: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "input").write_text(BAD)
    with (tmp_path / "input").open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        ran = trainergen("check", "-", "--stdin-filename", "jobs/mnist.yaml")
    assert ran.code == 1
    assert ran.out.startswith("jobs/mnist.yaml:10:15: error[TG102]")
    assert '10 |     numNodes: "2"' in ran.out, "the frame quotes what came by standard input"


def test_only_the_layers_asked_for_speak(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(
        GOOD.replace("metadata:\n  name: mnist", "metadata:\n  name: 1st") + "  bad: 1\n"
    )
    both = trainergen("check", "job.yaml", "--format", "json", "--release", "2.3")
    assert {rule for rule, *_ in findings(both)} >= {"TG101"}
    cel = trainergen("check", "job.yaml", "--format", "json", "--layer", "cel", "--release", "2.3")
    assert all(f["layer"] == "cel" for f in json.loads(cel.out)["findings"])


@pytest.mark.parametrize(
    ("arguments", "code"),
    {
        "a check can be ignored by id": (("--ignore", "TG102"), 0),
        "a check can be ignored by name": (("--ignore", "wrong-type"), 0),
        "a family can be ignored": (("--ignore", "TG1"), 0),
        "another check can be selected": (("--select", "TG101"), 0),
        "its own check can be selected": (("--select", "TG101,TG102"), 1),
        "ignore beats select": (("--select", "TG102", "--ignore", "TG102"), 0),
    }.values(),
)
def test_checks_are_selected_and_ignored(
    trainergen: Run, tmp_path: Path, arguments: tuple[str, ...], code: int
) -> None:
    (tmp_path / "job.yaml").write_text(BAD)
    assert trainergen("check", "job.yaml", *arguments).code == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--ignore", "TG999"), "--ignore names 'TG999', which is unknown"),
        (("--select", "wrong-typ"), "did you mean 'wrong-type'?"),
        (("--layer", "shema"), "did you mean 'schema'?"),
        (("--fail-on", "warnings"), "did you mean 'warning'?"),
        (("--release", "2.9"), "unknown Trainer release '2.9'"),
        (("--output", "sarif"), "output 'sarif' is not of the form FORMAT=FILE"),
        (("--base", "nowhere"), "git cannot"),
        (("--runtimes", "nowhere"), "--runtimes names 'nowhere', but there is no such file or folder"),
        (("--policies", "nowhere"), "--policies names 'nowhere', but there is no such file or folder"),
    ],
)
def test_a_wrong_option_is_one_message_with_a_way_out(
    trainergen: Run, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "job.yaml").write_text(GOOD)
    ran = trainergen("check", "job.yaml", *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.startswith("error: ")
    assert "hint: " in ran.err or "did you mean" in ran.err
    assert "Traceback" not in ran.err


def test_an_unknown_command_names_the_nearest(trainergen: Run) -> None:
    ran = trainergen("chekc")
    assert ran.code == 2
    assert "did you mean 'check'?" in ran.err


def test_several_reports_come_from_one_run(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(BAD)
    ran = trainergen(
        "check", "job.yaml", "--output", "sarif=out.sarif", "--output", "junit=out.xml", "--format", "github"
    )
    assert ran.code == 1
    assert ran.out.startswith("::error file=job.yaml,line=10,")
    assert json.loads((tmp_path / "out.sarif").read_text())["version"] == "2.1.0"
    assert (tmp_path / "out.xml").read_text().startswith("<?xml")


def test_undecided_checks_fail_only_when_asked_to(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(USES_RUNTIME)
    ran = trainergen("check", "job.yaml", "--format", "json", "--release", "2.3")
    assert ran.code == 0
    assert json.loads(ran.out)["summary"]["not_evaluated"] >= 1
    assert trainergen("check", "job.yaml", "--release", "2.3", "--fail-on", "not-evaluated").code == 1


def test_a_runtime_is_found_in_the_checked_paths(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "runtime.yaml").write_text(RUNTIME)
    (tmp_path / "job.yaml").write_text(NEEDS_DATASET)
    ran = trainergen("check", ".", "--format", "json", "--release", "2.3")
    assert ran.code == 1
    assert {f["layer"] for f in json.loads(ran.out)["findings"]} == {"webhook"}
    assert json.loads(ran.out)["summary"]["not_evaluated"] == 0


def test_a_runtime_is_found_where_runtimes_points(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "platform").mkdir()
    (tmp_path / "platform" / "runtime.yaml").write_text(
        RUNTIME.replace("image: example", "image: &x example") + "bad: 1\n"
    )
    (tmp_path / "job.yaml").write_text(NEEDS_DATASET)
    ran = trainergen("check", "job.yaml", "--runtimes", "platform", "--format", "json", "--release", "2.3")
    assert ran.code == 1
    assert {f["file"] for f in json.loads(ran.out)["findings"]} == {"job.yaml"}, "runtimes are looked up, not judged"


@pytest.mark.parametrize("key", ["runtimes", "policies", "ignore", "select"])
def test_a_wrong_name_in_the_configuration_is_said_to_be_there(trainergen: Run, tmp_path: Path, key: str) -> None:
    (tmp_path / "trainergen.yaml").write_text(f"check:\n  {key}: [nowhere]\n")
    (tmp_path / "job.yaml").write_text(GOOD)
    ran = trainergen("check", "job.yaml")
    assert ran.code == 2
    assert ran.err.startswith(f"error: check.{key} in trainergen.yaml names 'nowhere'")


def test_the_configuration_is_found_upwards_and_the_command_line_beats_it(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "trainergen.yaml").write_text("release: 2.1\ncheck:\n  paths: [jobs]\n  ignore: [TG102]\n")
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "job.yaml").write_text(BAD)
    ran = trainergen("check")
    assert ran.code == 0
    assert "\nrelease: Trainer 2.1 (set in trainergen.yaml)\n" in ran.out
    assert "\nrelease: Trainer 2.3 (--release)\n" in trainergen("check", "--release", "2.3").out


def test_a_typo_in_the_configuration_has_its_place(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "trainergen.yaml").write_text("releas: 2.3\n")
    ran = trainergen("check")
    assert ran.code == 2
    assert "trainergen.yaml:1:1" in ran.err
    assert "release" in ran.err


def test_the_release_comes_from_what_the_repository_pins(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "kustomization.yaml").write_text(
        "resources:\n  - https://github.com/kubeflow/trainer.git/manifests/overlays/manager?ref=v2.1.0\n"
    )
    (tmp_path / "job.yaml").write_text(GOOD)
    ran = trainergen("check", "job.yaml")
    assert ran.out.splitlines()[-1].startswith("release: Trainer 2.1 (kustomization.yaml:2 ")


def git(folder: Path, *arguments: str) -> None:
    command = [
        "git",
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "init.defaultBranch=main",
        *arguments,
    ]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def test_base_judges_a_change_as_an_update(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").rmdir()
    git(tmp_path, "init")
    (tmp_path / "job.yaml").write_text(GOOD)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "start")
    (tmp_path / "job.yaml").write_text(GOOD.replace("numNodes: 2", "numNodes: 4"))
    assert trainergen("check", "--release", "2.3").code == 0, "as a new object it is fine"
    ran = trainergen("check", "--release", "2.3", "--base", "HEAD", "--format", "json")
    assert ran.code == 1
    assert [(f["layer"], f["path"]) for f in json.loads(ran.out)["findings"]] == [("cel", "spec.trainer")]
    assert trainergen("check", "--release", "2.1", "--base", "HEAD").code == 0, "2.1 lets the trainer change"


def test_base_follows_an_object_into_another_file(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").rmdir()
    git(tmp_path, "init")
    (tmp_path / "old.yaml").write_text(GOOD)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "start")
    (tmp_path / "old.yaml").unlink()
    (tmp_path / "new.yaml").write_text(GOOD.replace("numNodes: 2", "numNodes: 4"))
    assert trainergen("check", "--release", "2.3", "--base", "HEAD").code == 1


def test_unrelated_files_can_be_named_without_being_judged(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "ci.yaml").write_text("on: push\n")
    (tmp_path / "job.yaml").write_text(GOOD)
    assert trainergen("check", "ci.yaml", "job.yaml").code == 1
    assert trainergen("check", "ci.yaml", "job.yaml", "--skip-unrelated").code == 0
