"""Controllers over HTTP under faults: watches cut, versions forgotten, requests hung, leaders lost, two at once."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import kubernetes.client
import pytest
from trainergen_controller.errors import UnavailableError
from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.inprocess.faults import CutWatch, Drop, Garble, Hang, Refuse, Slow
from trainergen_controller.inprocess.http import HttpServer
from trainergen_controller.kinds import JOB_SET, LEASE, TRAIN_JOB
from trainergen_controller.kubernetes_client import KubernetesClient
from trainergen_controller.lease import Terms
from trainergen_controller.settings import RECONCILE, Settings

from tests.controller.spy import Log, SpyClient, holder_of
from tests.controller.world import PATIENCE, World, eventually, train_job

if TYPE_CHECKING:
    from trainergen_controller.client import Client

pytestmark = pytest.mark.enable_socket
TERMS = Terms(duration=3.0, renew_deadline=2.0, retry_period=0.2)


def over_http(url: str, seconds: float) -> KubernetesClient:
    configuration = kubernetes.client.Configuration()
    configuration.host = url
    return KubernetesClient(configuration, timeout=seconds)


class Replica:
    """A controller over HTTP whose writes are noted, and whose network can be cut."""

    def __init__(self, server: InProcessServer, url: str, identity: str) -> None:
        self.log = Log()
        self.cut = threading.Event()
        holder = holder_of(server)

        def connect(seconds: float) -> Client:
            spied = SpyClient(over_http(url, seconds), self.log, identity, holder)
            return _Cuttable(spied, self.cut)  # type: ignore[return-value]

        settings = Settings(mode=RECONCILE, qps=0, terms=TERMS, identity=identity, first_retry=0.05)
        self.world = World(server.client("test", faulty=False), connect, settings)

    @property
    def leads(self) -> bool:
        process = self.world.process
        return process is not None and process.fence.is_open


class _Cuttable:
    def __init__(self, client: Any, cut: threading.Event) -> None:
        self._client = client
        self._cut = cut

    def __getattr__(self, name: str) -> Any:
        if self._cut.is_set() and name != "close":
            raise UnavailableError("the network is cut")
        return getattr(self._client, name)


@contextmanager
def replicas(count: int) -> Iterator[tuple[InProcessServer, list[Replica]]]:
    server = InProcessServer("2.3", bookmark_interval=0.5)
    with HttpServer(server) as http:
        made = [Replica(server, http.url, f"replica-{number}") for number in range(count)]
        made[0].world.add_runtimes("2.3")
        for replica in made:
            replica.world.start()
        try:
            eventually(lambda: any(replica.leads for replica in made), "one leads")
            yield server, made
        finally:
            for replica in made:
                replica.world.stop()


def create(world: World, *names: str, **spec: Any) -> None:
    for name in names:
        world.create(train_job(name, **spec))


def all_have_job_sets(world: World, *besides: str) -> bool:
    jobs = {item["metadata"]["name"] for item in world.client.list(TRAIN_JOB).items}
    return {item["metadata"]["name"] for item in world.client.list(JOB_SET).items} == jobs | set(besides)


def orphans_of(world: World) -> list[str]:
    """JobSets that came to be just after their TrainJob went, for the news of it takes its time; a cluster's garbage
    collector deletes them, as their owner is not there."""
    uids = {item["metadata"]["uid"] for item in world.client.list(TRAIN_JOB).items}
    found = world.client.list(JOB_SET).items
    return [one["metadata"]["name"] for one in found if one["metadata"]["ownerReferences"][0]["uid"] not in uids]


def nothing_is_amiss(world: World, *made: Replica) -> None:
    """One JobSet a TrainJob, each with one owner, and no write without the lease."""
    jobs = {item["metadata"]["name"]: item["metadata"]["uid"] for item in world.client.list(TRAIN_JOB).items}
    for item in world.client.list(JOB_SET).items:
        (owner,) = item["metadata"]["ownerReferences"]
        assert jobs[item["metadata"]["name"]] == owner["uid"]
    assert [replica.log.unfenced for replica in made] == [[]] * len(made)


def test_of_two_replicas_one_writes_and_the_other_takes_over_when_it_stops() -> None:
    with replicas(2) as (_, made):
        leader = next(one for one in made if one.leads)
        other = next(one for one in made if one is not leader)
        create(leader.world, "a", "b")
        eventually(lambda: all_have_job_sets(leader.world), "JobSets")
        assert other.log.writes == []
        leader.world.stop()
        create(other.world, "c")
        eventually(lambda: all_have_job_sets(other.world), "JobSets by the other")
        nothing_is_amiss(other.world, *made)


def test_a_leader_cut_off_in_the_middle_writes_no_more_and_is_followed() -> None:
    with replicas(2) as (_, made):
        leader = next(one for one in made if one.leads)
        other = next(one for one in made if one is not leader)
        create(leader.world, *(f"job-{number}" for number in range(30)))
        leader.cut.set()
        eventually(lambda: other.leads, "the other leads")
        assert not leader.leads
        eventually(lambda: all_have_job_sets(other.world), "all JobSets")
        leader.cut.clear()
        create(other.world, "later")
        eventually(lambda: all_have_job_sets(other.world), "all JobSets")
        nothing_is_amiss(other.world, *made)


def test_a_leader_whose_lease_cannot_be_renewed_stops_by_the_clock_alone() -> None:
    """The API server answers all but the requests for leases, which hang."""
    with replicas(1) as (server, [leader]):
        server.faults.plan(Hang(30.0), plural="leases", times=1000)
        eventually(lambda: not leader.leads, "it leads no more", TERMS.duration + 2)
        before = len(leader.log.writes)
        create(leader.world, "waiting")
        time.sleep(1.0)
        assert len(leader.log.writes) == before
        server.faults.clear()
        eventually(lambda: all_have_job_sets(leader.world), "it leads again")
        nothing_is_amiss(leader.world, leader)


def test_while_the_trainers_controller_holds_its_lease_nothing_is_written() -> None:
    server = InProcessServer("2.3")
    with HttpServer(server) as http:
        replica = Replica(server, http.url, "replica-0")
        world = replica.world
        world.add_runtimes("2.3")
        spec = {"holderIdentity": "kubeflow-trainer-controller-manager-7f", "leaseDurationSeconds": 600}
        lease = {
            "apiVersion": LEASE.api_version,
            "kind": "Lease",
            "metadata": {"name": "trainer.kubeflow.org", "namespace": "kubeflow-system"},
            "spec": {**spec, "renewTime": "2026-01-02T03:04:05.000000Z"},
        }
        world.client.create(LEASE, lease, "kubeflow-system")
        process = world.start()
        try:
            create(world, "a")
            eventually(lambda: "kubeflow-trainer-controller-manager-7f" in process.election.waiting_for, "it waits")
            time.sleep(1.0)
            assert replica.log.writes == []
            gone = {**lease, "spec": {"holderIdentity": ""}}
            world.client.update(LEASE, gone)
            eventually(lambda: all_have_job_sets(world), "it takes over")
            nothing_is_amiss(world, replica)
        finally:
            world.stop()


@pytest.mark.parametrize(
    "fault",
    [
        CutWatch(after=0),
        CutWatch(after=2),
        CutWatch(after=1, expired=True),
        Refuse(410, "Expired"),
        Refuse(429, retry_after=0.3),
        Refuse(500),
        Drop(),
        Garble(),
    ],
    ids=["cut", "cut after two", "410 within", "410", "429", "500", "dropped", "garbled"],
)
def test_watches_that_break_lose_nothing(fault: Any) -> None:
    with replicas(1) as (server, [leader]):
        for kind in ("trainjobs", "jobsets", "configmaps"):
            server.faults.plan(fault, verb="watch", plural=kind, times=3)
        server.cut_watches()
        create(leader.world, *(f"job-{number}" for number in range(10)), suspend=True)
        for number in range(10):
            leader.world.patch(f"job-{number}", {"suspend": False})
        eventually(lambda: all_have_job_sets(leader.world), "all JobSets")

        def resumed() -> bool:
            found = leader.world.client.list(JOB_SET).items
            return all(item["spec"].get("suspend") is False for item in found)

        eventually(resumed, "all run")
        nothing_is_amiss(leader.world, leader)


def test_a_history_that_is_forgotten_while_the_watch_is_down_is_listed_anew() -> None:
    with replicas(1) as (server, [leader]):
        create(leader.world, "goes", "stays")
        eventually(lambda: all_have_job_sets(leader.world), "JobSets")
        server.faults.plan(Refuse(503), verb="watch", times=8)
        server.cut_watches()
        leader.world.client.delete(TRAIN_JOB, "goes", "team-a")
        create(leader.world, "comes")
        server.compact()
        eventually(lambda: leader.world.job_set("comes"), "the new JobSet")
        process = leader.world.process
        assert process is not None
        eventually(lambda: len(process.caches.stores[TRAIN_JOB]) == 2, "the cache forgets what went")
        nothing_is_amiss(leader.world, leader)


def test_a_server_that_is_slow_now_and_then_and_broken_now_and_then_is_outlived() -> None:
    """Faults of all sorts at random, by a fixed seed, while jobs are created, suspended, resumed and deleted."""
    dice = random.Random(11)
    with replicas(2) as (server, made):
        world = made[0].world
        sorts: list[Any] = [Refuse(500), Refuse(409), Refuse(429, retry_after=0.2), Drop(), Drop(after=True)]
        sorts += [Slow(0.2), Garble(), Hang(0.3)]
        for _ in range(60):
            verb = dice.choice(["apply", "patch", "get", "list", "watch"])
            server.faults.plan(dice.choice(sorts), verb=verb, skip=dice.randrange(5))
        alive: set[str] = set()
        for step in range(60):
            name = f"job-{step}"
            create(world, name, suspend=dice.random() < 0.5)
            alive.add(name)
            if dice.random() < 0.3:
                world.patch(dice.choice(sorted(alive)), {"suspend": dice.random() < 0.5})
            if dice.random() < 0.15:
                world.client.delete(TRAIN_JOB, gone := dice.choice(sorted(alive)), "team-a")
                alive.discard(gone)
            if dice.random() < 0.1:
                server.cut_watches()
            if dice.random() < 0.05:
                server.compact()
        server.faults.clear()
        eventually(lambda: all_have_job_sets(world, *orphans_of(world)), "all JobSets", 2 * PATIENCE)
        for name in orphans_of(world):
            world.client.delete(JOB_SET, name, "team-a")

        def settled() -> bool:
            wanted = {item["metadata"]["name"]: item["spec"]["suspend"] for item in world.client.list(TRAIN_JOB).items}
            got = {item["metadata"]["name"]: item["spec"]["suspend"] for item in world.client.list(JOB_SET).items}
            return wanted == got

        eventually(settled, "all are suspended or not as they should be", 2 * PATIENCE)
        nothing_is_amiss(world, *made)
