"""The reader of real clusters: over HTTP from a kubeconfig in a file, page by page, and reads alone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from trainergen_controller.inprocess.faults import Drop, Garble, Hang, Refuse
from trainergen_controller.inprocess.http import HttpServer
from trainergen_controller.inprocess.server import InProcessServer
from trainergen_controller.kinds import (
    CLUSTER_TRAINING_RUNTIME,
    CONFIG_MAP,
    CUSTOM_RESOURCE_DEFINITION,
    SECRET,
    TRAIN_JOB,
)

from tests.upgrade.live.cluster import OVERRIDES, crds, helm_secret, job, runtime
from trainergen import live
from trainergen.engine.upgrading import UpgradeOptions, run_upgrade
from trainergen.errors import TrainergenError
from trainergen.live import KubernetesReader, UnreachableError, WriteRefusedError, connect
from trainergen.upgrade.live.reader import CLUSTER_RUNTIMES, CRDS, SECRETS, TRAIN_JOBS, NotFoundError, ReadError

if TYPE_CHECKING:
    from trainergen.upgrade.live.report import LiveAudit

pytestmark = pytest.mark.enable_socket
JOBS = 7


@pytest.fixture
def server() -> InProcessServer:
    return InProcessServer("2.1")


@pytest.fixture
def url(server: InProcessServer) -> Iterator[str]:
    with HttpServer(server) as listening:
        yield listening.url


@pytest.fixture
def kubeconfig(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "kubeconfig"
    write_config(path, url)
    monkeypatch.setenv("KUBECONFIG", str(path))
    return path


@pytest.fixture
def reader(kubeconfig: Path) -> KubernetesReader:
    return connect("own", timeout=2.0)


def write_config(path: Path, url: str, name: str = "own") -> None:
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": {"server": url}}],
        "users": [{"name": name, "user": {"token": "secret"}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }
    path.write_text(json.dumps(config))


def filled(server: InProcessServer) -> None:
    client = server.client("tests", faulty=False)
    for crd in crds("2.1"):
        client.create(CUSTOM_RESOURCE_DEFINITION, crd)
    made = runtime("torch-distributed", "2.1")
    made["metadata"] = {"name": "torch-distributed"}
    client.create(CLUSTER_TRAINING_RUNTIME, made)
    for number in range(JOBS):
        one = job(f"job-{number}", OVERRIDES if number == 0 else None, phase="Suspended")
        one["metadata"] = {"name": f"job-{number}", "namespace": "team-a"}
        client.create(TRAIN_JOB, one, "team-a")


def audited(reader: KubernetesReader, tree: Path) -> LiveAudit:
    found = run_upgrade(UpgradeOptions((str(tree),), "2.1", "2.3"), reader).live
    assert found is not None
    return found


def test_a_cluster_is_audited_over_http(server: InProcessServer, reader: KubernetesReader, tmp_path: Path) -> None:
    filled(server)
    (tmp_path / "tree").mkdir()
    found = audited(reader, tmp_path / "tree")
    assert [(one.release, one.differing) for one in found.definitions] == [*[("2.1", 0)] * 3, ("0.10", 0)]
    assert [(one.name, one.shipped, one.changed) for one in found.runtimes] == [("torch-distributed", "2.1", False)]
    assert found.phases == (("Suspended", JOBS),)
    assert [(one.name, bool(one.notes)) for one in found.jobs if one.notes] == [("job-0", True)]
    # This server has no Deployments and no webhooks, and says so.
    assert {one.part for one in found.not_evaluated} == {
        "the controllers and the versions of JobSet, Kueue and LeaderWorkerSet",
        "the ValidatingWebhookConfigurations",
        "the MutatingWebhookConfigurations",
    }


def test_an_audit_changes_nothing(server: InProcessServer, reader: KubernetesReader, tmp_path: Path) -> None:
    filled(server)
    before = server.storage.version
    audited(reader, tmp_path)
    assert server.storage.version == before


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "get"])
def test_nothing_but_reads_leaves_the_reader(server: InProcessServer, reader: KubernetesReader, method: str) -> None:
    filled(server)
    before = server.storage.version
    with pytest.raises(WriteRefusedError, match="only reads are allowed"):
        reader.request(method, TRAIN_JOBS.path("team-a", "job-0"))
    assert server.storage.version == before


def test_the_reader_has_no_other_ways_into_a_cluster() -> None:
    public = {name for name in dir(KubernetesReader) if not name.startswith("_")}
    assert public == {"context", "get", "list", "request", "version"}


@pytest.mark.parametrize("page", [1, 3, JOBS, 500])
def test_lists_are_read_page_by_page(
    server: InProcessServer, reader: KubernetesReader, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    filled(server)
    monkeypatch.setattr(live, "PAGE", page)
    names = [found["metadata"]["name"] for found in reader.list(TRAIN_JOBS)]  # type: ignore[call-overload,index]
    assert names == [f"job-{number}" for number in range(JOBS)]


def test_a_list_whose_rest_has_expired_is_read_at_once(
    server: InProcessServer, reader: KubernetesReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(server)
    monkeypatch.setattr(live, "PAGE", 3)
    server.faults.plan(Refuse(410, "Expired"), verb="list", plural="trainjobs", skip=1)
    assert len(reader.list(TRAIN_JOBS)) == JOBS


def test_of_secrets_nothing_but_metadata_is_kept(server: InProcessServer, reader: KubernetesReader) -> None:
    client = server.client("tests")
    for secret in (helm_secret("trainer", 1, "superseded"), helm_secret("trainer", 2, "deployed")):
        client.create(SECRET, {"apiVersion": "v1", "kind": "Secret", **secret}, "kubeflow-system")
    client.create(
        SECRET,
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "other", "namespace": "kubeflow-system"}},
        "kubeflow-system",
    )
    found = reader.list(SECRETS, namespace="kubeflow-system", selector="owner=helm,name=trainer", metadata_only=True)
    assert [set(one) for one in found] == [{"metadata"}] * 2


FAULTS: dict[str, tuple[Any, str]] = {
    "forbidden": (Refuse(403, "Forbidden", message="trainjobs is forbidden"), "not allowed: trainjobs is forbidden"),
    "expired twice": (Refuse(410, "Expired", message="too old"), "too old"),
    "error": (Refuse(500, "InternalError", message="etcd is gone"), "the server answered 500: etcd is gone"),
    "too many": (Refuse(429, "TooManyRequests", message="slow down"), "the server answered 429: slow down"),
    "no JSON": (Garble(), "the server answered 502"),
    "closed": (Drop(), "no connection: "),
    "silent": (Hang(30.0), "no answer within 0.3 s"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_kind_that_cannot_be_read_is_not_evaluated_and_the_rest_is(
    server: InProcessServer, kubeconfig: Path, tmp_path: Path, name: str
) -> None:
    filled(server)
    fault, reason = FAULTS[name]
    server.faults.plan(fault, verb="list", plural="trainjobs", times=2)
    started = time.monotonic()
    found = audited(connect("own", timeout=0.3), tmp_path)
    assert time.monotonic() - started < 25.0
    reasons = {one.part: one.reason for one in found.not_evaluated}
    assert reasons["the TrainJobs"].startswith(reason)
    assert (len(found.definitions), len(found.runtimes)) == (4, 1)


def test_absent_objects_and_kinds_are_told_apart_from_errors(reader: KubernetesReader) -> None:
    with pytest.raises(NotFoundError):
        reader.get(CRDS, "nowhere")
    with pytest.raises(NotFoundError):
        reader.list(CLUSTER_RUNTIMES._replace(plural="nowhere"))


def test_an_answer_that_is_no_list_is_an_error(server: InProcessServer, reader: KubernetesReader) -> None:
    server.client("tests").create(
        CONFIG_MAP, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "n"}}, "n"
    )
    wrong = CRDS._replace(group="", version="v1", plural="namespaces/n/configmaps/a")
    with pytest.raises(ReadError, match="the answer is no list"):
        reader.list(wrong)


def test_a_context_that_is_not_there_is_told_with_those_that_are(kubeconfig: Path) -> None:
    with pytest.raises(TrainergenError) as raised:
        connect("other")
    assert raised.value.message == "there is no context 'other' in the kubeconfig"
    assert raised.value.hint == "Known contexts: own."
    assert raised.value.exit_code == 2


def test_several_kubeconfigs_count_together(
    url: str, kubeconfig: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_config(tmp_path / "second", url, "second")
    monkeypatch.setenv("KUBECONFIG", f"{kubeconfig}:{tmp_path / 'second'}")
    assert [connect(name).context for name in ("own", "second")] == ["own", "second"]


BROKEN: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_text(""),
    "no YAML": lambda path: path.write_text("{"),
    "a list": lambda path: path.write_text("[]"),
    "contexts without cluster": lambda path: path.write_text(
        "apiVersion: v1\nkind: Config\ncurrent-context: own\nclusters: []\nusers: []\n"
        "contexts: [{name: own, context: {cluster: gone, user: gone}}]\n"
    ),
    "certificates that are none": lambda path: path.write_text(
        "apiVersion: v1\nkind: Config\ncurrent-context: own\n"
        "clusters: [{name: own, cluster: {server: 'https://127.0.0.1:1', certificate-authority: /nowhere}}]\n"
        "users: []\ncontexts: [{name: own, context: {cluster: own, user: own}}]\n"
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_kubeconfig_that_cannot_be_used_is_told(kubeconfig: Path, name: str) -> None:
    BROKEN[name](kubeconfig)
    with pytest.raises(TrainergenError) as raised:
        connect("own")
    assert raised.value.exit_code == 2
    assert raised.value.hint


def test_a_cluster_that_nobody_answers_for_is_told(kubeconfig: Path) -> None:
    write_config(kubeconfig, "http://127.0.0.1:9")
    with pytest.raises(TrainergenError, match="cannot read from the cluster of 'own': no connection: ") as raised:
        connect("own")
    assert raised.value.hint.endswith("kubectl --context own version.")


def test_a_connection_that_breaks_is_no_answer(server: InProcessServer, reader: KubernetesReader) -> None:
    server.faults.plan(Drop())
    with pytest.raises(UnreachableError):
        reader.list(TRAIN_JOBS)
