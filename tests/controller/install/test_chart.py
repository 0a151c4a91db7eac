"""The chart: the same objects as the manifests, and what only it can do."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from trainergen_controller.cli import main
from trainergen_controller.settings import RECONCILE, Settings

from tests.controller.install.built import CHART, Object, charted, container, kustomized, named, templated
from tests.controller.install.rights import rights_of
from trainergen import __version__

OWN_LABELS = {"app.kubernetes.io/managed-by", "helm.sh/chart"}
"""That only an installation by helm has."""
MANY = ("service-name", "feature-gate")
"""Options that may be given again; of the others the last one counts."""
SAME: dict[str, tuple[str, tuple[str, ...], Object]] = {
    "audit": ("audit", (), {}),
    "audit with webhook": (
        "audit",
        ("webhook-audit", "own-certificates", "monitoring"),
        {"webhook": {"enabled": True}, "monitoring": {"enabled": True}},
    ),
    "audit with webhook and cert-manager": (
        "audit",
        ("webhook-audit", "cert-manager"),
        {"webhook": {"enabled": True}, "certificates": {"certManager": True}},
    ),
    "reconcile": (RECONCILE, (), {"mode": RECONCILE}),
    "reconcile with everything": (
        RECONCILE,
        ("webhook", "own-certificates", "status-server", "monitoring"),
        {
            "mode": RECONCILE,
            "webhook": {"enabled": True},
            "statusServer": {"enabled": True},
            "monitoring": {"enabled": True},
        },
    ),
    "reconcile with everything and cert-manager": (
        RECONCILE,
        ("webhook", "cert-manager", "status-server-cert-manager"),
        {
            "mode": RECONCILE,
            "webhook": {"enabled": True},
            "statusServer": {"enabled": True},
            "certificates": {"certManager": True},
        },
    ),
}


def comparable(objects: list[Object]) -> dict[tuple[str, str, str], Object]:
    """Without what tells helm's objects apart, and with arguments in an order that means nothing."""
    for one in objects:
        for metadata in (one["metadata"], one.get("spec", {}).get("template", {}).get("metadata", {})):
            metadata["labels"] = {k: v for k, v in metadata.get("labels", {}).items() if k not in OWN_LABELS}
        if one["kind"] == "Deployment":
            (only,) = one["spec"]["template"]["spec"]["containers"]
            only["args"] = options(only["args"])
    return named(objects)


def options(arguments: list[str]) -> Object:
    mode, *rest = arguments
    found: Object = {"mode": mode}
    for option in rest:
        name, _, value = option.removeprefix("--").partition("=")
        if name in MANY:
            found[name] = sorted([*found.get(name, []), value])
        else:
            found[name] = value
    return found


@pytest.mark.parametrize(("mode", "components", "values"), SAME.values(), ids=SAME.keys())
def test_the_chart_gives_the_objects_of_the_manifests(
    tmp_path: Path, mode: str, components: tuple[str, ...], values: Object
) -> None:
    made = comparable(charted(tmp_path, values))
    expected = comparable(kustomized(tmp_path, mode, components))
    assert made.keys() == expected.keys()
    for key, found in made.items():
        assert found == expected[key], key


REFUSED: dict[str, tuple[Object, str, str]] = {
    "a mode that is none": ({"mode": "watch"}, "kubeflow-system", "mode"),
    "a value that is misspelt": ({"webhooks": {"enabled": True}}, "kubeflow-system", "webhooks"),
    "a digest that is none": ({"image": {"repository": "a", "digest": "latest"}}, "kubeflow-system", "digest"),
    "reconcile away from the Trainer's Lease": (
        {"mode": RECONCILE},
        "elsewhere",
        "'kubeflow-system', not in 'elsewhere'",
    ),
    "a status server in mode audit": ({"statusServer": {"enabled": True}}, "kubeflow-system", "needs mode reconcile"),
    "a status server where Pods do not look": (
        {"mode": RECONCILE, "statusServer": {"enabled": True}, "trainerNamespace": "elsewhere"},
        "elsewhere",
        "needs the namespace kubeflow-system",
    ),
    "a status server for one namespace": (
        {"mode": RECONCILE, "statusServer": {"enabled": True}, "namespace": "team-a"},
        "kubeflow-system",
        "all namespaces",
    ),
}


@pytest.mark.parametrize(("values", "namespace", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_values_that_cannot_work_are_refused(tmp_path: Path, values: Object, namespace: str, said: str) -> None:
    done = templated(tmp_path, values, namespace=namespace)
    assert done.returncode != 0
    assert said in done.stderr


def test_all_options_are_taken_by_the_command_line(tmp_path: Path) -> None:
    values = {
        "namespace": "team-a",
        "selector": "team in (a, b),!big",
        "profile": "strict",
        "featureGates": {"TrainJobStatus": True},
        "workers": 3,
        "qps": 0,
        "burst": 7,
        "logLevel": "debug",
        "extraArgs": ["--drain-seconds=1"],
    }
    arguments = container(charted(tmp_path, values))["args"]
    assert "--selector=team in (a, b),!big" in arguments
    assert "--qps=0" in arguments
    run = CliRunner().invoke(main, [*arguments, "--kubeconfig", "none"])
    assert "no cluster" in run.output, run.output


def test_for_one_namespace_objects_of_others_are_out_of_reach(tmp_path: Path) -> None:
    values = {"mode": RECONCILE, "namespace": "team-a", "webhook": {"enabled": True}}
    objects = charted(tmp_path, values)
    rights = rights_of(objects)
    assert {right.namespace for right in rights if right.resource == "secrets"} == {"team-a", "kubeflow-system"}
    assert {right.resource for right in rights if not right.namespace} == {
        "clustertrainingruntimes",
        "trainingruntimes",
        "priorityclasses",
        "validatingwebhookconfigurations",
        "mutatingwebhookconfigurations",
    }
    for one in objects:
        for hook in one.get("webhooks", ()):
            assert hook["namespaceSelector"] == {"matchLabels": {"kubernetes.io/metadata.name": "team-a"}}


@pytest.mark.parametrize(
    "shard", [{"namespace": "team-a"}, {"selector": "shard=1"}, {"selector": "a=b", "namespace": "c"}]
)
def test_the_lease_of_a_shard_is_called_as_the_controller_calls_it(tmp_path: Path, shard: dict[str, str]) -> None:
    for mode in ("audit", RECONCILE):
        rights = rights_of(charted(tmp_path, {"mode": mode, **shard}))
        names = {right.name for right in rights if right.resource == "leases" and right.verb == "update"}
        assert names == {name for name, _ in Settings(mode=mode, **shard).leases}  # type: ignore[arg-type]


def test_two_releases_share_no_object_and_no_pod(tmp_path: Path) -> None:
    values: Object = {"webhook": {"enabled": True}, "monitoring": {"enabled": True}}
    one = named(charted(tmp_path, values, name="one"))
    two = named(charted(tmp_path, {**values, "mode": RECONCILE}, name="two"))
    assert not one.keys() & two.keys()
    chosen = one["Service", "kubeflow-system", "one"]["spec"]["selector"]
    labels = two["Deployment", "kubeflow-system", "two"]["spec"]["template"]["metadata"]["labels"]
    assert not chosen.items() <= labels.items()


def test_a_digest_counts_instead_of_a_tag(tmp_path: Path) -> None:
    digest = f"sha256:{hashlib.sha256(b'').hexdigest()}"
    values = {"image": {"repository": "registry.example.org/controller", "tag": "1", "digest": digest}}
    assert container(charted(tmp_path, values))["image"] == f"registry.example.org/controller@{digest}"


def test_helm_itself_finds_nothing_wrong(tmp_path: Path) -> None:
    import subprocess

    helm = shutil.which("helm")
    if helm is None:
        pytest.skip("helm is not on PATH")
    done = subprocess.run([helm, "lint", "--strict", str(CHART)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_chart_is_of_this_version() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (__version__, __version__)


def test_each_value_is_described_in_the_schema_and_has_its_default_there() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text())
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    assert values.keys() == schema["properties"].keys() - {"global"}

    def closed(found: Any) -> bool:
        inner = found.get("properties", {})
        return not inner or (found["additionalProperties"] is False and all(closed(each) for each in inner.values()))

    assert closed({**schema, "properties": {k: v for k, v in schema["properties"].items() if k != "resources"}})
