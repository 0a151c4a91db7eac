"""Experiments of Katib: trials become TrainJobs, and Katib is told where to look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from trainergen.engine.migrating import MigrateOptions, run_migrate
from trainergen.migrate import can_migrate, migrate
from trainergen.migrate.ledger import leaves

EXAMPLES = Path(__file__).parent / "experiments"


def example(version: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((EXAMPLES / f"E13.{version}.yaml").read_text())
    return found


def test_the_worked_example_becomes_what_is_written_down() -> None:
    (made,) = migrate(example("v1")).objects
    assert made == example("v2")


def test_the_worked_example_comes_with_the_warnings_listed_for_it() -> None:
    migration = migrate(example("v1"))
    names = {each.name for each in migration.warnings}
    assert {"katib-trial", "rendezvous-shim", "name-too-long"} <= names
    assert "environment-differs" not in names
    assert migration.losses() == ()
    places = {each.path for each in migration.warnings if each.name == "katib-trial"}
    assert "spec.trialTemplate.primaryContainerName" in places
    assert {entry.source for entry in migration.mapping} == set(leaves(example("v1")))


def test_a_runtime_of_trials_is_shared_and_stands_before_the_experiment() -> None:
    experiment = example("v1")
    specs = experiment["spec"]["trialTemplate"]["trialSpec"]["spec"]["pytorchReplicaSpecs"]
    specs["Master"]["template"]["spec"]["priorityClassName"] = "low"
    runtime, made = migrate(experiment).objects
    assert runtime["metadata"] == {
        "name": "lr-search-runtime",
        "namespace": "team-a",
        "labels": {"trainer.kubeflow.org/framework": "torch"},
    }
    trial: Any = made["spec"]["trialTemplate"]["trialSpec"]  # type: ignore[index,call-overload]
    assert trial["spec"]["runtimeRef"]["name"] == "lr-search-runtime"


def test_a_name_that_leaves_no_room_for_pods_of_trials_is_a_loss() -> None:
    experiment = example("v1")
    experiment["metadata"]["name"] = "a" * 40
    assert [loss.name for loss in migrate(experiment).losses()] == ["name-too-long"]


def test_an_experiment_of_other_trials_is_left_alone() -> None:
    assert not can_migrate(example("v2"))


def test_the_comments_of_an_experiment_stay_where_they_are(tmp_path: Path) -> None:
    text = (EXAMPLES / "E13.v1.yaml").read_text().replace("maxTrialCount: 8", "maxTrialCount: 8  # enough")
    (tmp_path / "experiment.yaml").write_text(text)
    (file,) = run_migrate(MigrateOptions(paths=(str(tmp_path),), target="2.3")).files
    assert file.new is not None
    assert "  maxTrialCount: 8  # enough\n" in file.new.decode()
    assert yaml.safe_load(file.new) == example("v2")
