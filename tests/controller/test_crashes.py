"""Whatever the write at which the controller dies, before or after it: the next one ends with the same objects."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest
from trainergen_controller.errors import error_of
from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.inprocess.faults import Drop, Refuse
from trainergen_controller.kinds import (
    CLUSTER_TRAINING_RUNTIME,
    CONFIG_MAP,
    JOB_SET,
    SECRET,
    TRAIN_JOB,
)

from tests.controller.spy import DeadError, Log, SpyClient
from tests.controller.stepper import Stepper
from tests.controller.world import World, shipped, train_job

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
KINDS = (TRAIN_JOB, CLUSTER_TRAINING_RUNTIME, JOB_SET, CONFIG_MAP, SECRET)
RUNTIMES = ("torch-distributed", "deepspeed-distributed", "flux-distributed")


class Story:
    """The same cluster each time: three jobs, of which one completes, one is suspended and one is overdue."""

    def __init__(self, release: str = "2.3", patience: float = 0.0) -> None:
        self.release = release
        self.patience = patience
        numbers = count()
        self.server = InProcessServer(release, clock=lambda: NOW, new_uid=lambda: f"uid-{next(numbers)}")
        self.world = World(self.server.client("test", faulty=False), lambda seconds: self.server.client("trainer"))
        self.world.add_runtimes(release)
        self.dead = False

    def tell(self, log: Log) -> None:
        """The whole story; each death is followed by a new controller, which lives."""
        self._chapter(log, self._begin)
        self._chapter(log, self._go_on)
        self._chapter(log, self._end)

    def _begin(self) -> None:
        for number, runtime in enumerate(RUNTIMES):
            self.world.create(train_job(f"job-{number}", runtime, suspend=number == 1, activeDeadlineSeconds=3600))

    def _go_on(self) -> None:
        self.world.job_set_says("job-0", "Completed", "AllJobsCompleted", succeeded=1)
        self.world.patch("job-1", {"suspend": False})

    def _end(self) -> None:
        self.world.patch("job-1", {"suspend": True})

    def _chapter(self, log: Log, happens: Any) -> None:
        happens()
        spied = SpyClient(self.server.client("trainer"), log, "", lambda: "")
        try:
            Stepper(spied, self.release).work(self.patience)  # type: ignore[arg-type]
        except DeadError:
            self.dead = True
            log.dies_at = -1
            Stepper(self.server.client("trainer"), self.release).work()

    def outcome(self) -> dict[str, Any]:
        """All objects, without what differs between any two runs: versions, and uids where an order decides them."""
        found = {}
        for kind in KINDS:
            for item in self.world.client.list(kind).items:
                found[f"{kind.kind}/{item['metadata']['name']}"] = told(item)
        return found


def told(value: Any) -> Any:
    if isinstance(value, dict):
        gone = ("resourceVersion", "uid", "managedFields", "generation", "lastTransitionTime")
        return {key: told(child) for key, child in value.items() if key not in gone}
    if isinstance(value, list):
        return [told(child) for child in value]
    return (
        [line for line in value.splitlines() if "uid" not in line]
        if isinstance(value, str) and "\n" in value
        else value
    )


def undisturbed() -> tuple[dict[str, Any], int]:
    log, story = Log(), Story()
    story.tell(log)
    return story.outcome(), len(log.writes)


def test_the_story_leaves_what_it_should() -> None:
    outcome, writes = undisturbed()
    assert writes > 10
    assert outcome["JobSet/job-1"]["spec"]["suspend"] is True
    assert [one["type"] for one in outcome["TrainJob/job-0"]["status"]["conditions"]] == ["Complete"]
    assert {name for name in outcome if name.startswith("JobSet/")} == {"JobSet/job-0", "JobSet/job-1", "JobSet/job-2"}


@pytest.mark.parametrize("after", [False, True])
def test_a_death_at_any_write_changes_nothing_in_the_end(after: bool) -> None:
    wanted, writes = undisturbed()
    died = 0
    for number in range(writes):
        story = Story()
        story.tell(Log(dies_at=number, after=after))
        died += story.dead
        got = story.outcome()
        # keys and certificates are made from the uid, which an order decides
        for name in [name for name in wanted if name.startswith("Secret/")]:
            assert got[name].keys() == wanted[name].keys()
        same = {name for name in wanted if not name.startswith("Secret/")}
        assert {name: got.get(name) for name in same} == {name: wanted[name] for name in same}, f"write {number}"
        assert got.keys() == wanted.keys()
    assert died == writes


@pytest.mark.parametrize(
    "fault",
    [Refuse(500), Refuse(503), Refuse(429, retry_after=2.0), Refuse(409), Drop(), Drop(after=True), Refuse(403)],
    ids=["500", "503", "429", "409", "lost before", "lost after", "403"],
)
@pytest.mark.parametrize("verb", ["apply", "patch", "delete"])
def test_a_write_that_fails_once_is_made_up_for(fault: Any, verb: str) -> None:
    wanted, _ = undisturbed()
    for skip in range(4):
        story = Story(patience=20.0)
        story.server.faults.plan(fault, verb=verb, skip=skip)
        story.tell(Log())
        got = story.outcome()
        assert got.keys() == wanted.keys()
        for kind in ("TrainJob", "JobSet", "ConfigMap"):
            names = [name for name in wanted if name.startswith(kind)]
            assert {name: got[name] for name in names} == {name: wanted[name] for name in names}, (verb, skip)


def test_a_storm_of_conflicts_passes() -> None:
    wanted, _ = undisturbed()
    story = Story(patience=20.0)
    story.server.faults.plan(Refuse(409, "Conflict"), verb="patch", plural="trainjobs", times=30)
    story.tell(Log())
    assert story.outcome()["TrainJob/job-1"] == wanted["TrainJob/job-1"]


def test_what_others_wrote_meanwhile_is_not_lost() -> None:
    """A status that training code reports, labels of a user on the JobSet, and a patch that Kueue adds."""
    story = Story()
    client = story.world.client
    log = Log()
    story._chapter(log, story._begin)
    job = {
        "apiVersion": TRAIN_JOB.api_version,
        "kind": "TrainJob",
        "metadata": {"name": "job-1", "namespace": "team-a"},
    }
    progress = {"trainerStatus": {"progressPercentage": 40, "lastUpdatedTime": "2026-01-02T03:04:05Z"}}
    client.apply(TRAIN_JOB, {**job, "status": progress}, manager="trainer-status", force=True, subresource="status")
    client.merge_patch(JOB_SET, "job-1", "team-a", {"metadata": {"labels": {"team": "blue"}}})
    story._chapter(log, story._go_on)
    story._chapter(log, story._end)
    outcome = story.outcome()
    assert outcome["TrainJob/job-1"]["status"]["trainerStatus"]["progressPercentage"] == 40
    assert outcome["JobSet/job-1"]["metadata"]["labels"] == {"team": "blue"}
    assert outcome["JobSet/job-1"]["spec"]["suspend"] is True


def test_the_controller_owns_nothing_but_its_objects_and_the_status() -> None:
    story = Story()
    story.tell(Log())
    for item in story.world.client.list(TRAIN_JOB).items:
        for entry in item["metadata"]["managedFields"]:
            if entry["manager"] == "trainer":
                assert set(entry["fieldsV1"]) == {"f:status"}
                assert entry["subresource"] == "status"
    for kind in (JOB_SET, CONFIG_MAP, SECRET):
        for item in story.world.client.list(kind).items:
            (entry,) = [one for one in item["metadata"]["managedFields"] if one.get("subresource") != "status"]
            assert entry["manager"] == "trainer"
            # what is written once is created, so that it cannot replace another's
            once = item["metadata"]["name"].endswith(("-runtime-snapshot", "-mpi-ssh-auth"))
            assert entry["operation"] == ("Update" if once else "Apply")
            assert "f:status" not in entry["fieldsV1"]


def test_a_controller_that_starts_where_all_is_done_writes_nothing() -> None:
    story = Story()
    story.tell(Log())
    log = Log()
    Stepper(SpyClient(story.server.client("trainer"), log, "", lambda: "")).work()  # type: ignore[arg-type]
    assert log.writes == []


def test_a_pass_that_cannot_succeed_is_told_and_tried_later_each_time() -> None:
    story = Story()
    story.world.create(train_job("lost", "no-such-runtime"))
    stepper = Stepper(story.server.client("trainer"))
    stepper.work()
    assert "no-such-runtime" in next(iter(stepper.engine.errors.values()))
    assert stepper.engine.queue.delayed() == 1
    assert story.world.events("lost") == ["TrainJobResourcesCreationFailed"]
    assert error_of(404, "NotFound", "x").code == 404
    assert set(shipped("2.3")) >= set(RUNTIMES)
