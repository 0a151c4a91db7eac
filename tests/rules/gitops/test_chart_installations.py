"""Where the Trainer's chart is installed from, and what its values are."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainergen.releases import RELEASES, get_release
from trainergen.rules.gitops.helm.chart_facts import chart_facts, facts_of_version, releases_with
from trainergen.rules.gitops.helm.effects import ineffective
from trainergen.rules.gitops.helm.installations import Installation, of_chart, of_delivery, of_kustomization
from trainergen.rules.objects import Entry, Objects
from trainergen.rules.tree import DiskTree
from trainergen.rules.views.chart import Chart
from trainergen.rules.views.kustomization import Kustomization
from trainergen.rules.views.source import Source
from trainergen.source.reader import read_documents

RELEASE = get_release("2.3")
LEAVES = {"2.0": 23, "2.1": 45, "2.2": 78, "2.3": 90}


def entries(text: str, file: str = "x.yaml") -> list[Entry]:
    return [Entry(document) for document in read_documents(text.encode(), file=file).documents]


def delivered(text: str) -> list[Installation]:
    first, *others = entries(text)
    return list(of_delivery(Source(first, release=RELEASE, objects=Objects(others))))


def application(source: str) -> str:
    return f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: t}}\nspec:\n  source: {source}\n"


def release(spec: str, *others: str) -> str:
    head = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: t, namespace: k}\n"
    return "---\n".join([f"{head}spec: {spec}\n", *others])


def chart_values(text: str, version: str = "2.3.0") -> list[str]:
    (one,) = delivered(release(f"{{chart: {{spec: {{chart: kubeflow-trainer, version: {version}}}}}, values: {text}}}"))
    return [found.message for found in ineffective(one)]  # type: ignore[union-attr]


@pytest.mark.parametrize("name", [release.name for release in RELEASES])
def test_every_release_has_the_values_of_its_chart(name: str) -> None:
    facts = chart_facts(name)
    assert facts is not None
    assert len(facts.values) == LEAVES[name]
    assert facts_of_version(f"v{facts.chart}") is facts
    assert set(facts.dead) <= set(facts.values)
    assert "jobset" in facts.dependencies


def test_a_version_that_is_not_known_has_no_facts() -> None:
    assert facts_of_version("2.9.0") is None
    assert facts_of_version(">=2.2.0") is None
    assert facts_of_version("~2.3") is chart_facts("2.3")
    assert chart_facts("9.9") is None


def test_releases_are_told_apart_by_their_values() -> None:
    assert releases_with("manager.annotations") == ["2.0", "2.1"]
    assert releases_with("crds.enabled") == ["2.3"]
    assert releases_with("crds") == ["2.3"]
    assert releases_with("crds.kept") == []


FORMS = {
    "a chart of a registry": application("{repoURL: ghcr.io/kubeflow/charts, chart: kubeflow-trainer}"),
    "the chart as the repository": application(
        "{repoURL: 'oci://ghcr.io/kubeflow/charts/kubeflow-trainer', targetRevision: 2.3.0}"
    ),
    "several sources": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: t}\nspec:\n"
    "  sources: [{repoURL: 'https://example.com', ref: values}, {chart: kubeflow-trainer, targetRevision: 2.3.0}]\n",
    "a set": "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: t}\n"
    "spec: {template: {spec: {source: {chart: kubeflow-trainer, targetRevision: 2.3.0}}}}\n",
    "a release of Flux": release("{chart: {spec: {chart: kubeflow-trainer, version: 2.3.x}}}"),
    "a reference to an OCI repository": release(
        "{chartRef: {kind: OCIRepository, name: t}}",
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: t, namespace: k}\n"
        "spec: {url: 'oci://ghcr.io/kubeflow/charts/kubeflow-trainer', ref: {tag: 2.3.0}}\n",
    ),
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_the_chart_is_recognised(text: str) -> None:
    (one,) = delivered(text)
    assert one.facts.release == "2.3"
    assert not one.from_git
    assert one.value("crds.enabled") is True
    assert one.value("manager.replicas") is None


@pytest.mark.parametrize(
    "text",
    [
        application("{repoURL: ghcr.io/kubeflow/charts, chart: kubeflow-trainer, targetRevision: 2.9.0}"),
        application("{repoURL: 'https://github.com/example/kubeflow-trainer', path: deploy}"),
        release("{chart: {spec: {chart: jobset, version: 0.12.0}}}"),
        release("{chartRef: {kind: OCIRepository, name: missing}}"),
        application("{chart: kubeflow-trainer}").replace("argoproj.io/v1alpha1", "app.k8s.io/v1"),
    ],
)
def test_another_chart_or_an_unknown_version_is_none(text: str) -> None:
    assert delivered(text) == []


def test_a_chart_from_git_is_told_from_a_published_one() -> None:
    (argo,) = delivered(
        application(
            "{repoURL: 'https://github.com/kubeflow/trainer', path: charts/kubeflow-trainer, targetRevision: v2.1.0}"
        )
    )
    assert argo.from_git
    assert argo.facts.needs_app_version


def test_the_last_value_wins_and_parameters_win_over_all() -> None:
    (one,) = delivered(
        application(
            "\n    chart: kubeflow-trainer\n    targetRevision: 2.3.0\n    helm:\n"
            "      values: |\n        crds: {enabled: false}\n        manager: {replicas: 1}\n"
            "      valuesObject: {manager: {replicas: 2}}\n"
            "      parameters: [{name: crds.enabled, value: 'true'}]\n"
        )
    )
    assert one.value("manager.replicas") == 2
    assert one.value("crds.enabled") is True
    assert one.value("jobset.install") is True


def test_runtimes_are_enabled_by_their_switch_or_by_the_default() -> None:
    (one,) = delivered(
        release("{chart: {spec: {chart: kubeflow-trainer}}, values: {runtimes: {defaultEnabled: true}}}")
    )
    assert "torch-distributed" in one.enabled_runtimes()
    assert "torch-distributed-with-cache" not in one.enabled_runtimes()
    assert one.runtime_switch("torch-distributed").path[-1] == "defaultEnabled"


def test_a_file_of_values_lies_over_the_first_one_under_the_alias(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "name: p\ndependencies: [{name: kubeflow-trainer, alias: kt, version: 2.3.0}]\n"
    Path("values.yaml").write_text("kt: {manager: {replicas: 1}}\n")
    Path("values-prod.yaml").write_text("kt: {manager: {replicas: 3}}\n")
    chart = Chart(entries(text, "Chart.yaml")[0], tree=DiskTree(), release=RELEASE, objects=Objects())
    assert [one.value("manager.replicas") for one in of_chart(chart)] == [1, 3]


def test_charts_of_a_kustomization_have_values_of_files_and_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("v.yaml").write_text("manager: {replicas: 3}\ncrds: {enabled: false}\n")
    inline = "valuesInline: {manager: {replicas: 2}}"
    text = f"helmCharts: [{{name: kubeflow-trainer, version: 2.3.0, valuesFile: v.yaml, {inline}}}]"
    (first,) = entries(text, "kustomization.yaml")
    (one,) = of_kustomization(Kustomization(first, tree=DiskTree(), release=RELEASE, objects=Objects()))
    assert one.value("manager.replicas") == 2
    assert one.value("crds.enabled") is False


SILENT = {
    "free content": "{manager: {resources: {limits: {cpu: 1}}, env: [{name: A}], securityContext: {runAsUser: 5}}}",
    "values of subcharts": "{jobset: {controller: {replicas: 2}}, lws: {image: {}}, global: {a: b}}",
    "a dead value at its default": "{dataCache: {lws: {install: true, fullnameOverride: lws}}, commonLabels: {}}",
    "a null": "{manager: {config: null}}",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_values_that_the_chart_takes_are_no_finding(text: str) -> None:
    assert chart_values(text) == []


def test_values_without_effect_are_found_wherever_they_are() -> None:
    assert chart_values("{manager: {annotations: {a: b}}}", "2.1.0") == [
        "'manager.annotations' has no effect: no template of the chart kubeflow-trainer 2.1.0 reads it"
    ]
    assert chart_values("{dataCache: {enabled: true, lws: {install: false}}}")[0].startswith(
        "'dataCache.lws.install' has no effect in chart 2.3.0: LeaderWorkerSet is installed"
    )
    assert chart_values("{crds: {enabled: 'false'}}") == [
        "crds.enabled is the text 'false', which templates take for true, but must be a boolean"
    ]
    assert chart_values("{crds: {enabled: false}}", "2.2.1") == [
        "'crds' is no value of the chart kubeflow-trainer 2.2.1, so Helm ignores it"
    ]
