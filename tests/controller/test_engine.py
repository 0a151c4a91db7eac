"""Work between reigns, and what is remembered however long a replica lives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from trainergen_controller.cache import Key
from trainergen_controller.caches import Caches
from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.kinds import JOB_SET, TRAIN_JOB, TRAINING_RUNTIME, ApiKind
from trainergen_controller.process import Process
from trainergen_controller.settings import RECONCILE, Settings
from trainergen_controller.ssh_keys import new_ssh_keys
from trainergen_controller.wrapped import WrappedClient

from tests.controller.scripted import StoredClient, thing
from tests.controller.stepper import Stepper
from tests.controller.world import World, train_job

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object


def test_a_pass_that_came_a_moment_too_late_is_made_once_the_lease_is_renewed() -> None:
    """A renewal that took too long is no new reign, so nothing else would make this pass."""
    server = InProcessServer("2.3")
    world = World(server.client("test"), lambda seconds: server.client("trainer"))
    world.add_runtimes("2.3")
    world.create(train_job("one"))
    stepper = Stepper(server.client("trainer"))
    stepper.engine.fence.close()
    for _ in range(len(stepper.engine.queue)):
        item = stepper.engine.queue.get(timeout=0)
        assert item is not None
        stepper.engine.step(item)
    assert world.client.list(JOB_SET).items == []
    stepper.engine.fence.open_until(float("inf"))
    stepper.work()
    assert [found["metadata"]["name"] for found in world.client.list(JOB_SET).items] == ["one"]


def test_what_a_replica_that_waits_hears_of_is_not_kept_and_done_once_it_leads() -> None:
    server = InProcessServer("2.3")
    world = World(server.client("test"), lambda seconds: server.client("trainer"))
    world.add_runtimes("2.3")
    stepper = Stepper(server.client("trainer"))
    stepper.engine.hand_over()
    for number in range(5):
        world.create(train_job(f"job-{number}"))
        stepper.sync()
        if number:
            world.client.delete(TRAIN_JOB, f"job-{number}", "team-a")
            stepper.sync()
    assert len(stepper.engine.queue) == 0
    stepper.engine.take_over()
    stepper.work()
    assert [found["metadata"]["name"] for found in world.client.list(JOB_SET).items] == ["job-0"]


def test_of_runtimes_that_come_and_go_no_more_than_some_are_remembered() -> None:
    caches = Caches(StoredClient(), lambda kind, change: None)  # type: ignore[arg-type]
    for number in range(1200):
        name = f"own-{number}"
        caches.stores[TRAINING_RUNTIME].put(thing(name, number + 1))
        reference = {"kind": TRAINING_RUNTIME.kind, "name": name}
        assert caches.runtime_of({"metadata": {"namespace": "team-a"}, "spec": {"runtimeRef": reference}}) is not None
        caches.stores[TRAINING_RUNTIME].remove(Key("team-a", name))
    assert len(caches._runtimes) < 600


def test_a_single_run_makes_a_pass_again_into_which_somebody_wrote() -> None:
    """The status is refused since the TrainJob has changed; the run must not end as if it had been written."""
    server = InProcessServer("2.3")
    world = World(server.client("test"), lambda seconds: Meddling(server.client("trainer"), world))
    world.add_runtimes("2.3")
    world.create(train_job("one", suspend=True))
    assert Process(Settings(mode=RECONCILE, qps=0), world.connect, new_ssh_keys).once() == {}
    assert world.conditions("one") == ["Suspended=True/Suspended"]


class Meddling(WrappedClient):
    """Labels a TrainJob just before its status is written for the first time."""

    def __init__(self, client: Client, world: World) -> None:
        super().__init__(client)
        self._world = world

    def merge_patch(
        self, kind: ApiKind, name: str, namespace: str, patch: Mapping[str, Any], *, subresource: str = ""
    ) -> Object:
        if subresource and "labels" not in self._world.job(name)["metadata"]:
            self._world.client.merge_patch(kind, name, namespace, {"metadata": {"labels": {"a": "b"}}})
        return super().merge_patch(kind, name, namespace, patch, subresource=subresource)


def test_while_news_is_missing_passes_are_made_less_and_less_often() -> None:
    server = InProcessServer("2.3")
    world = World(server.client("test"), lambda seconds: server.client("trainer"))
    world.add_runtimes("2.3")
    world.create(train_job("one", suspend=True))
    stepper = Stepper(server.client("trainer"))
    world.client.merge_patch(TRAIN_JOB, "one", "team-a", {"metadata": {"labels": {"a": "b"}}})
    passes, end = 0, stepper.clock.seconds + 60
    while stepper.clock.seconds < end and (item := stepper.engine.queue.get(timeout=60)) is not None:
        stepper.engine.step(item)
        passes += 1
    assert passes < 30
    stepper.sync()
    assert stepper.work() > 0
    assert world.client.get(TRAIN_JOB, "one", "team-a")["status"]["conditions"]
