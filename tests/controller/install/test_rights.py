"""The roles are enough for each mode, and nothing in them is left over: the code runs as a user with just these."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from trainergen_controller.caches import KINDS
from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.kinds import (
    CLUSTER_POLICY_REPORT,
    CLUSTER_TRAINING_RUNTIME,
    EVENT,
    MUTATING_WEBHOOKS,
    POD_GROUP,
    POLICY_REPORT,
    SECRET,
    TRAIN_JOB,
    TRAINING_RUNTIME,
    VALIDATING_WEBHOOKS,
    VOLCANO_POD_GROUP,
)
from trainergen_controller.process import Process
from trainergen_controller.serving.https import Request
from trainergen_controller.serving.issuing import SERVING_LIFE
from trainergen_controller.serving.rotation import Rotation
from trainergen_controller.settings import AUDIT, RECONCILE, Settings
from trainergen_controller.ssh_keys import new_ssh_keys
from trainergen_controller.statusserver import TokenReviews, status_route
from trainergen_controller.statusserver.routes import Rates
from trainergen_controller.webhook.lookup import ClusterLookup

from tests.controller import life
from tests.controller.clocks import TurnedClock
from tests.controller.install.built import NAME, kustomized
from tests.controller.install.rights import Guard, Right, rights_of
from tests.controller.scripted import StoredClient
from tests.controller.world import QUICK, World, eventually, train_job
from trainergen.releases import get_release

if TYPE_CHECKING:
    from trainergen_controller.kinds import ApiKind

    from tests.controller.install.built import Object

FOR_FINALIZERS = Right("trainer.kubeflow.org", "trainjobs/finalizers", "update")
"""No request of ours: the API server asks for it where owner references may block a deletion."""
HELD = ["trainer.kubeflow.org/resource-in-use"]


class Reviews:
    """Knows every token."""

    def create(self, kind: object, body: Object, namespace: str = "", **options: Any) -> Object:
        user = {"username": "system:serviceaccount:team-a:default"}
        return {"status": {"authenticated": True, "audiences": body["spec"]["audiences"], "user": user}}


class Webhooks(StoredClient):
    """Both configurations, without an authority."""

    def __init__(self) -> None:
        super().__init__()
        service = {"name": NAME, "namespace": "kubeflow-system"}
        for kind in (VALIDATING_WEBHOOKS, MUTATING_WEBHOOKS):
            hook = {"name": "a", "clientConfig": {"service": service}}
            self._store(kind, "", {"metadata": {"name": NAME}, "webhooks": [hook]}, "create")

    def apply(self, kind: Any, body: Object, **options: Any) -> Object:
        return self._store(kind, "", body, "apply")


def guard(server: InProcessServer, folder: Path, mode: str, *components: str) -> Guard:
    webhooks = Webhooks()
    stand_ins = {"tokenreviews": Reviews(), VALIDATING_WEBHOOKS.plural: webhooks, MUTATING_WEBHOOKS.plural: webhooks}
    rights = rights_of(kustomized(folder, mode, components))
    return Guard(server.client("trainer"), rights, stand_ins)  # type: ignore[arg-type]


@contextmanager
def running(made: Guard, mode: str) -> Iterator[Process]:
    """A controller of that mode, leading."""
    settings = Settings(mode=mode, qps=0, terms=QUICK, identity="replica")
    process = Process(settings, lambda seconds: made, new_ssh_keys)  # type: ignore[arg-type, return-value]
    thread = threading.Thread(target=process.run)
    thread.start()
    try:
        eventually(lambda: process.fence.is_open and process.caches.synced, "the controller leads")
        yield process
    finally:
        process.stop.set()
        thread.join(30)


def world_of(server: InProcessServer) -> World:
    return World(server.client("test"), lambda seconds: server.client("trainer"))


def gang(world: World, name: str, kind: ApiKind, policy: Object) -> None:
    """A runtime that schedules all Pods at once, held by a finalizer of the past."""
    spec = world.client.get(CLUSTER_TRAINING_RUNTIME, "torch-distributed")["spec"]
    labels = {"trainer.kubeflow.org/framework": "torch"}
    metadata: Object = {"name": name, "finalizers": HELD, "labels": labels}
    namespace = "team-a" if kind.namespaced else ""
    body = {"apiVersion": kind.api_version, "kind": kind.kind, "spec": {**spec, "podGroupPolicy": policy}}
    world.client.create(
        kind, {**body, "metadata": metadata | ({"namespace": namespace} if namespace else {})}, namespace
    )


def series(world: World) -> bool:
    return any(event.get("series") for event in world.client.list(EVENT, "team-a").items)


def admit(made: Guard, process: Process) -> None:
    """The webhook asks for what its cache has not seen, and for what Volcano needs."""
    lookup = ClusterLookup(process.caches, made)  # type: ignore[arg-type]
    for kind in (TRAINING_RUNTIME, CLUSTER_TRAINING_RUNTIME):
        job = train_job("asked")
        job["spec"]["runtimeRef"] = {"name": "not-there", "kind": kind.kind}
        assert lookup(job) == []
    job["spec"]["runtimeRef"] = {"name": "volcano", "kind": "TrainingRuntime"}
    assert lookup(job)


def certify(made: Guard, secret: str) -> None:
    """Own certificates: made, put into the webhooks, renewed."""
    clock = TurnedClock()
    rotation = Rotation(made, "kubeflow-system", secret, (NAME,), NAME, clock)  # type: ignore[arg-type]
    rotation.step()
    clock.turn((SERVING_LIFE * 0.7).total_seconds())
    rotation.step()
    rotation.close()


def report(made: Guard) -> None:
    """A report of training code comes in."""
    clock = TurnedClock()
    reviews = TokenReviews(made, clock)  # type: ignore[arg-type]
    route = status_route(made, reviews, get_release("2.3"), Rates(clock))  # type: ignore[arg-type]
    path = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team-a/trainjobs/keys/status"
    body = b'{"trainerStatus": {"lastUpdatedTime": "2026-01-02T03:04:05Z"}}'
    assert route(Request(path, {"authorization": "Bearer any"}, body)).code == 200


def left_over(made: Guard) -> set[Right]:
    return made.rights - made.used


def test_reconcile_takes_exactly_its_rights(tmp_path: Path) -> None:
    server = InProcessServer("2.3")
    world = world_of(server)
    world.add_runtimes("2.3")
    gang(world, "volcano", TRAINING_RUNTIME, {"volcano": {}})
    gang(world, "coscheduling", CLUSTER_TRAINING_RUNTIME, {"coscheduling": {}})
    made = guard(server, tmp_path, RECONCILE, "webhook", "own-certificates", "status-server")
    with running(made, RECONCILE) as process:
        life.makes_keys_once(world, "keys", "2.3")
        world.create(train_job("flux", "flux-distributed"))
        life.wait_job_set(world, "flux")
        life.exceeds_its_deadline(world, "overdue", "2.3")
        gangs(world)
        world.create(train_job("lost", "nowhere"))
        eventually(lambda: world.events("lost"), "an Event tells of the missing runtime")
        admit(made, process)
        report(made)
    with running(made, RECONCILE):
        eventually(lambda: series(world), "a second replica adds to the Event of the first")
    certify(made, "kubeflow-trainer-webhook-cert")
    assert made.refused == set()
    assert left_over(made) == {FOR_FINALIZERS}


def finalizers(world: World, kind: ApiKind, name: str) -> list[str]:
    found = world.client.get(kind, name, "team-a" if kind.namespaced else "")
    return found["metadata"].get("finalizers") or []


def gangs(world: World) -> None:
    for name, kind in (("volcano", TRAINING_RUNTIME), ("coscheduling", CLUSTER_TRAINING_RUNTIME)):
        job = train_job(f"in-{name}")
        job["spec"]["runtimeRef"] = {"name": name, "kind": kind.kind}
        world.create(job)
        life.wait_job_set(world, f"in-{name}")
        eventually(lambda kind=kind, name=name: not finalizers(world, kind, name), f"{name} is held no longer")
    for group in (POD_GROUP, VOLCANO_POD_GROUP):
        assert world.client.list(group, "team-a").items


def test_audit_takes_exactly_its_rights(tmp_path: Path) -> None:
    server = InProcessServer("2.3")
    world = world_of(server)
    world.add_runtimes("2.3")
    gang(world, "volcano", TRAINING_RUNTIME, {"volcano": {}})
    world.create(train_job("lost", "nowhere"))
    made = guard(server, tmp_path, AUDIT, "webhook-audit", "own-certificates")
    with running(made, AUDIT) as process:
        eventually(lambda: world.client.list(POLICY_REPORT, "team-a").items, "a report of the namespace")
        eventually(lambda: world.client.list(CLUSTER_POLICY_REPORT).items, "a report of the cluster")
        admit(made, process)
        world.client.delete(TRAIN_JOB, "lost", "team-a")
        world.client.merge_patch(TRAINING_RUNTIME, "volcano", "team-a", {"metadata": {"finalizers": None}})
        world.client.delete(TRAINING_RUNTIME, "volcano", "team-a")
        for runtime in world.client.list(CLUSTER_TRAINING_RUNTIME).items:
            world.client.delete(CLUSTER_TRAINING_RUNTIME, runtime["metadata"]["name"])
        eventually(lambda: not world.client.list(POLICY_REPORT, "team-a").items, "nothing is left to report")
        eventually(lambda: not world.client.list(CLUSTER_POLICY_REPORT).items, "nothing is left to report")
    world.create(train_job("again", "nowhere"))
    with running(made, AUDIT):
        eventually(lambda: world.events("again"), "an Event about the job")
    with running(made, AUDIT):
        eventually(lambda: series(world), "a second replica adds to the Event of the first")
    certify(made, "trainergen-controller-cert")
    assert made.refused == set()
    assert left_over(made) == set()


def test_audit_reads_no_secret_and_writes_nothing_of_training(tmp_path: Path) -> None:
    rights = rights_of(kustomized(tmp_path, AUDIT, ("webhook-audit", "own-certificates")))
    secrets = {right for right in rights if right.resource == SECRET.plural}
    assert {(right.verb, right.namespace, right.name) for right in secrets} == {
        ("create", "kubeflow-system", ""),
        ("get", "kubeflow-system", "trainergen-controller-cert"),
        ("update", "kubeflow-system", "trainergen-controller-cert"),
    }
    looking = {"get", "list", "watch"}
    training = {kind.plural for kind in KINDS}
    for right in rights - secrets:
        if right.resource.partition("/")[0] in training:
            assert right.verb in looking, right


def test_who_lacks_a_right_is_refused_by_the_guard(tmp_path: Path) -> None:
    made = guard(InProcessServer("2.3"), tmp_path, AUDIT)
    made.list(TRAIN_JOB)
    with pytest.raises(Exception, match="not allowed"):
        made.list(SECRET)
    assert made.refused == {Right("", "secrets", "list")}


def test_no_role_says_all(tmp_path: Path) -> None:
    for mode, components in (
        (AUDIT, ("webhook-audit",)),
        (RECONCILE, ("webhook", "own-certificates", "status-server")),
    ):
        for right in rights_of(kustomized(tmp_path, mode, components)):
            assert "*" not in (right.group, right.resource, right.verb), right
