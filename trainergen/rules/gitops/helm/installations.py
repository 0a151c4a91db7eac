"""Where the chart kubeflow-trainer is installed from, with its values: umbrella charts, Argo CD, Flux, kustomize."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.rules.gitops.helm.chart_facts import CHART, ChartFacts, chart_facts, facts_of_version
from trainergen.rules.objects import Entry
from trainergen.rules.part import DocumentRoot, Part
from trainergen.rules.tree import Inline, join, objects_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonValue
    from trainergen.releases import Release
    from trainergen.rules import Chart, Kustomization, Source

DELIVERIES = ("Application", "ApplicationSet", "HelmRelease")
SOURCES = ("OCIRepository", "GitRepository")
_ARGO = "argoproj.io"
_FLUX = "helm.toolkit.fluxcd.io"
_REPOSITORY = "kubeflow/trainer"
_WORDS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Installation:
    """One installation of the chart."""

    place: Part
    """The source of an Application, the HelmRelease, the dependency or the entry of ``helmCharts``."""
    version: Part
    """Where the version is written; without one its value is None."""
    facts: ChartFacts
    values: tuple[Part, ...]
    """The values as far as they are written here, the last wins."""
    parameters: tuple[Part, ...] = ()
    """Single values of Argo CD (``name``, ``value``), which win over all."""
    from_git: bool = False
    """Whether the chart is taken from the repository, not from a registry."""
    complete: bool = True
    """False when there are values that cannot be seen."""

    def written(self, path: str) -> Part | None:
        """The place where a value is set, None where it has its default."""
        for parameter in self.parameters:
            if parameter.text("name") == path:
                return parameter.part("value")
        found = [values.part(path) for values in self.values if values.get(path) is not None]
        return found[-1] if found else None

    def value(self, path: str) -> JsonValue:
        """A value that is set; booleans have their default. None for anything else that is not set."""
        part = self.written(path)
        if part is None:
            return path in self.facts.on if self.facts.values.get(path) == "boolean" else None
        is_parameter = any(part.root is one.root and part.path[:-1] == one.path for one in self.parameters)
        return _WORDS.get(str(part.value), part.value) if is_parameter else part.value

    def enabled_runtimes(self) -> list[str]:
        """The names of the shipped runtimes that the values enable."""
        everything = self.value("runtimes.defaultEnabled") is True
        return [
            name
            for name, path in self.facts.runtimes.items()
            if self.value(path) is True or (everything and path.startswith("runtimes."))
        ]

    def runtime_switch(self, runtime: str) -> Part:
        """The place of the value that enables a runtime."""
        for path in (self.facts.runtimes[runtime], "runtimes.defaultEnabled"):
            part = self.written(path)
            if part is not None and self.value(path) is True:
                return part
        return self.place


def of_delivery(source: Source) -> Iterator[Installation]:
    """The installations of an Application, ApplicationSet or HelmRelease."""
    if source.entry.group == _ARGO:
        inner = source.part("spec.template.spec" if source.kind == "ApplicationSet" else "spec")
        single = [inner.part("source")] if inner.mapping("source") else []
        for one in [*single, *inner.parts("sources")]:
            yield from _of_argo(one, source)
    elif source.entry.group == _FLUX:
        yield from _of_flux(source)


def _of_argo(one: Part, source: Source) -> Iterator[Installation]:
    url, path = one.text("repoURL").removesuffix("/").removesuffix(".git"), one.text("path")
    from_git = url.endswith(_REPOSITORY) and path.strip("./").endswith("charts/" + CHART)
    if one.text("chart") != CHART and not url.endswith("/charts/" + CHART) and not from_git:
        return
    version = one.part("targetRevision")
    facts = _facts(version, source.release)
    if facts is None:
        return
    helm = one.part("helm")
    values = [*_inline(source, helm.part("values")), helm.part("valuesObject")]
    yield Installation(
        one,
        version,
        facts,
        tuple(part for part in values if isinstance(part.value, dict)),
        tuple(helm.parts("parameters")),
        from_git=from_git,
        complete=not helm.values("valueFiles") and not helm.values("fileParameters"),
    )


def _inline(source: Source, part: Part) -> Iterator[Part]:
    """Values that are written as a text."""
    for document in objects_in(part.text(), source.entry.file)[:1]:
        yield Part(document.value, DocumentRoot(Inline(source.entry, part.path, document)))


def _of_flux(source: Source) -> Iterator[Installation]:
    spec = source.part("spec.chart.spec")
    name, version, from_git = spec.text("chart"), spec.part("version"), False
    reference = source.part("spec.chartRef") if source.mapping("spec.chartRef") else spec.part("sourceRef")
    found = source.objects.find(
        reference.text("kind"), reference.text("name"), reference.text("namespace") or source.namespace
    )
    if found is not None and reference.text("kind") in SOURCES:
        url = found.object.text("spec.url").removesuffix(".git")
        from_git = url.endswith(_REPOSITORY) and name.strip("./").endswith("charts/" + CHART)
        name = CHART if from_git or (not name and url.endswith("/" + CHART)) else name
        version = next(
            (
                found.object.part("spec.ref", key)
                for key in ("tag", "semver", "branch")
                if found.object.has("spec.ref", key)
            ),
            version,
        )
    facts = _facts(version, source.release) if name == CHART else None
    if facts is not None:
        values = (source.part("spec.values"),) if source.mapping("spec.values") else ()
        whole = source.part("spec.chart.spec") if spec.value is not None else source.part("spec")
        complete = not source.values("spec.valuesFrom")
        yield Installation(whole, version, facts, values, from_git=from_git, complete=complete)


def of_chart(chart: Chart) -> list[Installation]:
    """The installations that an umbrella chart makes, one for each of its values files over ``values.yaml``."""
    found = []
    for entry in chart.parts("dependencies"):
        facts = _facts(entry.part("version"), chart.release) if entry.text("name") == CHART else None
        if facts is None:
            continue
        key = entry.text("alias") or CHART
        first = chart.values_part.part(key)
        others = [file.part(key) for name, file in chart.values_files.items() if name != "values.yaml"]
        for other in [None, *others]:
            values = tuple(one for one in (first, other) if one is not None and isinstance(one.value, dict))
            found.append(Installation(entry, entry.part("version"), facts, values))
    return found


def of_kustomization(kustomization: Kustomization) -> Iterator[Installation]:
    """The installations that ``helmCharts`` of a kustomization makes."""
    for entry in kustomization.parts("helmCharts"):
        facts = _facts(entry.part("version"), kustomization.release) if entry.text("name") == CHART else None
        if facts is None:
            continue
        names = [entry.text("valuesFile"), *entry.texts("additionalValuesFiles")]
        files = [part for name in names if name for part in _file(kustomization, name)]
        values = [*files, entry.part("valuesInline")]
        yield Installation(
            entry, entry.part("version"), facts, tuple(part for part in values if isinstance(part.value, dict))
        )


def _file(kustomization: Kustomization, name: str) -> Iterator[Part]:
    path = join(kustomization.folder, name)
    data = kustomization.tree.read(path)
    for document in objects_in((data or b"").decode("utf-8", "replace"), path)[:1]:
        yield Part(document.value, DocumentRoot(Entry(document, location=path)))


def _facts(version: Part, release: Release) -> ChartFacts | None:
    """The chart of a written version; without one that of the release that the run is for."""
    return facts_of_version(version.text()) if version.text() else chart_facts(release.name)
