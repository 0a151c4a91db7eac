"""The controller under load, on a real API server: compared to a loop that does nothing else, and at rest.

The loop is measured twice: once with the very requests of the controller, server-side applies, and once creating the
JobSets alone, which costs a server less. The aim is 1.5 times the latter; what is held here is the former.

``TRAINERGEN_BENCH=full`` takes the full numbers; the figures are printed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from trainergen_controller.kinds import CONFIG_MAP, JOB_SET, TRAIN_JOB
from trainergen_controller.kubernetes_client import KubernetesClient, configuration

from tests.controller.world import World, eventually, train_job
from tests.controlplane import binaries
from tests.controlplane.crds import Definitions
from tests.controlplane.server import ControlPlane, free_ports
from trainergen.releases import get_release

if TYPE_CHECKING:
    from trainergen_controller.client import Object

pytestmark = [pytest.mark.bench, pytest.mark.controlplane, pytest.mark.enable_socket, pytest.mark.timeout(1800)]

FULL = os.environ.get("TRAINERGEN_BENCH") == "full"
AT_ONCE = 1000
AT_REST = (100, 1000, 10_000) if FULL else (100, 500)
WORKERS = 5
MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    try:
        programs = binaries.find()
    except binaries.UnavailableError as error:
        pytest.skip(f"no control plane: {error}")
    with ControlPlane(programs, tmp_path_factory.mktemp("scale")) as started:
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


def create_jobs(world: World, first: int, last: int, **spec: object) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: world.create(train_job(f"job-{n}", **spec)), range(first, last)))


def bare_loops(world: World, release: str) -> tuple[float, float]:
    """Seconds that as many threads take for the same requests, and to create the JobSets alone."""
    job_set = world.job_set("job-0")
    assert job_set is not None
    bare = {key: job_set[key] for key in ("apiVersion", "kind", "spec")}
    kept = {}
    if get_release(release).rendering.runtime_snapshot:
        found = world.client.get(CONFIG_MAP, "job-0-runtime-snapshot", "team-a")
        kept = {key: found[key] for key in ("apiVersion", "kind", "data")}

    def same(number: int) -> None:
        place = {"metadata": {"name": f"same-{number}", "namespace": "bare"}}
        if kept:
            world.client.create(CONFIG_MAP, {**kept, **place}, "bare")
        world.client.apply(JOB_SET, {**bare, **place}, manager="trainer", force=True)

    def alone(number: int) -> None:
        place = {"metadata": {"name": f"alone-{number}", "namespace": "bare"}}
        world.client.create(JOB_SET, {**bare, **place}, "bare")

    return looped(same), looped(alone)


def looped(call: Callable[[int], None]) -> float:
    began = time.monotonic()
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(call, range(AT_ONCE)))
    return time.monotonic() - began


@pytest.mark.parametrize("release", ["2.2", "2.3"])
def test_many_jobs_at_once_take_little_longer_than_a_bare_loop(plane: ControlPlane, release: str) -> None:
    """In 2.3 the release asks for two objects: the snapshot of the runtime, then the JobSet."""
    world = world_of(plane, release)
    create_jobs(world, 0, AT_ONCE, suspend=False)
    with world.running(release=release, workers=WORKERS) as process:
        began = time.monotonic()
        eventually(lambda: len(process.caches.stores[JOB_SET]) >= AT_ONCE, "all JobSets", 600)
        taken = time.monotonic() - began
        assert len(world.client.list(JOB_SET).items) == AT_ONCE
    same, alone = bare_loops(world, release)
    ratios = f"{taken / same:.2f} of the same requests, {taken / alone:.2f} of JobSets alone"
    print(f"{release}: {AT_ONCE} JobSets in {taken:.2f} s: {ratios}")
    assert taken <= 2.0 * same
    clear(world)


def test_at_rest_it_is_small_and_silent(plane: ControlPlane, tmp_path: Path) -> None:
    """As a process of its own, with jobs that wait suspended, each with its JobSet."""
    world = world_of(plane, "2.3")
    (port,) = free_ports(1)
    program = [sys.executable, "-m", "trainergen_controller", "reconcile", "--qps", "0", "--workers", "8"]
    where = ["--kubeconfig", str(plane.kubeconfig()), "--health-address", f"127.0.0.1:{port}", "--log-level", "error"]
    process = subprocess.Popen([*program, *where])
    try:
        count = 0
        for size in AT_REST:
            create_jobs(world, count, size, suspend=True)
            count = size
            eventually(lambda count=count: amount(world) == count, "all JobSets", 1200)  # type: ignore[misc]
            settled(process.pid)
            memory, busy = resident(process.pid), busy_share(process.pid, 15.0)
            print(f"{size} jobs at rest: {memory / MEGABYTE:.0f} MB, {100 * busy:.2f} % of a core")
            assert memory < 300 * MEGABYTE
            assert busy < 0.02
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    clear(world)


def amount(world: World) -> int:
    names: set[str] = set()
    token = ""
    while True:
        page = world.client.list(JOB_SET, "team-a", limit=500, continue_token=token)
        names |= {item["metadata"]["name"] for item in page.items}
        token = page.continue_token
        if not token:
            return len(names)


def settled(pid: int) -> None:
    """Waits until the process has little to do."""
    eventually(lambda: busy_share(pid, 2.0) < 0.02, "the controller comes to rest", 300)


def resident(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def busy_share(pid: int, seconds: float) -> float:
    """Processor time over time, of all threads."""

    def ticks() -> int:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    before = ticks()
    time.sleep(seconds)
    return (ticks() - before) / os.sysconf("SC_CLK_TCK") / seconds


def clear(world: World) -> None:
    for kind in (TRAIN_JOB, JOB_SET, CONFIG_MAP):
        while items := world.client.list(kind, limit=500).items:
            with ThreadPoolExecutor(8) as pool:
                list(pool.map(lambda found, kind=kind: delete(world, kind, found), items))  # type: ignore[misc]
            if kind == CONFIG_MAP:
                return


def delete(world: World, kind: object, found: Object) -> None:
    metadata = found["metadata"]
    if not metadata["name"].endswith(".crt"):
        world.client.delete(kind, metadata["name"], metadata["namespace"])  # type: ignore[arg-type]
