"""``trainergen upgrade`` as people and pipelines use it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import Ran
from tests.manifests import GOOD, RUNTIME, USES_RUNTIME
from tests.output.page import Page

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

Run = Callable[..., Ran]
EXAMPLES = Path(__file__).parents[2] / "examples"
OLD = GOOD + "  podTemplateOverrides:\n    - targetJobs: [{name: node}]\n      spec: {serviceAccountName: sa}\n"
HOPS = ("--from", "2.1", "--to", "2.3")


@pytest.fixture
def examples(trainergen: Run, tmp_path: Path) -> Run:
    """The command line in a folder with the examples for upgrades."""
    shutil.copytree(EXAMPLES / "upgrade", tmp_path / "upgrade")
    return trainergen


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode()


@pytest.fixture
def committed(trainergen: Run, tmp_path: Path) -> Run:
    """The command line in a repository with one TrainJob of 2.1."""
    (tmp_path / ".git").rmdir()
    git(tmp_path, "init")
    (tmp_path / "job.yaml").write_text(OLD)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "start")
    return trainergen


def test_the_examples_are_upgraded_as_recorded(examples: Run, snapshot: SnapshotAssertion) -> None:
    ran = examples("upgrade", "upgrade", *HOPS)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot


def test_the_worked_example_is_upgraded_to_what_lies_beside_it(trainergen: Run, tmp_path: Path) -> None:
    before, after = (EXAMPLES / "upgraded" / name for name in ("before", "after"))
    shutil.copytree(before, tmp_path / "tree")
    assert trainergen("upgrade", "tree", *HOPS, "--write").code == 0
    found, wanted = (
        {file.relative_to(root): file.read_text() for file in root.rglob("*.yaml")}
        for root in (tmp_path / "tree", after)
    )
    assert found == wanted
    assert trainergen("check", "tree", "--release", "2.3").code == 0


@pytest.mark.parametrize(("format_", "suffix"), [("json", "json"), ("markdown", "md"), ("html", "html")])
def test_formats_for_machines_are_as_recorded(
    examples: Run, format_: str, suffix: str, snapshot_as: Callable[[str], SnapshotAssertion]
) -> None:
    assert examples("upgrade", "upgrade", *HOPS, "--format", format_).out == snapshot_as(suffix)


def test_nothing_is_written_without_being_asked(committed: Run, tmp_path: Path) -> None:
    committed("upgrade", ".", *HOPS)
    assert (tmp_path / "job.yaml").read_text() == OLD


def test_the_patch_alone_can_be_applied(committed: Run, tmp_path: Path) -> None:
    patch = committed("upgrade", ".", *HOPS, "--diff").out
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch.encode(), check=True)
    assert "runtimePatches" in (tmp_path / "job.yaml").read_text()
    assert committed("upgrade", ".", *HOPS, "--diff").out == ""


def test_git_sees_only_the_lines_that_had_to_change(committed: Run, tmp_path: Path) -> None:
    assert committed("upgrade", ".", *HOPS, "--write").code == 0
    changed = [
        line
        for line in git(tmp_path, "diff", "-U0").splitlines()
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert [line for line in changed if line.startswith("-")] == [f"-{line}" for line in OLD.splitlines()[-3:]]
    assert git(tmp_path, "diff", "--name-only").split() == ["job.yaml"]


def test_a_file_that_is_named_by_a_link_is_written_where_it_is(committed: Run, tmp_path: Path) -> None:
    (tmp_path / "link.yaml").symlink_to("job.yaml")
    assert committed("upgrade", "link.yaml", *HOPS, "--write").code == 0
    assert (tmp_path / "link.yaml").is_symlink()
    assert "runtimePatches" in (tmp_path / "job.yaml").read_text()


def test_a_second_run_changes_nothing(committed: Run, tmp_path: Path) -> None:
    committed("upgrade", ".", *HOPS, "--write")
    once = (tmp_path / "job.yaml").read_bytes()
    ran = committed("upgrade", ".", *HOPS, "--write", "--fail-on", "change")
    assert (ran.code, (tmp_path / "job.yaml").read_bytes()) == (0, once)


def test_a_dirty_tree_is_refused_unless_forced(committed: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(OLD + "# mine\n")
    ran = committed("upgrade", ".", *HOPS, "--write")
    assert ran.code == 2
    assert "not committed, 'job.yaml'" in ran.err
    assert "runtimePatches" not in (tmp_path / "job.yaml").read_text()
    assert committed("upgrade", ".", *HOPS, "--write", "--force").code == 0
    assert (tmp_path / "job.yaml").read_text().endswith("# mine\n")


def test_a_file_that_cannot_be_written_leaves_the_others_upgraded(committed: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(OLD.replace("mnist", "other"))
    (tmp_path / "a.yaml").chmod(0o444)
    ran = committed("upgrade", ".", *HOPS, "--write", "--force")
    assert ran.code == 2
    assert "a.yaml is read-only" in ran.err
    assert "runtimePatches" in (tmp_path / "job.yaml").read_text()
    (tmp_path / "a.yaml").chmod(0o644)
    assert committed("upgrade", ".", *HOPS, "--write", "--force").code == 0
    assert "runtimePatches" in (tmp_path / "a.yaml").read_text()


GPUS = RUNTIME.replace("torch: {}", "torch: {numProcPerNode: 4}")
UNRELATED = GOOD.replace("mnist", "unrelated") + "  labels: {a: b}\n"


@pytest.fixture
def halfway(committed: Run, tmp_path: Path) -> Run:
    """The command line where an upgrade ended after the file of a runtime, before the job that takes over from it."""
    (tmp_path / "job.yaml").write_text(USES_RUNTIME)
    (tmp_path / "runtime.yaml").write_text(f"{GPUS}---\n{UNRELATED}")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "more")
    assert committed("upgrade", ".", *HOPS, "--write").code == 0
    git(tmp_path, "checkout", "job.yaml")
    return committed


def test_an_interrupted_upgrade_is_completed_from_what_is_committed(halfway: Run, tmp_path: Path) -> None:
    once = (tmp_path / "runtime.yaml").read_bytes()
    ran = halfway("upgrade", ".", *HOPS, "--write")
    assert (ran.code, ran.err.splitlines()) == (
        0,
        ["going on with an upgrade that was interrupted, written before: runtime.yaml", "upgraded: job.yaml"],
    )
    assert "numProcPerNode: 4" in (tmp_path / "job.yaml").read_text()
    assert (tmp_path / "runtime.yaml").read_bytes() == once


@pytest.mark.parametrize("name", ["runtime.yaml", "job.yaml"])
def test_an_interrupted_upgrade_with_other_changes_is_refused(halfway: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text((tmp_path / name).read_text() + "# mine\n")
    (tmp_path / "later.yaml").write_text(OLD)
    before = {file.name: file.read_bytes() for file in tmp_path.glob("*.yaml")}
    ran = halfway("upgrade", ".", *HOPS, "--write")
    assert ran.code == 2
    assert "not committed" in ran.err
    assert {file.name: file.read_bytes() for file in tmp_path.glob("*.yaml")} == before


def test_jobs_are_written_before_the_runtime_that_they_take_over_from(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "a-runtime.yaml").write_text(RUNTIME.replace("torch: {}", "torch: {numProcPerNode: 4}"))
    (tmp_path / "job.yaml").write_text(USES_RUNTIME)
    ran = trainergen("upgrade", ".", *HOPS, "--write")
    assert ran.err.splitlines() == ["upgraded: job.yaml", "upgraded: a-runtime.yaml"]
    assert "numProcPerNode: 4" in (tmp_path / "job.yaml").read_text()


def test_a_runtime_beside_an_unrelated_job_waits_for_those_who_take_over_from_it(
    trainergen: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.yaml").write_text(f"{GPUS}---\n{UNRELATED}")
    (tmp_path / "job.yaml").write_text(USES_RUNTIME)
    ran = trainergen("upgrade", ".", *HOPS, "--write")
    assert ran.err.splitlines() == ["upgraded: job.yaml", "upgraded: a.yaml"]


def test_files_that_take_over_from_each_other_are_named(trainergen: Run, tmp_path: Path) -> None:
    name = RUNTIME.split("name: ")[1].split("\n")[0]
    (tmp_path / "a.yaml").write_text(f"{GPUS}---\n{USES_RUNTIME.replace(name, 'other')}")
    (tmp_path / "b.yaml").write_text(f"{GPUS.replace(f'name: {name}', 'name: other')}---\n{USES_RUNTIME}")
    ran = trainergen("upgrade", ".", *HOPS, "--write")
    assert "note: a.yaml, b.yaml hold runtimes and TrainJobs of each other" in ran.err
    assert "numProcPerNode: 4" in (tmp_path / "b.yaml").read_text()


def test_the_release_is_taken_from_what_is_pinned(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "Chart.yaml").write_text(
        "apiVersion: v2\nname: x\nversion: 1.0.0\ndependencies:\n  - name: kubeflow-trainer\n    version: 2.1.0\n"
        "    repository: oci://ghcr.io/kubeflow/charts\n"
    )
    (tmp_path / "job.yaml").write_text(OLD)
    report = json.loads(trainergen("upgrade", ".", "--format", "json").out)
    assert (report["from"], report["to"]) == ("2.1", "2.3")
    assert "Chart.yaml:6 pins" in report["reason"]
    (pin,) = report["install"]["pins"]
    assert (pin["file"], pin["line"], pin["write"]) == ("Chart.yaml", 6, "2.3.0")
    assert "manager.annotations is no value of the chart any more" in report["install"]["values"]
    assert any("--take-ownership" in step for step in report["install"]["steps"])


def test_errors_decide_the_exit_code_and_warnings_when_asked(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(OLD)
    assert trainergen("upgrade", ".", *HOPS).code == 0
    assert trainergen("upgrade", ".", *HOPS, "--fail-on", "change").code == 1
    (tmp_path / "runtime.yaml").write_text(RUNTIME.replace("torch: {}", "torch: {numProcPerNode: 4}"))
    assert trainergen("upgrade", ".", *HOPS, "--fail-on", "warning").code == 1
    (tmp_path / "bad.yaml").write_text(GOOD + "    numProcPerNode: gpu\n")
    assert trainergen("upgrade", ".", *HOPS).code == 1
    assert trainergen("upgrade", ".", *HOPS, "--fail-on", "never").code == 0


def test_standard_input_comes_back_upgraded(trainergen: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "in").write_text(OLD)
    with (tmp_path / "in").open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        ran = trainergen("upgrade", "-", *HOPS, "--diff")
    assert "+  runtimePatches:" in ran.out
    with (tmp_path / "in").open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        ran = trainergen("upgrade", "-", *HOPS, "--write")
    assert ran.out.startswith(GOOD + "  runtimePatches:\n")
    assert "1 file to write" in ran.err


def test_the_page_is_complete_by_itself_and_shows_texts_as_they_are(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(OLD + "  labels: {a: '<script>alert(1)</script>'}\n")
    (tmp_path / "bad.yaml").write_text(GOOD + "    numProcPerNode: gpu\n")
    trainergen("upgrade", ".", *HOPS, "--report", "plan.html")
    text = (tmp_path / "plan.html").read_text()
    page = Page(text)
    assert (page.open, page.elsewhere, page.dangling) == ([], [], [])
    assert "<script" not in text
    for words in ("<script>alert(1)</script>", "Plan, in order", "TG831", "+  runtimePatches:", "job.yaml", "cluster"):
        assert words in page.text


def test_the_report_goes_to_a_file_too(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(OLD)
    trainergen("upgrade", ".", *HOPS, "--report", "plan.md")
    assert (tmp_path / "plan.md").read_text().startswith("# Upgrade from Trainer 2.1 to 2.3\n")
    trainergen("upgrade", ".", *HOPS, "--report", "plan.json")
    assert json.loads((tmp_path / "plan.json").read_text())["to"] == "2.3"


USAGE = {
    "a way back": (("--from", "2.3", "--to", "2.1"), "is newer than 2.1"),
    "a patch and writing": ((*HOPS, "--diff", "--write"), "exclude each other"),
    "values without a build": ((*HOPS, "--values", "values.yaml"), "--values does nothing alone"),
    "an unknown release": (("--from", "9.9"), "unknown Trainer release"),
    "a manager without path": ((*HOPS, "--manager", "me"), "no name of a manager"),
    "a path that is not there": (("nowhere.yaml", *HOPS), "there is no such file"),
}


@pytest.mark.parametrize(("arguments", "words"), USAGE.values(), ids=USAGE.keys())
def test_what_cannot_be_done_ends_with_exit_code_2(trainergen: Run, arguments: tuple[str, ...], words: str) -> None:
    ran = trainergen("upgrade", *arguments)
    assert ran.code == 2
    assert words in ran.err + ran.out
