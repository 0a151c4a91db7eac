"""A controller at work against any API server, and a hand that plays JobSet's part."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from trainergen_controller.errors import NotFoundError
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, EVENT, JOB_SET, NAMESPACE, TRAIN_JOB
from trainergen_controller.lease import Terms
from trainergen_controller.process import Process
from trainergen_controller.settings import RECONCILE, Settings
from trainergen_controller.ssh_keys import new_ssh_keys

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object

ROOT = Path(__file__).parents[2]
QUICK = Terms(duration=6.0, renew_deadline=4.0, retry_period=0.3)
PATIENCE = 30.0


@cache
def shipped(release: str) -> dict[str, Object]:
    """The runtimes that a release ships, by name."""
    found: dict[str, Object] = {}
    for path in sorted((ROOT / "runtimes" / release).glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text()):
            found[document["metadata"]["name"]] = document
    return found


def train_job(name: str, runtime: str = "torch-distributed", *, namespace: str = "team-a", **spec: Any) -> Object:
    """A TrainJob that every shipped runtime takes."""
    return {
        "apiVersion": TRAIN_JOB.api_version,
        "kind": TRAIN_JOB.kind,
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"runtimeRef": {"name": runtime}, "trainer": {"numNodes": 1}, **spec},
    }


@dataclass
class World:
    """One API server with its controller; ``client`` is the test's own."""

    client: Client
    connect: Callable[[float], Client]
    settings: Settings = field(default_factory=lambda: Settings(mode=RECONCILE, qps=0, terms=QUICK, identity="replica"))
    process: Process | None = None
    _thread: threading.Thread | None = None

    def start(self, **changes: Any) -> Process:
        """Starts the controller; it leads as soon as it can."""
        values = {name: getattr(self.settings, name) for name in Settings.__slots__}
        self.process = Process(Settings(**{**values, **changes}), self.connect, new_ssh_keys)
        self._thread = threading.Thread(target=self.process.run, name="controller")
        self._thread.start()
        return self.process

    def stop(self) -> None:
        """Stops it in order."""
        if self.process is not None and self._thread is not None:
            self.process.stop.set()
            self._thread.join(PATIENCE)
            assert not self._thread.is_alive(), "the controller did not stop"
        self.process = None

    @contextmanager
    def running(self, **changes: Any) -> Iterator[Process]:
        """A controller that leads."""
        process = self.start(**changes)
        try:
            eventually(lambda: process.fence.is_open, "the controller leads")
            yield process
        finally:
            self.stop()

    def add_namespaces(self, *names: str) -> None:
        for name in names:
            body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            self.client.apply(NAMESPACE, body, manager="test", force=True)

    def add_runtimes(self, release: str) -> None:
        for runtime in shipped(release).values():
            self.client.apply(CLUSTER_TRAINING_RUNTIME, runtime, manager="test", force=True)

    def create(self, job: Object) -> Object:
        return self.client.create(TRAIN_JOB, job, job["metadata"]["namespace"])

    def patch(self, name: str, spec: Object, namespace: str = "team-a") -> Object:
        return self.client.merge_patch(TRAIN_JOB, name, namespace, {"spec": spec})

    def job(self, name: str, namespace: str = "team-a") -> Object:
        return self.client.get(TRAIN_JOB, name, namespace)

    def job_set(self, name: str, namespace: str = "team-a") -> Object | None:
        try:
            return self.client.get(JOB_SET, name, namespace)
        except NotFoundError:
            return None

    def conditions(self, name: str) -> list[str]:
        """``Type=Status/Reason`` of each, in order."""
        found = (self.job(name).get("status") or {}).get("conditions") or []
        return [f"{one['type']}={one['status']}/{one['reason']}" for one in found]

    def job_set_says(self, name: str, condition: str, reason: str, **counts: int) -> None:
        """Plays JobSet's part: a terminal condition, and the counts of each of its jobs."""
        found = self.job_set(name)
        assert found is not None
        jobs = [job["name"] for job in found["spec"]["replicatedJobs"]]
        zero = {"ready": 0, "succeeded": 0, "failed": 0, "active": 0, "suspended": 0}
        status = {
            "restarts": 0,
            "conditions": [
                {
                    "type": condition,
                    "status": "True",
                    "reason": reason,
                    "message": f"as the test says: {reason}",
                    "lastTransitionTime": "2026-01-02T03:04:05Z",
                }
            ],
            "replicatedJobsStatus": [{"name": job, **zero, **counts} for job in jobs],
        }
        self.client.merge_patch(JOB_SET, name, "team-a", {"status": status}, subresource="status")

    def events(self, name: str) -> list[str]:
        """Reasons of the Events about a TrainJob."""
        found = self.client.list(EVENT, "team-a").items
        return [event["reason"] for event in found if event["regarding"]["name"] == name]


def eventually(check: Callable[[], Any], what: str, seconds: float = PATIENCE) -> Any:
    """What ``check`` gives once it is true; fails after ``seconds``."""
    end = time.monotonic() + seconds
    while True:
        if found := check():
            return found
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)


def stays(check: Callable[[], Any], what: str, seconds: float = 1.0) -> None:
    """Fails if ``check`` is not true all the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert check(), f"not any more: {what}"
        time.sleep(0.05)
