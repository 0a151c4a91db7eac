"""What a change makes necessary, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, JOB_SET, TRAIN_JOB

from tests.controller.stepper import Stepper
from tests.controller.world import World, shipped, train_job

if TYPE_CHECKING:
    from trainergen_controller.work import Item


class Crowd:
    """Forty jobs on two runtimes, all passed over."""

    def __init__(self) -> None:
        self.server = InProcessServer("2.3")
        self.world = World(self.server.client("test"), lambda seconds: self.server.client("trainer"))
        torch = shipped("2.3")["torch-distributed"]
        for name in ("red", "blue"):
            own = {**torch, "metadata": {"name": name}}
            self.world.client.create(CLUSTER_TRAINING_RUNTIME, own)
            for number in range(20):
                self.world.create(train_job(f"{name}-{number}", name, suspend=True))
        self.stepper = Stepper(self.server.client("trainer"))
        self.stepper.work()

    def passed_over(self) -> list[str]:
        """The TrainJobs that wait for a pass after the cache has seen what changed."""
        self.stepper.sync()
        found: list[Item] = []
        while (item := self.stepper.engine.queue.get(timeout=0)) is not None:
            found.append(item)
            self.stepper.engine.queue.done(item)
        return sorted(item.key.name for item in found if item.kind == TRAIN_JOB)


def test_a_changed_runtime_queues_its_own_jobs_only() -> None:
    crowd = Crowd()
    change = {"spec": {"mlPolicy": {"numNodes": 3}}}
    crowd.world.client.merge_patch(CLUSTER_TRAINING_RUNTIME, "red", "", change)
    assert crowd.passed_over() == sorted(f"red-{number}" for number in range(20))


def test_a_runtime_of_which_only_labels_change_queues_no_job() -> None:
    crowd = Crowd()
    crowd.world.client.merge_patch(CLUSTER_TRAINING_RUNTIME, "red", "", {"metadata": {"labels": {"a": "b"}}})
    assert crowd.passed_over() == []


def test_a_changed_job_queues_itself_and_a_changed_job_set_its_owner() -> None:
    crowd = Crowd()
    crowd.world.patch("blue-3", {"suspend": False})
    crowd.world.client.merge_patch(JOB_SET, "red-7", "team-a", {"metadata": {"labels": {"a": "b"}}})
    assert crowd.passed_over() == ["blue-3", "red-7"]


def test_at_rest_nothing_is_queued() -> None:
    assert Crowd().passed_over() == []
