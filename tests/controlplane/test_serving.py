"""Webhook and status server before a real API server: it asks us before it stores, and knows the tokens it issued."""

from __future__ import annotations

import http.client
import json
import runpy
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from trainergen_controller import services
from trainergen_controller.clocks import SystemClock
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, MUTATING_WEBHOOKS, TRAIN_JOB, VALIDATING_WEBHOOKS
from trainergen_controller.kubernetes_client import KubernetesClient, configuration
from trainergen_controller.process import Process
from trainergen_controller.serving.issuing import issue
from trainergen_controller.settings import AUDIT, OIDC, REVIEW, Serving, Settings
from trainergen_controller.ssh_keys import new_ssh_keys
from trainergen_controller.statusserver import audience
from trainergen_controller.webhook.answers import PATHS

from tests.controller.world import QUICK, World, eventually, shipped, train_job

if TYPE_CHECKING:
    from tests.controlplane.api import Api
    from tests.controlplane.crds import Definitions
    from tests.controlplane.server import ControlPlane

RELEASE = "2.3"
NAMESPACE = "team-served"
EXAMPLE = Path(__file__).parents[2] / "examples" / "report_progress.py"
JOBS = f"/apis/trainer.kubeflow.org/v1alpha1/namespaces/{NAMESPACE}/trainjobs"


@dataclass
class Served:
    """A process that answers, and how to reach it."""

    process: Process
    authority: bytes

    @property
    def ports(self) -> dict[str, int]:
        return {server.name: server.port for server in self.process.services.servers}

    def post(self, path: str, body: Any, token: str) -> tuple[int, Any]:
        context = ssl.create_default_context(cadata=self.authority.decode())
        connection = http.client.HTTPSConnection("localhost", self.ports["status"], timeout=10, context=context)
        connection.request("POST", path, json.dumps(body), {"Authorization": f"Bearer {token}"})
        response = connection.getresponse()
        answer = response.status, json.loads(response.read())
        connection.close()
        return answer


def connected(control_plane: ControlPlane, seconds: float = 10.0) -> KubernetesClient:
    return KubernetesClient(configuration(kubeconfig=str(control_plane.kubeconfig())), timeout=seconds)


@pytest.fixture(scope="module", params=[REVIEW, OIDC])
def served(
    request: pytest.FixtureRequest,
    control_plane: ControlPlane,
    definitions: Definitions,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Served]:
    definitions.install(RELEASE)
    folder = tmp_path_factory.mktemp("served")
    issued = issue(["localhost"], SystemClock().now())
    chain, key = folder / "tls.crt", folder / "tls.key"
    chain.write_bytes(issued.chain)
    key.write_bytes(issued.key)
    client = connected(control_plane)
    world = World(client, lambda seconds: connected(control_plane, seconds))
    world.add_namespaces("kubeflow-system", NAMESPACE)
    for name in ("torch-distributed",):
        client.apply(CLUSTER_TRAINING_RUNTIME, shipped(RELEASE)[name], manager="test", force=True)
    # what a Pod would have mounted
    with control_plane.api() as api, pytest.MonkeyPatch.context() as patch:
        own = folder / "token"
        own.write_text(issue_token(api, ["https://kubernetes.default.svc"]))
        patch.setattr(services, "_SERVICE_ACCOUNT_TOKEN", own)
        local = ("127.0.0.1", 0)
        serving = Serving(webhook=local, status=local, tokens=request.param, files=(chain, key), drain_seconds=0)
        settings = Settings(
            mode=AUDIT, features={"TrainJobStatus": True}, qps=0, terms=QUICK, identity="served", serving=serving
        )
        process = Process(settings, world.connect, new_ssh_keys, fetch=client.raw)
        thread = threading.Thread(target=process.run)
        thread.start()
        try:
            eventually(lambda: process.services.servers and not process.services.not_ready, "it answers")
            eventually(lambda: process.caches.synced, "the cache is read")
            yield Served(process, issued.authorities)
        finally:
            process.stop.set()
            thread.join(30)
            for job in client.list(TRAIN_JOB, NAMESPACE).items:
                client.delete(TRAIN_JOB, job["metadata"]["name"], NAMESPACE)


def issue_token(api: Api, audiences: list[str], name: str = "trainer") -> str:
    """A token of a service account, as the kubelet asks for one."""
    accounts = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts"
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name}}
    assert api.apply(f"{accounts}/{name}", account).ok
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"audiences": audiences}}
    answer = api.request("POST", f"{accounts}/{name}/token", body)
    assert answer.ok, answer.body
    return str(answer.body["status"]["token"])


@pytest.fixture
def webhooks(served: Served, api: Api) -> Iterator[None]:
    """The API server asks us about TrainJobs and runtimes."""
    from base64 import b64encode

    installed = []
    for kind, verb in ((VALIDATING_WEBHOOKS, "validate"), (MUTATING_WEBHOOKS, "mutate")):
        hooks = []
        for path in (path for path, means in PATHS.items() if means == verb):
            client = {
                "url": f"https://localhost:{served.ports['webhook']}{path}",
                "caBundle": b64encode(served.authority).decode(),
            }
            rule = {
                "apiGroups": ["trainer.kubeflow.org"],
                "apiVersions": ["v1alpha1"],
                "operations": ["CREATE", "UPDATE"],
                "resources": [path.rpartition("-")[2] + "s"],
            }
            hooks.append(
                {
                    "name": f"{path.rpartition('-')[2]}.{verb}.example.org",
                    "clientConfig": client,
                    "rules": [rule],
                    "admissionReviewVersions": ["v1"],
                    "sideEffects": "None",
                    "failurePolicy": "Fail",
                }
            )
        body = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": "served"}, "webhooks": hooks}
        assert api.apply(kind.path("", "served"), body).ok
        installed.append(kind.path("", "served"))
    # the API server reads its configurations a moment later
    eventually(lambda: "runtimeRef" in str(create(api, job("probe", "nowhere"), dryRun="All").body), "it asks us")
    yield
    for path in installed:
        api.request("DELETE", path)


def job(name: str, runtime: str = "torch-distributed", **spec: Any) -> Any:
    return train_job(name, runtime, namespace=NAMESPACE, **spec)


def create(api: Api, body: Any, **query: str) -> Any:
    return api.request("POST", JOBS, body, **query)


def test_what_the_webhook_refuses_is_not_stored_and_the_rest_is(webhooks: None, api: Api) -> None:
    refused = create(api, job("missing", "nowhere"))
    assert refused.code == 403
    assert "nowhere" in refused.body["message"]
    assert create(api, job("good"), dryRun="All").ok
    assert api.request("GET", f"{JOBS}/good").code == 404, "a dry run stores nothing"
    assert create(api, job("good")).ok
    assert api.request("DELETE", f"{JOBS}/good").ok


def test_new_patches_are_stamped_by_the_mutating_webhook(webhooks: None, api: Api) -> None:
    patch = {"manager": "example.org/a", "trainingRuntimeSpec": {"template": {"metadata": {"labels": {"a": "b"}}}}}
    answer = create(api, job("patched", runtimePatches=[patch]))
    assert answer.ok, answer.body
    assert answer.body["spec"]["runtimePatches"][0]["time"].endswith("Z")
    assert api.request("DELETE", f"{JOBS}/patched").ok


def test_a_job_of_a_runtime_created_a_moment_before_is_taken(webhooks: None, api: Api) -> None:
    runtime = json.loads(json.dumps(shipped(RELEASE)["torch-distributed"]))
    collection = "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes"
    for number in range(10):
        runtime["metadata"]["name"] = f"fresh-{number}"
        assert api.request("POST", collection, runtime).ok
        assert create(api, job(f"fresh-{number}", f"fresh-{number}"), dryRun="All").ok
        assert api.request("DELETE", f"{collection}/fresh-{number}").ok


def test_a_report_with_a_token_for_that_very_job_arrives(served: Served, api: Api) -> None:
    assert create(api, job("reported")).ok
    path = f"{JOBS}/reported/status"
    told = {"trainerStatus": {"progressPercentage": 3, "lastUpdatedTime": "2026-01-02T03:04:05Z"}}
    good = issue_token(api, [audience(NAMESPACE, "reported")])
    assert served.post(path, told, good) == (200, told)
    assert api.request("GET", f"{JOBS}/reported").body["status"] == told
    too_far = {"trainerStatus": {**told["trainerStatus"], "progressPercentage": 101}}
    code, answer = served.post(path, too_far, good)
    assert (code, answer["reason"]) == (422, "Invalid")
    assert "progressPercentage" in answer["message"]
    for audiences in ([audience(NAMESPACE, "other")], ["https://kubernetes.default.svc"]):
        assert served.post(path, told, issue_token(api, audiences))[0] == 403
    assert served.post(path, told, good[:-4] + "AAAA")[0] == 403
    gone = issue_token(api, [audience(NAMESPACE, "gone")])
    assert served.post(f"{JOBS}/gone/status", told, gone)[0] == 404


def test_the_client_to_copy_reports_with_what_a_pod_has_mounted(
    served: Served, api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert create(api, job("copied")).ok
    (tmp_path / "ca.crt").write_bytes(served.authority)
    (tmp_path / "token").write_text(issue_token(api, [audience(NAMESPACE, "copied")]))
    server = f"https://localhost:{served.ports['status']}"
    monkeypatch.setenv("KUBEFLOW_TRAINER_SERVER_URL", f"{server}{JOBS}/copied/status")
    monkeypatch.setenv("KUBEFLOW_TRAINER_SERVER_CA_CERT", str(tmp_path / "ca.crt"))
    monkeypatch.setenv("KUBEFLOW_TRAINER_SERVER_TOKEN", str(tmp_path / "token"))
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    status = api.request("GET", f"{JOBS}/copied").body["status"]["trainerStatus"]
    assert (status["progressPercentage"], status["metrics"][0]) == (42, {"name": "loss", "value": "0.31"})
