"""The manifests: what they install, and that nothing of it is weaker than it need be."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from trainergen_controller.cli import main
from trainergen_controller.settings import RECONCILE, Settings
from trainergen_controller.webhook.answers import PATHS

from tests.controller.install.built import MANIFESTS, NAMESPACE, Object, container, deployment, kustomized, named
from trainergen import __version__
from trainergen.engine.options import CheckOptions
from trainergen.engine.run import run_check
from trainergen.render.trainjobstatus import CA_SECRET, OPERATOR_NAMESPACE, PORT, SERVICE
from trainergen.rules.settings import RuleSettings

ROOT = MANIFESTS.parents[1]
CHOICES = {
    "audit": ("audit", ()),
    "audit with webhook": ("audit", ("webhook-audit", "own-certificates", "monitoring")),
    "audit with webhook and cert-manager": ("audit", ("webhook-audit", "cert-manager")),
    "reconcile": ("reconcile", ("namespace",)),
    "reconcile with everything": (
        "reconcile",
        ("namespace", "webhook", "own-certificates", "status-server", "monitoring"),
    ),
    "reconcile with everything and cert-manager": (
        "reconcile",
        ("namespace", "webhook", "cert-manager", "status-server-cert-manager", "monitoring"),
    ),
}
EVERY = pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES.keys())
WITH_WEBHOOK = [choice for name, choice in CHOICES.items() if "webhook" in name or "everything" in name]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("install")


def options_of(objects: list[Object]) -> list[str]:
    return list(container(objects)["args"])


@EVERY
def test_everything_builds_and_lies_where_it_belongs(folder: Path, choice: Any) -> None:
    for kind, namespace, name in named(kustomized(folder, *choice)):
        is_cluster = kind.startswith("Cluster") or kind in {
            "Namespace",
            "ValidatingWebhookConfiguration",
            "MutatingWebhookConfiguration",
        }
        assert namespace == ("" if is_cluster else NAMESPACE), f"{kind} {name}"


@EVERY
def test_the_command_line_takes_the_arguments(folder: Path, choice: Any) -> None:
    """Up to the point where a cluster is needed; a mistake in an option comes before that."""
    run = CliRunner().invoke(main, [*options_of(kustomized(folder, *choice)), "--kubeconfig", "none"])
    assert "no cluster" in run.output, run.output


@EVERY
def test_pods_are_restricted_and_can_write_nowhere_but_into_memory(folder: Path, choice: Any) -> None:
    pod = deployment(kustomized(folder, *choice))["spec"]["template"]["spec"]
    (one,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert one["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    for volume in pod["volumes"]:
        assert volume.get("emptyDir", {}).get("medium") == "Memory" or "secret" in volume
    assert one["resources"]["requests"].keys() == {"cpu", "memory"}
    assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()


@EVERY
def test_selectors_lead_to_the_pods_and_ports_to_where_they_listen(folder: Path, choice: Any) -> None:
    objects = kustomized(folder, *choice)
    labels = deployment(objects)["spec"]["template"]["metadata"]["labels"]
    ports = {port["name"]: port["containerPort"] for port in container(objects)["ports"]}
    allowed = {
        port["port"]
        for one in objects
        if one["kind"] == "NetworkPolicy"
        for rule in one["spec"]["ingress"]
        for port in rule["ports"]
    }
    assert allowed == set(ports.values())
    for one in objects:
        if one["kind"] == "Service":
            assert one["spec"]["selector"].items() <= labels.items()
            assert {port["targetPort"] for port in one["spec"]["ports"]} <= ports.keys()
        elif one["kind"] in ("PodDisruptionBudget", "Deployment"):
            assert one["spec"]["selector"]["matchLabels"].items() <= labels.items()
        elif one["kind"] == "NetworkPolicy":
            assert one["spec"]["podSelector"]["matchLabels"].items() <= labels.items()
        elif one["kind"] == "ServiceMonitor":
            (service,) = (
                s for s in objects if one["spec"]["selector"]["matchLabels"].items() <= s["metadata"]["labels"].items()
            )
            assert {e["port"] for e in one["spec"]["endpoints"]} == {p["name"] for p in service["spec"]["ports"]}
    listening = {int(option.rpartition(":")[2]) for option in options_of(objects) if "-address=" in option}
    assert listening == set(ports.values()) - {8081}
    for probe in ("livenessProbe", "readinessProbe"):
        assert container(objects)[probe]["httpGet"]["port"] == "health"


@pytest.mark.parametrize("choice", WITH_WEBHOOK)
def test_webhooks_lead_to_paths_that_are_answered(folder: Path, choice: Any) -> None:
    objects = kustomized(folder, *choice)
    hooks = [hook for one in objects if one["kind"].endswith("WebhookConfiguration") for hook in one["webhooks"]]
    services = {(o["metadata"]["namespace"], o["metadata"]["name"]) for o in objects if o["kind"] == "Service"}
    asked = set()
    for hook in hooks:
        service = hook["clientConfig"]["service"]
        assert (service["namespace"], service["name"]) in services
        asked.add(service["path"])
        (rule,) = hook["rules"]
        assert service["path"].endswith("-" + rule["resources"][0].removesuffix("s"))
        assert "caBundle" not in hook["clientConfig"], "certificates do not belong into git"
    mutating = {path for path, verb in PATHS.items() if verb == "mutate"}
    assert asked == set(PATHS) - (mutating if choice[0] == "audit" else set())
    assert {hook["failurePolicy"] for hook in hooks} == {"Ignore" if choice[0] == "audit" else "Fail"}


def test_audit_beside_the_trainer_changes_no_object_on_its_way(folder: Path) -> None:
    objects = kustomized(folder, *CHOICES["audit with webhook"])
    assert not [one for one in objects if one["kind"] == "MutatingWebhookConfiguration"]


def test_pods_find_the_status_server_where_the_renderer_sends_them(folder: Path) -> None:
    for name in ("reconcile with everything", "reconcile with everything and cert-manager"):
        objects = kustomized(folder, *CHOICES[name])
        service = named(objects)["Service", OPERATOR_NAMESPACE, SERVICE]
        assert [port["port"] for port in service["spec"]["ports"]] == [PORT]
        text = str(objects)
        assert f"--service-name={SERVICE}" in text or f"{SERVICE}.{OPERATOR_NAMESPACE}.svc" in text
    assert (
        f"--tls-secret={CA_SECRET}"
        == [o for o in options_of(kustomized(folder, *CHOICES["reconcile with everything"])) if "tls-secret" in o][-1]
    )


def test_with_cert_manager_the_pods_mount_what_it_makes(folder: Path) -> None:
    for choice in CHOICES.values():
        objects = kustomized(folder, *choice)
        mounted = [
            v["secret"]["secretName"]
            for v in deployment(objects)["spec"]["template"]["spec"]["volumes"]
            if "secret" in v
        ]
        made = [o["spec"]["secretName"] for o in objects if o["kind"] == "Certificate" and not o["spec"].get("isCA")]
        assert mounted == made
        for one in objects:
            if made and one["kind"].endswith("WebhookConfiguration"):
                source = one["metadata"]["annotations"]["cert-manager.io/inject-ca-from"]
                assert tuple(source.split("/")) == (NAMESPACE, "trainergen-controller")


def test_leases_can_be_renewed_by_their_names(folder: Path) -> None:
    for mode in ("audit", RECONCILE):
        role = named(kustomized(folder, mode))["Role", NAMESPACE, "trainergen-controller-leases"]
        (names,) = (rule["resourceNames"] for rule in role["rules"] if "resourceNames" in rule)
        assert names == [name for name, _ in Settings(mode=mode).leases]


def test_the_image_is_of_this_version(folder: Path) -> None:
    assert container(kustomized(folder, "audit"))["image"] == f"trainergen-controller:{__version__}"


def test_our_own_rules_and_policies_have_nothing_to_say() -> None:
    report = run_check(
        CheckOptions(
            paths=(str(MANIFESTS),),
            release="2.3",
            rules=RuleSettings(profile="production"),
            policies=(str(ROOT / "overlays/policies"),),
        )
    )
    assert [finding.rule for finding in report.findings] == []


def test_no_secret_and_no_key_is_in_the_manifests_or_the_chart() -> None:
    for path in (ROOT / "controller").rglob("*"):
        if path.suffix in (".yaml", ".json", ".tpl"):
            text = path.read_text()
            assert not re.search(r"^kind: Secret$|PRIVATE KEY", text, re.MULTILINE), path
