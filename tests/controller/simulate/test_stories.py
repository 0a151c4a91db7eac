"""Every scenario, on a job that waits for nothing and on one that has all there is, as people read it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from trainergen_controller.simulate import SCENARIOS, simulate
from trainergen_controller.simulate.report import as_json, as_text

from trainergen.errors import TrainergenError
from trainergen.releases.catalogue import shipped_runtimes

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

EXAMPLES = Path(__file__).parents[3] / "examples" / "valid"


def documents(name: str) -> list[dict[str, Any]]:
    return [one for one in yaml.safe_load_all((EXAMPLES / f"{name}.yaml").read_text()) if one]


def told(name: str, scenario: str, release: str = "2.3", **spec: Any) -> Any:
    every = documents(name)
    (job,) = (one for one in every if one["kind"] == "TrainJob")
    runtimes = [one for one in every if one["kind"].endswith("TrainingRuntime")]
    objects = [*runtimes, *(dict(one) for one in shipped_runtimes(release).values())]
    return simulate({**job, "spec": {**job["spec"], **spec}}, objects, SCENARIOS[scenario], release=release)


def happened(done: Any) -> list[tuple[float, str, str]]:
    return [(one.seconds, one.kind, one.what) for one in done.timeline.moments]


@pytest.mark.parametrize("scenario", list(SCENARIOS))
@pytest.mark.parametrize("name", ["fashion-mnist", "llm-finetune"])
def test_story(name: str, scenario: str, snapshot: SnapshotAssertion) -> None:
    assert as_text(told(name, scenario)) == snapshot


@pytest.mark.parametrize("release", ["2.0", "2.1", "2.2"])
def test_story_of_an_earlier_release(release: str, snapshot: SnapshotAssertion) -> None:
    assert as_text(told("fashion-mnist", "runtime-edit", release)) == snapshot


def test_the_same_input_gives_the_same_story() -> None:
    assert as_json(told("llm-finetune", "complete")) == as_json(told("llm-finetune", "complete"))


def test_a_refused_job_has_no_story() -> None:
    done = told("fashion-mnist", "complete", runtimeRef={"name": "nowhere"})
    assert "nowhere" in done.refusal
    assert done.timeline.moments == []
    assert "The API server refuses it" in as_text(done)
    assert as_json(done)["refused"] == done.refusal


def test_a_deadline_of_the_manifest_is_kept_and_one_that_is_missing_is_set() -> None:
    own = told("fashion-mnist", "deadline", suspend=False, activeDeadlineSeconds=7)
    assert own.timeline.notes == []
    assert (8.0, "TrainJob", "Failed=True, DeadlineExceeded: TrainJob exceeded its active deadline") in happened(own)
    assert told("fashion-mnist", "deadline").timeline.notes != []


@pytest.mark.parametrize("release", ["2.0", "2.1"])
def test_a_release_without_deadlines_has_no_such_story(release: str) -> None:
    with pytest.raises(TrainergenError, match="knows no deadline"):
        told("fashion-mnist", "deadline", release)


def test_another_controllers_job_is_left_alone() -> None:
    done = told("fashion-mnist", "complete", managedBy="kueue.x-k8s.io/multikueue", suspend=False)
    assert happened(done) == [(0.0, "TrainJob", "created")]


def test_what_was_allowed_to_restart_restarts_before_it_fails() -> None:
    every = documents("llm-finetune")
    (job,) = (one for one in every if one["kind"] == "TrainJob")
    (runtime,) = (one for one in every if one["kind"] == "TrainingRuntime")
    runtime["spec"]["template"]["spec"]["failurePolicy"] = {"maxRestarts": 2}
    done = simulate(job, [runtime], SCENARIOS["fail"], release="2.3")
    restarts = [what for _, kind, what in happened(done) if kind == "JobSet" and what.startswith("restart")]
    assert restarts == ["restart 1", "restart 2"]
    assert any("ReachedMaxRestarts" in what for _, kind, what in happened(done) if kind == "TrainJob")


def test_jobs_start_in_order_where_the_runtime_says_so() -> None:
    every = documents("llm-finetune")
    (job,) = (one for one in every if one["kind"] == "TrainJob")
    (runtime,) = (one for one in every if one["kind"] == "TrainingRuntime")
    spec = runtime["spec"]["template"]["spec"]
    for replicated in spec["replicatedJobs"]:
        replicated.pop("dependsOn", None)
    spec["startupPolicy"] = {"startupPolicyOrder": "InOrder"}
    done = simulate(job, [runtime], SCENARIOS["complete"], release="2.3")
    first = {what.split(":")[0]: at for at, kind, what in reversed(happened(done)) if kind == "JobSet"}
    assert first["dataset-initializer"] < first["node"] < 10
