"""The manifests on a real API server: applied by an admin, and enough for the controller, which has no other rights."""

from __future__ import annotations

import os
import re
import socket
import ssl
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from trainergen_controller.clocks import SystemClock
from trainergen_controller.kinds import (
    CLUSTER_TRAINING_RUNTIME,
    EVENT,
    LEASE,
    MUTATING_WEBHOOKS,
    POLICY_REPORT,
    SECRET,
    VALIDATING_WEBHOOKS,
)
from trainergen_controller.serving.rotation import Rotation
from trainergen_controller.settings import AUDIT, RECONCILE

from tests.controller.install.built import CONTROLLER, NAME, charted, container, deployment
from tests.controller.world import World, eventually, shipped, train_job
from tests.controlplane.crds import Definitions
from tests.controlplane.installing import LOCAL, RELEASE, answers, client_of, install, once, path_of, put, report_crd
from tests.controlplane.server import ControlPlane, free_ports

if TYPE_CHECKING:
    from tests.controlplane.binaries import Binaries

BASE = "/apis/rbac.authorization.k8s.io/v1"


@pytest.fixture(scope="module")
def plane(programs: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane with roles, Trainer's kinds and PolicyReports; each mode has a user."""
    folder = tmp_path_factory.mktemp("rbac")
    made = ControlPlane(programs, folder, authorization="RBAC", users=(AUDIT, RECONCILE, LOCAL))
    made.flags.append("--enable-admission-plugins=OwnerReferencesPermissionEnforcement")
    with made:
        with made.api() as api:
            definitions = Definitions(api)
            definitions.install(RELEASE)
            for kind in ("PolicyReport", "ClusterPolicyReport"):
                definitions.establish(report_crd(kind))
        yield made


@pytest.fixture(scope="module")
def world(plane: ControlPlane) -> World:
    """What an admin sees; with a good job, and one whose runtime is missing."""
    client = client_of(plane)
    made = World(client, lambda seconds: client)
    made.add_namespaces("kubeflow-system", "team-a")
    made.client.apply(CLUSTER_TRAINING_RUNTIME, shipped(RELEASE)["torch-distributed"], manager="test", force=True)
    made.client.apply(CLUSTER_TRAINING_RUNTIME, shipped(RELEASE)["deepspeed-distributed"], manager="test", force=True)
    made.create(train_job("good"))
    made.create(train_job("mpi", "deepspeed-distributed"))
    made.create(train_job("lost", "nowhere"))
    return made


def test_audit_runs_with_its_roles_and_writes_only_reports(plane: ControlPlane, world: World, tmp_path: Path) -> None:
    install(plane, tmp_path, AUDIT)
    done = once(plane, AUDIT)
    assert done.exit_code == 1, done.output + done.stderr
    assert [line.partition(":")[0] for line in done.output.splitlines() if line.startswith("T")] == [
        "TrainJob team-a/lost"
    ]
    assert "orbidden" not in done.output + done.stderr
    assert world.client.get(POLICY_REPORT, "trainergen", "team-a")["summary"]["error"] == 1
    assert "RenderFailed" in world.events("lost")
    assert world.job_set("good") is None
    assert world.client.list(SECRET).items == []


def test_reconcile_runs_with_its_roles(plane: ControlPlane, world: World, tmp_path: Path) -> None:
    install(plane, tmp_path, RECONCILE)
    done = once(plane, RECONCILE)
    assert done.exit_code == 1, done.output + done.stderr
    assert "orbidden" not in done.output + done.stderr
    assert [line.partition(":")[0] for line in done.output.splitlines() if line.startswith("TrainJob")] == [
        "TrainJob team-a/lost"
    ]
    assert world.job_set("good") is not None
    assert [one["metadata"]["name"] for one in world.client.list(SECRET, "team-a").items] == ["mpi-mpi-ssh-auth"]
    assert "TrainJobResourcesCreationFailed" in world.events("lost")
    ours = [one for one in world.client.list(EVENT).items if one.get("reportingController") == NAME]
    assert {one["metadata"]["namespace"] for one in ours} == {"team-a"}


def test_owner_references_take_the_right_to_finalizers_where_they_are_watched(
    plane: ControlPlane, world: World, tmp_path: Path
) -> None:
    objects = install(plane, tmp_path, RECONCILE)
    (role,) = (
        one for one in objects if (one["kind"], one["metadata"]["name"]) == ("ClusterRole", f"{NAME}-{RECONCILE}")
    )
    rules = [rule for rule in role["rules"] if rule["resources"] != ["trainjobs/finalizers"]]
    assert len(rules) == len(role["rules"]) - 1
    with plane.api() as api:
        assert api.merge_patch(path_of(role), {"rules": rules}).ok
    world.create(train_job("owned"))
    assert "cannot set blockOwnerDeletion" in once(plane, RECONCILE).output
    assert world.job_set("owned") is None
    install(plane, tmp_path, RECONCILE)
    assert "TrainJob team-a/owned" not in once(plane, RECONCILE).output
    assert world.job_set("owned") is not None


def test_a_controller_of_one_namespace_needs_no_right_in_others(
    plane: ControlPlane, world: World, tmp_path: Path
) -> None:
    world.add_namespaces("team-b")
    world.create(train_job("mine", "deepspeed-distributed", namespace="team-b"))
    for mode in (AUDIT, RECONCILE):
        put(plane, charted(tmp_path, {"mode": mode, "namespace": "team-b"}), LOCAL)
        done = once(plane, mode, LOCAL, "--namespace", "team-b")
        assert done.exit_code == 0, done.output + done.stderr
        assert "orbidden" not in done.output + done.stderr
    assert world.job_set("mine", "team-b") is not None
    with plane.api(LOCAL) as api:
        assert api.request("GET", "/api/v1/namespaces/team-b/secrets").code == 200
        for path in ("/api/v1/secrets", "/api/v1/namespaces/team-a/secrets"):
            assert api.request("GET", path).code == 403


def test_neither_may_do_what_it_was_not_given(plane: ControlPlane, world: World, tmp_path: Path) -> None:
    for mode in (AUDIT, RECONCILE):
        install(plane, tmp_path, mode)
        with plane.api(mode) as api:
            for method, path in (
                ("DELETE", "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team-a/trainjobs/good"),
                ("GET", "/api/v1/namespaces/team-a/pods"),
                ("GET", "/api/v1/namespaces/kubeflow-system/secrets/other"),
                ("DELETE", "/api/v1/namespaces/team-a/secrets/mpi-mpi-ssh-auth"),
                ("GET", f"{BASE}/clusterroles"),
            ):
                assert api.request(method, path).code == 403, f"{mode}: {method} {path}"


def test_the_namespace_takes_the_pods_at_the_level_that_it_enforces(plane: ControlPlane, tmp_path: Path) -> None:
    """Pod Security's own verdict, on a Pod as the Deployment would make it."""
    for mode in (AUDIT, RECONCILE):
        template = deployment(install(plane, tmp_path, mode))["spec"]["template"]
        with plane.api() as api:
            assert "pod-security.kubernetes.io/enforce" in str(
                api.request("GET", "/api/v1/namespaces/kubeflow-system").body
            )
            pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {**template["metadata"], "name": mode}}
            pods = "/api/v1/namespaces/kubeflow-system/pods"
            answer = api.request("POST", pods, {**pod, "spec": template["spec"]}, dryRun="All")
            assert answer.ok, answer.body
            (one,) = template["spec"]["containers"]
            del one["securityContext"]
            assert api.request("POST", pods, {**pod, "spec": template["spec"]}, dryRun="All").code == 403


def test_the_authority_is_owned_by_itself_and_survives_an_apply_of_the_manifests(
    plane: ControlPlane, world: World, tmp_path: Path
) -> None:
    objects = install(plane, tmp_path, RECONCILE)
    configurations = [one for one in objects if one["kind"].endswith("WebhookConfiguration")]
    for one in configurations:
        for hook in one["webhooks"]:
            hook["matchConditions"] = [{"name": "never", "expression": "false"}]
    with plane.api() as api:
        for one in configurations:
            assert api.apply(path_of(one), one, manager="gitops").ok
        client = client_of(plane, RECONCILE)
        rotation = Rotation(client, "kubeflow-system", "kubeflow-trainer-webhook-cert", (NAME,), NAME, SystemClock())
        rotation.step()
        for one in configurations:
            assert api.apply(path_of(one), one, manager="gitops", force=False).ok
        rotation.step()
        rotation.close()
        secret = world.client.get(SECRET, "kubeflow-trainer-webhook-cert", "kubeflow-system")
        for kind in (VALIDATING_WEBHOOKS, MUTATING_WEBHOOKS):
            found = world.client.get(kind, NAME)
            assert {hook["clientConfig"]["caBundle"] for hook in found["webhooks"]} == {secret["data"]["ca.crt"]}
            (owned,) = (m for m in found["metadata"]["managedFields"] if m["manager"] == "trainergen-certificates")
            for fields in owned["fieldsV1"]["f:webhooks"].values():
                assert fields["f:clientConfig"] == {"f:caBundle": {}}
            world.client.delete(kind, NAME)
        world.client.delete(SECRET, "kubeflow-trainer-webhook-cert", "kubeflow-system")


def test_the_command_serves_everything_with_its_roles_and_ends_in_order(
    plane: ControlPlane, world: World, tmp_path: Path
) -> None:
    """As the Pod would run it: own certificates, webhook, status server, health, metrics, and a signal at the end."""
    objects = install(plane, tmp_path, RECONCILE)
    health, webhook, status = free_ports(3)
    arguments = [
        re.sub(r"0\.0\.0\.0:9443", f"127.0.0.1:{webhook}", re.sub(r"0\.0\.0\.0:10443", f"127.0.0.1:{status}", one))
        for one in container(objects)["args"]
    ]
    command = [sys.executable, "-m", "trainergen_controller", *arguments, f"--health-address=127.0.0.1:{health}"]
    command += ["--kubeconfig", str(plane.kubeconfig(RECONCILE)), "--drain-seconds=0.2"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (CONTROLLER, CONTROLLER.parent)))}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as running:
        try:
            eventually(lambda: answers(f"http://127.0.0.1:{health}/readyz"), "it is ready")
            secret = world.client.get(SECRET, "kubeflow-trainer-webhook-cert", "kubeflow-system")
            context = ssl.create_default_context(cadata=b64decode(secret["data"]["ca.crt"]).decode())
            for port, name in ((webhook, NAME), (status, "kubeflow-trainer-controller-manager")):
                with (
                    socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
                    context.wrap_socket(plain, server_hostname=f"{name}.kubeflow-system.svc"),
                ):
                    pass
            leading = f"http://127.0.0.1:{health}/metrics"
            eventually(lambda: "trainergen_leading 1.0" in answers(leading), "it leads")
            assert answers(f"http://127.0.0.1:{health}/healthz").count("[+]") == 2
        finally:
            running.terminate()
            said = running.communicate(timeout=30)[1]
    assert running.returncode == 0, said
    assert "Forbidden" not in said
    lease = world.client.get(LEASE, "trainergen-controller-reconcile", "kubeflow-system")
    assert lease["spec"]["holderIdentity"] == "", "the next replica need not wait"


def test_a_chart_with_every_value_set_is_taken(plane: ControlPlane, world: World, tmp_path: Path) -> None:
    values = {
        "mode": RECONCILE,
        "selector": "shard=a",
        "featureGates": {"TrainJobStatus": True},
        "workers": 8,
        "imagePullSecrets": [{"name": "registry"}],
        "webhook": {"enabled": True, "failurePolicy": "Ignore", "timeoutSeconds": 5},
        "statusServer": {"enabled": True, "tokens": "oidc"},
        "podAnnotations": {"example.org/a": "b"},
        "podLabels": {"example.org/team": "ml"},
        "nodeSelector": {"kubernetes.io/os": "linux"},
        "tolerations": [{"key": "control-plane", "operator": "Exists"}],
        "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
        "priorityClassName": "system-cluster-critical",
        "resources": {"requests": {"cpu": 1, "memory": "1Gi"}, "limits": {"memory": "1Gi"}},
    }
    with plane.api() as api:
        for one in charted(tmp_path, values, name="every"):
            answer = api.apply(path_of(one), one, dryRun="All", fieldValidation="Strict")
            assert answer.ok, answer.body
