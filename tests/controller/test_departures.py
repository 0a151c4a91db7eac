"""What was deleted while a pass was under way, or of which only half the news is here, is not made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from trainergen_controller.cache import Key
from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.kinds import JOB_SET, TRAIN_JOB, ApiKind
from trainergen_controller.work import Item

from tests.controller.stepper import Stepper
from tests.controller.world import World, train_job
from trainergen.releases import RELEASES

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object

KEY = Key("team-a", "one")


@dataclass
class Interrupted:
    """A client behind which something happens after each merge patch, before its answer is read."""

    client: Client
    then: Callable[[], None] = lambda: None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)

    def merge_patch(self, kind: ApiKind, name: str, namespace: str, patch: Object, *, subresource: str = "") -> Object:
        answer = self.client.merge_patch(kind, name, namespace, patch, subresource=subresource)
        self.then()
        return answer


class Scene:
    """One TrainJob, its JobSet made and its status written."""

    def __init__(self, release: str) -> None:
        server = InProcessServer(release)
        self.world = World(server.client("test"), lambda seconds: server.client("trainer"))
        self.world.add_runtimes(release)
        self.world.create(train_job(KEY.name))
        self.client = Interrupted(server.client("trainer"))
        self.stepper = Stepper(self.client, release)
        self.stores = self.stepper.caches.stores
        self.stepper.work()
        assert self.world.job_set(KEY.name) is not None

    def delete(self, *kinds: ApiKind) -> None:
        for kind in kinds:
            self.world.client.delete(kind, KEY.name, KEY.namespace)

    def is_passed_over(self) -> str:
        """One pass, without any news before it."""
        outcome = self.stepper.mode.pass_over(Item(TRAIN_JOB, KEY))
        return outcome.error or ("stale" if outcome.stale else "")


@pytest.fixture(params=[release.name for release in RELEASES])
def scene(request: pytest.FixtureRequest) -> Scene:
    return Scene(request.param)


def test_the_news_that_the_job_set_is_gone_may_come_before_that_of_its_job(scene: Scene) -> None:
    scene.delete(TRAIN_JOB)  # and the garbage collector its JobSet
    scene.stores[JOB_SET].remove(KEY)
    assert scene.is_passed_over() == ""
    assert scene.world.job_set(KEY.name) is None


def test_it_may_even_come_in_the_middle_of_a_pass(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.delete(TRAIN_JOB)
    near = type(scene.stepper.caches).near

    def read_late(caches: Any, job: Object) -> list[Object]:
        scene.stores[JOB_SET].remove(KEY)
        return near(caches, job)

    monkeypatch.setattr(type(scene.stepper.caches), "near", read_late)
    assert scene.is_passed_over() == ""
    assert scene.world.job_set(KEY.name) is None


def test_a_namesake_that_came_meanwhile_is_waited_for(scene: Scene) -> None:
    scene.delete(TRAIN_JOB)
    scene.world.create(train_job(KEY.name, suspend=True))
    scene.stores[JOB_SET].remove(KEY)
    assert scene.is_passed_over() == "stale"
    assert scene.world.job_set(KEY.name) is None
    scene.stepper.sync()
    scene.stepper.work()
    found = scene.world.job_set(KEY.name)
    assert found is not None
    assert found["metadata"]["ownerReferences"][0]["uid"] == scene.world.job(KEY.name)["metadata"]["uid"]


def test_a_job_set_alone_that_somebody_deleted_is_made_again(scene: Scene) -> None:
    scene.delete(JOB_SET)
    scene.stores[JOB_SET].remove(KEY)
    assert scene.is_passed_over() == ""
    assert scene.world.job_set(KEY.name) is not None


def test_a_job_set_that_was_to_be_changed_is_not_made_of_a_change(scene: Scene) -> None:
    """Its job is gone with it, of which no news is here yet."""
    scene.world.patch(KEY.name, {"suspend": True})
    scene.stepper.sync()
    scene.delete(TRAIN_JOB)
    assert scene.is_passed_over() == "stale"
    assert scene.world.job_set(KEY.name) is None


def test_a_deletion_between_a_write_and_its_answer_is_not_undone_in_the_cache(scene: Scene) -> None:
    def deleted() -> None:
        scene.client.then = lambda: None
        scene.delete(TRAIN_JOB)
        scene.stepper.sync()

    scene.client.then = deleted
    scene.world.job_set_says(KEY.name, "Completed", "AllJobsCompleted")
    scene.stepper.sync()
    assert scene.is_passed_over() == ""
    assert scene.stepper.caches.get(TRAIN_JOB, *KEY) is None
