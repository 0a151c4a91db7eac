"""`trainergen migrate` in trees where somebody began before: nothing is taken for what it is not, nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from tests.cli.test_migrate import LEGACY
from tests.manifests import GOOD

Run = Callable[..., Ran]
BETWEEN = {
    "the kind is new": (LEGACY.replace("PyTorchJob", "TrainJob"), "there is no TrainJob of 'kubeflow.org/v1'"),
    "the group is new": (
        LEGACY.replace("kubeflow.org/v1", "trainer.kubeflow.org/v1alpha1"),
        "there is no PyTorchJob of 'trainer.kubeflow.org/v1alpha1'",
    ),
    "both are new": (
        LEGACY.replace("kubeflow.org/v1", "trainer.kubeflow.org/v1alpha1").replace("PyTorchJob", "TrainJob"),
        "there is no TrainJob of 'trainer.kubeflow.org/v1alpha1'",
    ),
    "the version is none that was served": (
        LEGACY.replace("kubeflow.org/v1", "kubeflow.org/v9"),
        "there is no PyTorchJob of 'kubeflow.org/v9'",
    ),
}


@pytest.fixture
def migrate(trainergen: Run) -> Run:
    return lambda *arguments: trainergen("migrate", *arguments)


@pytest.mark.parametrize("case", BETWEEN)
def test_an_object_between_the_generations_is_left_alone_and_said(migrate: Run, case: str) -> None:
    text, words = BETWEEN[case]
    Path("job.yaml").write_text(text)
    ran = migrate("--write")
    assert ran.code == 1
    assert f"job.yaml:8:3: error[TG899] left-alone: it is neither a legacy job nor a migrated one: {words}" in ran.out
    assert Path("job.yaml").read_text() == text


def test_two_jobs_that_would_become_one_are_left_alone(migrate: Run) -> None:
    other = LEGACY.replace("PyTorchJob", "XGBoostJob").replace("pytorchReplica", "xgbReplica")
    both = f"{LEGACY}---\n{other.replace('name: pytorch', 'name: xgboost')}"
    Path("job.yaml").write_text(both)
    ran = migrate("--write")
    assert ran.code == 1
    assert "PyTorchJob and XGBoostJob 'mnist' would both become the TrainJob 'mnist'" in ran.out
    assert Path("job.yaml").read_text() == both


def test_a_job_of_that_name_in_another_folder_is_a_warning(migrate: Run) -> None:
    for folder, text in (("dev", GOOD), ("prod", LEGACY)):
        Path(folder).mkdir()
        Path(folder, "job.yaml").write_text(text)
    ran = migrate("--write")
    assert ran.code == 0
    assert (
        "prod/job.yaml:5:9: warning[TG805] depends-on-legacy-job: TrainJob 'mnist' exists in dev/job.yaml too"
        in ran.out
    )
    assert "kind: TrainJob" in Path("prod/job.yaml").read_text()


def test_a_file_that_cannot_be_read_says_why(migrate: Run) -> None:
    Path("job.yaml").write_text(LEGACY.replace("  name: mnist", "\tname: mnist"))
    ran = migrate("--write")
    assert ran.code == 1
    assert "it cannot be read: not valid YAML: a tab is used for indentation" in ran.out


def test_what_is_found_through_aliases_is_said_once(migrate: Run) -> None:
    Path("a.yaml").write_text("a: &a {x: training.kubeflow.org/job-name=1}\nb: *a\nc: *a\n")
    assert migrate().out.count("TG805") == 1
