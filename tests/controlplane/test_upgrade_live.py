"""``upgrade --live`` against a real API server: as a user with the documented rights, and with fewer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.controlplane.crds import COLLECTION, TRAINER, Definitions
from tests.controlplane.server import ControlPlane
from tests.upgrade.live.cluster import OVERRIDES, TRAINER_IMAGE, deployment, helm_secret, job, runtime, webhooks
from trainergen.cli import main
from trainergen.live import METADATA, KubernetesReader, connect
from trainergen.upgrade.live.reader import SECRETS, TRAIN_JOBS

if TYPE_CHECKING:
    from tests.controlplane.api import Api
    from tests.controlplane.binaries import Binaries

READER, STRANGER = "reader", "stranger"
DOCS = Path(__file__).parents[2] / "docs" / "upgrade.md"
ROLES = "/apis/rbac.authorization.k8s.io/v1"
SYSTEM = "kubeflow-system"
HOPS = ("--from", "2.1", "--to", "2.3")
PHASES = {"running": "Running", "waiting": "Suspended", "done": "Complete"}


@pytest.fixture(scope="module")
def plane(programs: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane with Trainer 2.1 on it as far as it is objects, and what users and Helm put beside it."""
    folder = tmp_path_factory.mktemp("live")
    with ControlPlane(programs, folder, authorization="RBAC", users=(READER, STRANGER)) as made:
        with made.api() as api:
            Definitions(api).install("2.1")
            fill(api)
            allow(api)
        yield made


def fill(api: Api) -> None:
    for name in (SYSTEM, "team-a"):
        create(api, "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    for name in ("torch-distributed", "deepspeed-distributed"):
        made = runtime(name, "2.1", finalizers=["trainer.kubeflow.org/resource-in-use"])
        create(api, f"{TRAINER}/clustertrainingruntimes", bare(made))
    own = runtime("torch-distributed", "2.1", name="ours")
    own["spec"]["mlPolicy"]["torch"] = {"numProcPerNode": 4}
    create(api, f"{TRAINER}/clustertrainingruntimes", bare(own))
    specs: dict[str, Any] = {
        "running": OVERRIDES,
        "waiting": {**OVERRIDES, "runtimeRef": {"name": "ours"}, "trainer": {"numNodes": 2}},
        "done": {"trainer": {"numProcPerNode": "auto"}},
    }
    for name, phase in PHASES.items():
        put_job(api, name, specs[name], phase)
    manager = deployment(f"{TRAINER_IMAGE}:v2.1.0", "--config=/c.yaml", "--enable-http2", helm="trainer")
    labels = {"app": "trainer"}
    manager["spec"] |= {"selector": {"matchLabels": labels}}
    manager["spec"]["template"]["metadata"] = {"labels": labels}
    create(api, f"/apis/apps/v1/namespaces/{SYSTEM}/deployments", manager | kind("apps/v1", "Deployment"))
    secret = helm_secret("trainer", 3, "deployed") | {"data": {"release": "c2VjcmV0"}}
    create(api, f"/api/v1/namespaces/{SYSTEM}/secrets", secret | kind("v1", "Secret"))
    hooks = webhooks("defaulter.trainer.kubeflow.org", ca="")
    # It is there to be read: no namespace has the label, so the API server never calls it.
    hooks["webhooks"][0] |= {
        "namespaceSelector": {"matchLabels": {"no": "where"}},
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "rules": [
            {
                "apiGroups": ["trainer.kubeflow.org"],
                "apiVersions": ["*"],
                "operations": ["CREATE"],
                "resources": ["trainjobs"],
            }
        ],
    }
    group = "admissionregistration.k8s.io/v1"
    create(api, f"/apis/{group}/mutatingwebhookconfigurations", hooks | kind(group, "MutatingWebhookConfiguration"))


def put_job(api: Api, name: str, spec: Any, phase: str) -> None:
    made = job(name, spec, phase=phase)
    status = made.pop("status")
    for condition in status.get("conditions", ()):
        condition |= {"reason": "Test", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    counts = dict.fromkeys(("ready", "succeeded", "failed", "suspended"), 0)
    status["jobsStatus"] = [{**step, **counts} for step in status.get("jobsStatus", ())]
    create(api, f"{TRAINER}/namespaces/team-a/trainjobs", bare(made))
    answer = api.merge_patch(f"{TRAINER}/namespaces/team-a/trainjobs/{name}/status", {"status": status})
    assert answer.ok, answer.body


def allow(api: Api) -> None:
    """What docs/upgrade.md says, bound to the reader."""
    text = re.search(r"```yaml\n(apiVersion: rbac.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert text is not None
    subjects = [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": READER}]
    for role in yaml.safe_load_all(text[1]):
        name, namespace = role["metadata"]["name"], role["metadata"].get("namespace", "")
        base = f"{ROLES}/namespaces/{namespace}" if namespace else ROLES
        create(api, f"{base}/{role['kind'].lower()}s", role)
        binding = {
            "apiVersion": role["apiVersion"],
            "kind": f"{role['kind']}Binding",
            "metadata": {"name": name},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": role["kind"], "name": name},
            "subjects": subjects,
        }
        create(api, f"{base}/{role['kind'].lower()}bindings", binding)


def create(api: Api, collection: str, body: Any) -> None:
    answer = api.request("POST", collection, body)
    assert answer.ok, answer.body


def kind(api_version: str, name: str) -> dict[str, str]:
    return {"apiVersion": api_version, "kind": name}


def bare(obj: Any) -> Any:
    kept = ("name", "namespace", "labels", "finalizers")
    return obj | {"metadata": {key: value for key, value in obj["metadata"].items() if key in kept}}


def reported(
    plane: ControlPlane, user: str, tree: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str
) -> tuple[int, Any]:
    """The exit code and the report of a run on a tree, as a user."""
    monkeypatch.chdir(tree)
    monkeypatch.setenv("KUBECONFIG", str(plane.kubeconfig(user)))
    report = tree / "report.json"
    code = main(("upgrade", str(tree), *HOPS, "--live", "own", "--report", str(report), *arguments))
    return code, json.loads(report.read_text())["cluster"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    found = job("ingit") | {"metadata": {"name": "ingit", "namespace": "team-a"}, "status": None}
    (tmp_path / "job.json").write_text(json.dumps(found))
    return tmp_path


def test_the_documented_rights_suffice_for_all_of_it(
    plane: ControlPlane, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, found = reported(plane, READER, tree, monkeypatch)
    assert (code, found["not_evaluated"]) == (1, [])
    assert {(one["of"], one["release"], one["differing"]) for one in found["definitions"]} == {
        ("Trainer", "2.1", 0),
        ("JobSet", "0.10", 0),
    }
    assert [one["trouble"] for one in found["definitions"]] == [[]] * 4
    assert found["definitions"][2]["stored"] == ["v1alpha1"]
    assert [(one["name"], one["release"], one["args"]) for one in found["controllers"]] == [
        ("manager", "2.1", ["--config=/c.yaml", "--enable-http2"])
    ]
    assert [(one["revision"], one["status"]) for one in found["helm_releases"]] == [(3, "deployed")]
    assert {(one["name"], one["shipped"], one["changed"], one["in_use"]) for one in found["runtimes"]} == {
        ("torch-distributed", "2.1", False, True),
        ("deepspeed-distributed", "2.1", False, True),
        ("ours", "", False, False),
    }
    assert found["phases"] == {"Complete": 1, "Running": 1, "Suspended": 1}
    drift = {one["kind"]: (one["only_in_git"], one["only_in_cluster"]) for one in found["drift"]}
    assert drift["TrainJob"] == (["team-a/ingit"], ["team-a/done", "team-a/running", "team-a/waiting"])


def test_what_stands_against_the_upgrade_is_told(
    plane: ControlPlane, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, found = reported(plane, READER, tree, monkeypatch)
    said = {(one["severity"], one["name"], one["file"]) for one in found["findings"]}
    assert said >= {
        ("error", "live-job-touched", "own:TrainJob/team-a/waiting"),
        ("warning", "live-job-touched", "own:TrainJob/team-a/running"),
        ("error", "live-job-undecodable", "own:TrainJob/team-a/done"),
        ("warning", "live-runtime-touched", "own:ClusterTrainingRuntime/ours"),
        ("info", "live-runtime-in-use", "own"),
        ("warning", "cluster-flag-unknown", f"own:Deployment/{SYSTEM}/manager"),
        ("warning", "cluster-crd-not-adopted", "own"),
        ("error", "cluster-webhook-without-ca", "own:MutatingWebhookConfiguration/defaulter.trainer.kubeflow.org"),
    }
    assert "cluster-runs-another-release" not in {name for _, name, _ in said}


def test_a_user_without_rights_is_told_what_is_missing(
    plane: ControlPlane, tree: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tree)
    monkeypatch.setenv("KUBECONFIG", str(plane.kubeconfig(STRANGER)))
    assert main(("upgrade", str(tree), *HOPS, "--live", "own")) == 2
    assert "nothing of the cluster of 'own' can be read; not allowed: " in capfd.readouterr().err


def test_a_right_that_is_missing_leaves_its_part_out(
    plane: ControlPlane, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with plane.api() as api:
        path = f"{ROLES}/namespaces/{SYSTEM}/rolebindings/trainergen-upgrade"
        binding = api.request("GET", path).body
        api.request("DELETE", path)
        try:
            code, found = reported(plane, READER, tree, monkeypatch)
        finally:
            binding["metadata"] = {"name": binding["metadata"]["name"]}
            create(api, path.rpartition("/")[0], binding)
    (skipped,) = found["not_evaluated"]
    assert (code, skipped["part"]) == (1, f"the revisions of the Helm release {SYSTEM}/trainer")
    assert skipped["reason"].startswith('not allowed: secrets is forbidden: User "reader" cannot list')


def test_an_audit_leaves_no_trace(plane: ControlPlane, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with plane.api() as api:
        paths = (COLLECTION, f"{TRAINER}/trainjobs", f"{TRAINER}/clustertrainingruntimes", "/apis/apps/v1/deployments")
        before = [api.request("GET", path).body["items"] for path in paths]
        reported(plane, READER, tree, monkeypatch)
        assert [api.request("GET", path).body["items"] for path in paths] == before


@pytest.fixture
def reader(plane: ControlPlane, monkeypatch: pytest.MonkeyPatch) -> KubernetesReader:
    monkeypatch.setenv("KUBECONFIG", str(plane.kubeconfig(READER)))
    return connect("own")


def test_the_server_sends_nothing_but_metadata_of_secrets(reader: KubernetesReader) -> None:
    raw = reader.request("GET", SECRETS.path(SYSTEM), {"labelSelector": "owner=helm"}, METADATA)
    assert raw["kind"] == "PartialObjectMetadataList"
    assert "c2VjcmV0" not in json.dumps(raw)
    assert len(reader.list(SECRETS, namespace=SYSTEM, selector="owner=helm,name=trainer", metadata_only=True)) == 1


def test_pages_join_to_the_whole(reader: KubernetesReader, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = reader.list(TRAIN_JOBS)
    monkeypatch.setattr("trainergen.live.PAGE", 1)
    assert reader.list(TRAIN_JOBS) == whole
    assert len(whole) == len(PHASES)
