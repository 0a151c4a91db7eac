"""The controller under load and at rest, on a real API server; as a process of its own, as in a cluster.

Under load it is compared to a loop in as many threads: one that makes the very same requests, and one that only creates
the JobSets, which costs a server less. Since 2.3 a TrainJob takes two writes, the snapshot of its runtime and then its
JobSet; before, one.

``TRAINERGEN_BENCH=full`` takes the full numbers; the figures are printed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, CONFIG_MAP, JOB_SET
from trainergen_controller.kubernetes_client import KubernetesClient, configuration

from tests.bench.controller_process import ControllerProcess
from tests.controller.world import World, eventually, train_job
from tests.controlplane import binaries
from tests.controlplane.crds import Definitions
from tests.controlplane.server import ControlPlane
from trainergen.releases import get_release

if TYPE_CHECKING:
    from pathlib import Path

    from trainergen_controller.client import Object

pytestmark = [pytest.mark.bench, pytest.mark.controlplane, pytest.mark.enable_socket, pytest.mark.timeout(3000)]

FULL = os.environ.get("TRAINERGEN_BENCH") == "full"
AT_ONCE = 1000 if FULL else 500
AT_REST = (100, 1000, 10_000) if FULL else (100, 500)
ROUNDS = 3
AIM, BOUND = 1.5, 1.8
WORKERS = 5
OTHERS = 20
MEGABYTE = 1024 * 1024


@pytest.fixture
def plane(tmp_path: Path) -> Iterator[ControlPlane]:
    """A new one each time, since the size of the data is part of what is measured."""
    try:
        programs = binaries.find()
    except binaries.UnavailableError as error:
        pytest.skip(f"no control plane: {error}")
    with ControlPlane(programs, tmp_path) as started:
        yield started


def world_of(plane: ControlPlane, release: str) -> World:
    def connect(seconds: float = 30.0) -> KubernetesClient:
        return KubernetesClient(configuration(kubeconfig=str(plane.kubeconfig())), timeout=seconds)

    with plane.api() as api:
        Definitions(api).install(release)
    world = World(connect(), connect)
    world.add_namespaces("kubeflow-system", "team-a", "bare")
    world.add_runtimes(release)
    return world


def looped(call: Callable[[int], object], numbers: range, threads: int = WORKERS) -> float:
    """Seconds that as many threads take to do it for all numbers."""
    began = time.monotonic()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(call, numbers))
    return time.monotonic() - began


def create_jobs(world: World, numbers: range, runtime: str = "torch-distributed", **spec: object) -> None:
    looped(lambda number: world.create(train_job(f"job-{number}", runtime, **spec)), numbers, 8)


class BareLoop:
    """What the controller makes of a TrainJob, made by nothing but requests."""

    def __init__(self, world: World, release: str) -> None:
        self._client = world.client
        job_set = world.job_set("job-0")
        assert job_set is not None
        self._job_set = {key: job_set[key] for key in ("apiVersion", "kind", "spec")}
        self._snapshot: Object = {}
        if get_release(release).rendering.runtime_snapshot:
            found = world.client.get(CONFIG_MAP, "job-0-runtime-snapshot", "team-a")
            self._snapshot = {key: found[key] for key in ("apiVersion", "kind", "data")}

    def same(self, number: int) -> None:
        """The requests of the controller."""
        place = {"metadata": {"name": f"same-{number}", "namespace": "bare"}}
        if self._snapshot:
            self._client.create(CONFIG_MAP, {**self._snapshot, **place}, "bare")
        self._client.apply(JOB_SET, {**self._job_set, **place}, manager="trainer", force=True)

    def alone(self, number: int) -> None:
        """The JobSet, and no more is said about who made it."""
        place = {"metadata": {"name": f"alone-{number}", "namespace": "bare"}}
        self._client.create(JOB_SET, {**self._job_set, **place}, "bare")


@pytest.mark.parametrize("release", ["2.2", "2.3"])
def test_many_jobs_at_once_take_little_longer_than_a_bare_loop(plane: ControlPlane, release: str) -> None:
    """The best of three rounds counts, since a machine has other things to do; the controller starts anew in each.

    The aim is 1.5; the bound leaves room for machines on which the API server shares its cores with more than us.
    """
    world = world_of(plane, release)
    same, alone = [], []
    for number in range(ROUNDS):
        numbers = range(number * AT_ONCE, (number + 1) * AT_ONCE)
        create_jobs(world, numbers)
        before = number * 3 * AT_ONCE  # the bare loops' own are seen, too
        with ControllerProcess(plane, release, WORKERS) as controller:
            controller.leads()
            began = time.monotonic()
            controller.has_cached(before + AT_ONCE, "JobSet")
            taken = time.monotonic() - began
            controller.rests()
        loop = BareLoop(world, release)
        same.append(taken / looped(loop.same, numbers))
        alone.append(taken / looped(loop.alone, numbers))
        print(
            f"{release}: {AT_ONCE} JobSets in {taken:.2f} s: {same[-1]:.2f} of the same requests, {alone[-1]:.2f} alone"
        )
        if same[-1] <= AIM and not FULL:
            break
    assert min(same) <= BOUND


def test_at_rest_it_is_small_and_silent(plane: ControlPlane) -> None:
    """With jobs that wait suspended, each with its JobSet; after it has made them, and after a restart among them."""
    world = world_of(plane, "2.3")
    others = {**world.client.get(CLUSTER_TRAINING_RUNTIME, "torch-distributed"), "metadata": {"name": "others"}}
    world.client.create(
        CLUSTER_TRAINING_RUNTIME, {key: others[key] for key in ("apiVersion", "kind", "metadata", "spec")}
    )
    count = 0
    with ControllerProcess(plane, "2.3", WORKERS) as controller:
        for size in AT_REST:
            create_jobs(world, range(count, size - OTHERS), suspend=True)
            create_jobs(world, range(size - OTHERS, size), "others", suspend=True)
            count = size
            controller.has_cached(count, "JobSet")
            is_small_and_silent(controller, f"{size} jobs")
            assert passes_for_a_changed_runtime(world, controller, size) <= OTHERS * AT_REST.index(size) + OTHERS
    with ControllerProcess(plane, "2.3", WORKERS) as controller:
        controller.leads()
        controller.has_cached(count, "JobSet")
        is_small_and_silent(controller, f"{count} jobs after a restart")


def is_small_and_silent(controller: ControllerProcess, what: str) -> None:
    controller.rests()
    memory, busy = controller.resident(), controller.busy(15.0)
    print(f"{what} at rest: {memory / MEGABYTE:.0f} MB, {100 * busy:.2f} % of a core")
    assert memory < 300 * MEGABYTE
    assert busy < 0.02


def passes_for_a_changed_runtime(world: World, controller: ControllerProcess, number: int) -> int:
    """How many TrainJobs were passed over because another runtime than that of most changed."""
    passes = 'trainergen_passes_total{kind="TrainJob",outcome="done"}'
    before = controller.number(passes)
    world.client.merge_patch(CLUSTER_TRAINING_RUNTIME, "others", "", {"spec": {"mlPolicy": {"numNodes": number}}})
    eventually(lambda: controller.number(passes) > before, "passes over its jobs")
    controller.rests()
    return int(controller.number(passes) - before)
