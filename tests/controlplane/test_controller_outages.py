"""The controller while a real API server, or the etcd behind it, is killed and started again."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from trainergen_controller.errors import ApiError, UnavailableError
from trainergen_controller.kinds import JOB_SET, TRAIN_JOB

from tests.controller.world import World, eventually, train_job
from tests.controlplane.test_controller import connected, tidied

if TYPE_CHECKING:
    from tests.controlplane.crds import Definitions
    from tests.controlplane.server import ControlPlane


# NB: urllib3 leaves sockets to the garbage collector when a server dies in the middle of a TLS handshake or an answer.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def world(control_plane: ControlPlane, definitions: Definitions) -> Iterator[World]:
    """A cluster of the newest release, without controller yet."""
    definitions.install("2.3")
    made = World(connected(control_plane), lambda seconds: connected(control_plane, seconds))
    made.add_namespaces("kubeflow-system", "team-a")
    made.add_runtimes("2.3")
    yield made
    tidied(made)


def create_through_everything(world: World, names: list[str]) -> None:
    """As a user would: again and again until the API server takes it."""
    for name in names:
        while True:
            try:
                world.create(train_job(name))
                break
            except ApiError as error:
                if error.reason == "AlreadyExists":
                    break
            except UnavailableError:
                pass
            time.sleep(0.1)


def all_have_job_sets(world: World, names: list[str]) -> bool:
    try:
        jobs = {item["metadata"]["name"]: item["metadata"]["uid"] for item in world.client.list(TRAIN_JOB).items}
        sets = {item["metadata"]["name"]: item for item in world.client.list(JOB_SET).items}
    except (ApiError, UnavailableError):
        return False
    if not set(names) <= sets.keys():
        return False
    return all(sets[name]["metadata"]["ownerReferences"][0]["uid"] == jobs[name] for name in names)


@pytest.mark.parametrize("what", ["kube-apiserver", "etcd"])
def test_jobs_created_around_an_outage_all_get_their_job_sets(
    world: World, control_plane: ControlPlane, what: str
) -> None:
    names = [f"{what}-{number}" for number in range(40)]
    with world.running() as process:
        author = threading.Thread(target=create_through_everything, args=(world, names))
        author.start()
        time.sleep(0.3)
        if what == "etcd":
            control_plane.kill_etcd()
            time.sleep(1.0)
            control_plane.start_etcd()
        else:
            control_plane.kill_apiserver()
            time.sleep(1.0)
            control_plane.start_apiserver()
        author.join(120)
        assert not author.is_alive()
        eventually(lambda: all_have_job_sets(world, names), "all JobSets", 90)
        assert not process.not_alive
        eventually(lambda: not process.engine.errors, "no pass fails any more", 60)


def test_a_change_made_while_the_controller_is_away_is_carried_out_when_it_comes_back(world: World) -> None:
    with world.running():
        world.create(train_job("absent", suspend=True))
        eventually(lambda: world.job_set("absent"), "its JobSet")
    world.patch("absent", {"suspend": False})
    world.create(train_job("meanwhile"))
    with world.running():
        eventually(lambda: world.job_set("meanwhile"), "its JobSet")
        eventually(lambda: (world.job_set("absent") or {})["spec"].get("suspend") is False, "it runs")
