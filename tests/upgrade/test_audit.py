"""The audit of the installation: pins, values of the chart, the rules on deliveries, and the plan in order."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trainergen.engine.upgrading import UpgradeOptions, run_upgrade
from trainergen.releases import RELEASES, get_release

if TYPE_CHECKING:
    from trainergen.upgrade.audit import Audit

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: trainer, namespace: kubeflow-system}
spec:
  interval: 1h
  chart:
    spec:
      chart: kubeflow-trainer
      version: 2.1.0
      sourceRef: {kind: HelmRepository, name: kubeflow}
  values:
    manager:
      annotations: {a: b}
"""
ORACLE = Path(__file__).parent.parent / "oracle"
KUSTOMIZATION = "resources:\n  - https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=v2.1.0\n"


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def audited(start: str, to: str, **files: str) -> Audit:
    for name, text in files.items():
        Path(f"{name}.yaml").write_text(text)
    found = run_upgrade(UpgradeOptions((".",), start, to)).audit
    assert found is not None
    return found


def test_pins_are_listed_with_what_to_write() -> None:
    found = audited("2.1", "2.3", kustomization=KUSTOMIZATION, trainer=RELEASE)
    assert [(pin.file, pin.line, pin.write) for pin in found.pins] == [
        ("kustomization.yaml", 2, "v2.3.0"),
        ("trainer.yaml", 9, "2.3.0"),
    ]


def test_pins_of_the_target_are_not_listed() -> None:
    assert audited("2.1", "2.1", trainer=RELEASE).pins == ()


def test_rules_on_deliveries_speak_in_the_audit() -> None:
    found = audited("2.1", "2.3", trainer=RELEASE)
    assert found.findings
    assert all(finding.rule.startswith(("TG7", "TG8")) for finding in found.findings)


def test_values_that_the_chart_lost_are_named_only_where_the_chart_is_used() -> None:
    assert "manager.annotations is no value of the chart any more" in audited("2.1", "2.2", trainer=RELEASE).values


def test_a_tree_without_the_chart_hears_nothing_of_values() -> None:
    assert audited("2.1", "2.2", kustomization=KUSTOMIZATION).values == ()


STEPS = {
    "2.0 to 2.1 needs no adoption": ("2.0", "2.1", (), ("adopts the CRDs", "Stop at", "mutating webhook", "hook Job")),
    "2.1 to 2.2 brings a webhook and drops texts": (
        "2.1",
        "2.2",
        ("mutating webhook", "stored TrainJobs", "JobSet 0.11"),
        ("adopts the CRDs", "Stop at"),
    ),
    "2.2 to 2.3 is the mandatory stop": (
        "2.2",
        "2.3",
        ("Stop at 2.3", "resource-in-use", "--take-ownership", "crds.enabled", "hook Job", "JobSet 0.12"),
        ("stored TrainJobs", "mutating webhook"),
    ),
}


@pytest.mark.parametrize(("start", "to", "there", "missing"), STEPS.values(), ids=STEPS.keys())
def test_the_plan_says_what_the_hop_needs(
    start: str, to: str, there: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    text = "\n".join(audited(start, to).steps)
    assert [words for words in there if words not in text] == []
    assert [words for words in missing if words in text] == []


def test_definitions_come_before_controllers_before_runtimes_before_jobs() -> None:
    steps = audited("2.1", "2.3").steps
    order = [
        next(at for at, step in enumerate(steps) if step.startswith(words))
        for words in ("Apply the CRDs", "Upgrade JobSet", "Upgrade the runtimes", "Apply the upgraded TrainJobs")
    ]
    assert order == sorted(order)


def test_nothing_is_planned_for_the_release_that_is_there() -> None:
    assert audited("2.3", "2.3").steps == ()


BESIDE = {
    "a chart in another chart": (
        (
            "apiVersion: v2\nname: x\nversion: 1.0.0\ndependencies:\n  - name: jobset\n    version: 0.10.1\n"
            "    repository: oci://registry.k8s.io/jobset/charts\n"
        ),
        ("JobSet", 6, "0.10.1", "0.12.0"),
    ),
    "a chart of Flux": (
        RELEASE.replace("kubeflow-trainer", "kueue").replace("2.1.0", "0.16.2"),
        ("Kueue", 9, "0.16.2", "0.17"),
    ),
    "a release file": (
        "resources:\n  - https://github.com/kubernetes-sigs/jobset/releases/download/v0.11.0/manifests.yaml\n",
        ("JobSet", 2, "v0.11.0", "v0.12.0"),
    ),
    "a remote kustomization": (
        "resources:\n  - https://github.com/kubernetes-sigs/lws/config/default?ref=v0.8.0\n",
        ("LeaderWorkerSet", 2, "v0.8.0", ""),
    ),
    "an image": ("spec: {image: registry.k8s.io/jobset/jobset:v0.13.0}\n", ("JobSet", 1, "v0.13.0", "v0.12.0")),
    "a cluster": (
        "kind: Cluster\nnodes:\n  - role: worker\n    image: kindest/node:v1.29.4@sha256:abc\n",
        ("Kubernetes", 4, "v1.29.4", "v1.35"),
    ),
    "a range": (RELEASE.replace("kubeflow-trainer", "kueue").replace("2.1.0", '">=0.16"'), ("Kueue", 9, ">=0.16", "")),
}


@pytest.mark.parametrize(("text", "wanted"), BESIDE.values(), ids=BESIDE.keys())
def test_what_runs_beside_the_trainer_is_found_and_judged(text: str, wanted: tuple[str, int, str, str]) -> None:
    found = audited("2.1", "2.3", any=text)
    pins = [(one.name, pin.line, pin.version, pin.write) for one in found.companions for pin in one.pins]
    assert pins == [wanted]


def test_what_goes_with_a_release_is_said_without_any_file() -> None:
    found = {one.name: (one.before, one.after) for one in audited("2.1", "2.3").companions}
    assert found == {
        "Kubernetes": ("from 1.29 on", "from 1.31 on"),
        "JobSet": ("0.10", "0.12"),
        "LeaderWorkerSet": ("0.7", "0.8"),
        "Kueue": ("before 0.17", "from 0.17 on"),
    }


@pytest.mark.parametrize("release", [release.name for release in RELEASES])
def test_recorded_crds_are_known_by_their_fields(release: str) -> None:
    crds = json.loads(lzma.decompress((ORACLE / "crds" / f"{release}.json.xz").read_bytes()))
    jobsets = json.loads(lzma.decompress((ORACLE / "crds" / "jobsets.json.xz").read_bytes()))[release]
    audit = audited(release, "2.3", crds="\n---\n".join(json.dumps(one) for one in (*crds.values(), jobsets)))
    found = [(one.crd.of, one.crd.release, one.crd.differing, one.write) for one in audit.crds]
    known = get_release(release)
    newest = release == "2.3"
    trainer = ("Trainer", release, 0, "" if newest else "2.3")
    assert found == [trainer, trainer, trainer, ("JobSet", known.jobset, 0, "" if newest else "0.12")]


def test_a_crd_that_was_changed_is_compared_with_the_nearest() -> None:
    crds = json.loads(lzma.decompress((ORACLE / "crds" / "2.1.json.xz").read_bytes()))
    crd = crds["trainjobs"]
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["own"] = {
        "type": "string"
    }
    (found,) = audited("2.1", "2.1", crd=json.dumps(crd)).crds
    assert (found.crd.release, found.crd.differing, found.write) == ("2.1", 1, "2.1")


@pytest.mark.parametrize("spec", ["{}", "{versions: [x]}", "{versions: [{schema: {openAPIV3Schema: 3}}]}", "[]"])
def test_crds_that_are_broken_are_none(spec: str) -> None:
    text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
    assert (
        audited("2.1", "2.3", crd=f"{text}metadata: {{name: trainjobs.trainer.kubeflow.org}}\nspec: {spec}\n").crds
        == ()
    )
