"""Builds in the commands: against a revision, rendered, compared, fixed; with the real kustomize."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import trainergen
from tests.built.conftest import Check, Write, said
from tests.built.manifests import JOB
from trainergen.cli import main
from trainergen.engine.diffing import DiffOptions, run_diff
from trainergen.engine.rendering import RenderOptions, render_paths

pytestmark = pytest.mark.usefixtures("kustomize")

NODES = "resources: [../base]\npatches:\n- target: {{kind: TrainJob}}\n  patch: |-\n    - op: replace\n{}"
PATCH = "      path: /spec/trainer/numNodes\n      value: {}\n"
TREE = {
    "base/kustomization.yaml": "resources: [job.yaml]\n",
    "base/job.yaml": JOB,
    "prod/kustomization.yaml": NODES.format(PATCH.format(4)),
}


def git(*arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def committed(write: Write) -> None:
    """The tree as a commit, with another number of nodes in the overlay since."""
    write(TREE)
    Path(".git").rmdir()
    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "first")
    write({"prod/kustomization.yaml": NODES.format(PATCH.format(8))})


@pytest.mark.usefixtures("committed")
@pytest.mark.parametrize("path", [".", "prod"])
def test_an_overlay_is_judged_as_an_update_of_what_it_was(check: Check, path: str) -> None:
    report = check(path, base="HEAD", ignore=("TG8",))
    assert said(report) == [("prod/kustomization.yaml", 6, "TG123")]


@pytest.mark.usefixtures("committed")
def test_an_overlay_that_did_not_change_is_no_update(check: Check, write: Write) -> None:
    write({"prod/kustomization.yaml": TREE["prod/kustomization.yaml"] + "# a comment\n"})
    assert said(check(base="HEAD")) == []


@pytest.mark.usefixtures("committed")
def test_a_revision_that_cannot_be_built_is_not_evaluated(check: Check, write: Write) -> None:
    write({"prod/kustomization.yaml": "resources: [none.yaml]\n"})
    git("commit", "--quiet", "--all", "--message", "broken")
    write({"prod/kustomization.yaml": TREE["prod/kustomization.yaml"]})
    report = check(base="HEAD")
    assert [(item.file, item.reason) for item in report.not_evaluated] == [
        ("prod/kustomization.yaml", "at 'HEAD' it cannot be built, so that its objects are judged as new")
    ]


@pytest.mark.usefixtures("committed")
def test_the_built_trees_of_two_revisions_are_compared() -> None:
    report = run_diff(DiffOptions(paths=(".",), old_release="2.3", new_release="2.3", base="HEAD", build=True))
    assert [(job.file, job.ref.name) for job in report.jobs] == [("prod/<build>", "mnist")]
    changes = {change.path for each in report.jobs[0].objects for change in each.changes}
    assert any("parallelism" in str(path) for path in changes)


def test_python_builds_too(write: Write) -> None:
    write({**TREE, "prod/kustomization.yaml": NODES.format(PATCH.format("x"))})
    report = trainergen.check("prod", release="2.3", build=True)
    assert said(report) == [("prod/kustomization.yaml", 7, "TG102")]


def test_what_is_built_is_rendered(write: Write) -> None:
    write(TREE)
    (rendering,) = render_paths(RenderOptions(paths=(".",), release="2.3", build=True))
    assert rendering.rendered is not None
    assert [one["kind"] for one in rendering.rendered.objects if one["kind"] == "JobSet"] == ["JobSet"]
    assert '"parallelism": 4' in json.dumps(rendering.rendered.objects)
    assert (rendering.file, rendering.job) == ("prod/<build>", "team-a/mnist")


def test_a_render_without_a_build_says_so(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write({**TREE, "prod/kustomization.yaml": "resources:\n- ../base\n- https://example.org/a.yaml\n"})
    assert main(("render", "--build", "--release", "2.3")) == 0
    assert (
        "warning: prod/kustomization.yaml:3:3: 'https://example.org/a.yaml' would be fetched" in capsys.readouterr().err
    )
    write({"prod/kustomization.yaml": "resources: [none.yaml]\n"})
    assert main(("render", "--build", "--release", "2.3")) == 1


def test_a_finding_of_a_build_is_not_fixed(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write({**TREE, "prod/kustomization.yaml": NODES.format(PATCH.format(0))})
    before = Path("prod/kustomization.yaml").read_text()
    main(("check", "--build", "--fix", "--unsafe", "--release", "2.3"))
    assert Path("prod/kustomization.yaml").read_text() == before
    assert "TG301" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["check", "render", "diff --base HEAD", "baseline"])
def test_values_without_a_build_are_refused(write: Write, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(TREE)
    assert main((*command.split(), "--values", "a.yaml")) == 2
    assert "--values does nothing alone" in capsys.readouterr().err


def test_exit_codes_are_those_of_a_check(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write(TREE)
    assert main(("check", "prod", "--build", "--release", "2.3")) == 0
    write({"prod/kustomization.yaml": "resources:\n- ../base\n- https://example.org/a.yaml\n"})
    assert main(("check", "prod", "--build", "--release", "2.3", "--ignore", "TG7")) == 0
    assert main(("check", "prod", "--build", "--fail-on", "not-evaluated", "--ignore", "TG7")) == 1
    write({"prod/kustomization.yaml": "resources: [none.yaml]\n"})
    assert main(("check", "prod", "--build", "--release", "2.3")) == 1
    assert main(("explain", "TG025")) == 0
    assert "build-failed" in capsys.readouterr().out
