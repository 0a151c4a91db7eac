"""What rules on Argo CD and Flux make of values that are written elsewhere, and of CRDs of real size."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.rules.running import check_tree, scanned, write_tree
from trainergen.rules.documentation import Block

if TYPE_CHECKING:
    from trainergen.report import Report

APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: trainer
  namespace: argocd
spec:
  project: default
  source:
{source}
  destination:
    server: https://kubernetes.default.svc
    namespace: kubeflow-system
"""
CHART = """\
repoURL: ghcr.io/kubeflow/charts
chart: kubeflow-trainer
targetRevision: {version}
helm:
{helm}
"""
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: trainingruntimes.trainer.kubeflow.org
spec:
  group: trainer.kubeflow.org
  names:
    kind: TrainingRuntime
  description: {description}
"""


def chart(helm: str, version: str = "2.3.0") -> str:
    source = CHART.format(version=version, helm=textwrap.indent(textwrap.dedent(helm), "  "))
    return APPLICATION.format(source=textwrap.indent(source, "    "))


def check(rule: str, folder: Path, **files: str) -> Report:
    write_tree(folder, [Block(name.replace("__", "/") + ".yaml", text) for name, text in files.items()])
    return check_tree(folder, scanned()[rule], with_base=False)


def found(report: Report, rule: str) -> list[str]:
    return [finding.message for finding in report.findings if finding.rule == rule]


def undecided(report: Report, rule: str) -> list[str]:
    return [item.reason for item in report.not_evaluated if item.check == rule]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("size", "expected"), [(1_000, 0), (263_000, 1)])
def test_a_crd_is_too_large_by_its_bytes(size: int, expected: int, tmp_path: Path) -> None:
    source = "    repoURL: https://example.com/platform.git\n    targetRevision: main\n    path: crds"
    report = check(
        "TG750", tmp_path, app=APPLICATION.format(source=source), crds__one=CRD.format(description="a" * size)
    )
    assert len(found(report, "TG750")) == expected


HELM = {
    "values as an object": "valuesObject:\n  crds: {enabled: false}\n  jobset: {install: false}",
    "values as text": "values: |\n  crds: {enabled: false}\n  jobset:\n    install: false",
    "parameters": "parameters:\n  - {name: crds.enabled, value: 'false'}\n  - {name: jobset.install, value: 'false'}",
}


@pytest.mark.parametrize("helm", HELM.values(), ids=HELM)
def test_values_are_read_in_every_form(helm: str, tmp_path: Path) -> None:
    report = check("TG750", tmp_path, app=chart(helm))
    assert not found(report, "TG750")
    assert not undecided(report, "TG750")


def test_a_values_file_leaves_switches_undecided(tmp_path: Path) -> None:
    report = check("TG750", tmp_path, app=chart("valueFiles: [$values/trainer.yaml]"))
    assert not found(report, "TG750")
    assert undecided(report, "TG750") == ["the values files may leave out the CRDs"]


def test_a_value_that_is_written_counts_beside_a_values_file(tmp_path: Path) -> None:
    helm = "valueFiles: [$values/trainer.yaml]\nvaluesObject:\n  crds:\n    enabled: true"
    assert found(check("TG750", tmp_path, app=chart(helm)), "TG750") == [
        "the CRDs of Trainer are too large for client-side apply"
    ]


SKIPS = {
    "up to 2.2 skipCrds leaves out the folder with the CRDs": ("2.2.1", 0),
    "since 2.3 they are templates": ("2.3.0", 1),
    "a range within the minor release says as much": ("~2.2.0", 0),
}


@pytest.mark.parametrize(("version", "expected"), SKIPS.values(), ids=SKIPS)
def test_the_release_of_the_chart_decides(version: str, expected: int, tmp_path: Path) -> None:
    report = check("TG765", tmp_path, app=chart("skipCrds: true", version))
    assert len(found(report, "TG765")) == expected


CLUSTER = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: trainer, namespace: flux-system}}
spec:
  interval: 10m
  path: ./{cluster}/trainer
  prune: false
  wait: true
  sourceRef: {{kind: GitRepository, name: flux-system}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: runtimes, namespace: flux-system}}
spec:
  dependsOn: [{{name: {awaited}}}]
  interval: 10m
  path: ./runtimes
  prune: false
  sourceRef: {{kind: GitRepository, name: flux-system}}
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: trainer, namespace: flux-system}
spec:
  interval: 1h
  targetNamespace: kubeflow-system
  chart:
    spec:
      chart: kubeflow-trainer
      version: 2.3.0
      sourceRef: {kind: HelmRepository, name: kubeflow}
"""
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: torch, labels: {trainer.kubeflow.org/framework: torch}}
spec:
  mlPolicy: {numNodes: 1, torch: {}}
  template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {containers: []}}}}}]}}
"""


@pytest.mark.parametrize(("awaited", "findings"), [("trainer", 0), ("network", 2)])
def test_each_of_several_clusters_waits_for_its_own_release_only(awaited: str, findings: int, tmp_path: Path) -> None:
    report = check(
        "TG784",
        tmp_path,
        dev__flux=CLUSTER.format(cluster="dev", awaited=awaited),
        dev__trainer__release=RELEASE,
        prod__flux=CLUSTER.format(cluster="prod", awaited=awaited),
        prod__trainer__release=RELEASE,
        runtimes__torch=RUNTIME,
    )

    assert [finding.rule for finding in report.findings].count("TG784") == findings


JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: bert, namespace: team-a}
spec:
  runtimeRef: {name: torch-distributed}
"""
HEALED = """
    helm:
      valuesObject: {parts: {jobs: false}}
"""


@pytest.mark.parametrize(("helm", "findings"), [("", 1), (HEALED, 0)])
def test_what_comes_of_a_chart_with_values_of_its_own_is_not_guessed(helm: str, findings: int, tmp_path: Path) -> None:
    source = f"    repoURL: https://git.example.com/t.git\n    path: jobs{helm}"
    application = APPLICATION.format(source=source) + "  syncPolicy: {automated: {selfHeal: true}}\n"

    report = check("TG761", tmp_path, app=application, jobs__bert=JOB)

    assert [finding.rule for finding in report.findings].count("TG761") == findings
