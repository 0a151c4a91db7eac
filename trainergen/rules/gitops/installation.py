"""The charts that an Application or a HelmRelease installs: which version, and with what values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.errors import TrainergenError
from trainergen.releases import Lifespan, Release, get_release
from trainergen.rules.part import Part
from trainergen.rules.tree import mapping_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonValue
    from trainergen.rules.views.argo import ArgoApplication
    from trainergen.rules.views.flux import FluxObject

TRAINER_CHART = "kubeflow-trainer"
TRAINER_REPOSITORY = "github.com/kubeflow/trainer"
_OTHER_PATHS = ("runtimes", "namespace-rbac")
_FLAGS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class ChartUse:
    """One use of a chart: the Argo CD source or HelmRelease, and what is known of its values."""

    name: str
    """The chart's name."""
    version: Part
    """The version as written; its value is None when there is none."""
    owner: Part
    """The source or the HelmRelease."""
    values: tuple[Part, ...]
    """The values written here, the strongest first."""
    complete: bool
    """False when further values come from elsewhere."""

    def get(self, dotted: str) -> JsonValue:
        """A value set here, None when it is not."""
        return next((values.get(dotted) for values in self.values if values.has(dotted)), None)

    def flag(self, dotted: str, *, default: bool) -> bool | None:
        """A switch: as set here, else its default; None when somebody else may set it."""
        found = self.get(dotted)
        if isinstance(found, bool):
            return found
        return default if self.complete else None

    def release(self, target: Release) -> Release:
        """The Trainer release that the chart's version names; where it leaves that open, the one checked for."""
        try:
            return get_release(self.version.text().lstrip("~=v"))
        except TrainergenError:
            return target

    def within(self, target: Release, *, since: str = "", until: str = "") -> bool:
        """Whether the release that is installed lies between two."""
        return Lifespan(since, until).covers(self.release(target).name)

    @property
    def has_runtimes(self) -> bool:
        """Whether any runtime of the Trainer's chart is switched on here."""
        if self.get("runtimes.defaultEnabled") is True or self.get("dataCache.runtimes") is not None:
            return True
        return any(_switched_on(values.part("runtimes")) for values in self.values)


def _switched_on(part: Part) -> bool:
    return part.get("enabled") is True or any(_switched_on(value) for _, value in part.entries())


def argo_charts(app: ArgoApplication, name: str = TRAINER_CHART) -> list[ChartUse]:
    """The sources of an Application that are the chart of that name."""
    return [_argo_chart(source, name) for source in app.sources if chart_of(source) == name]


def chart_of(source: Part) -> str:
    """The name of the chart that a source of Argo CD is, empty when it is none."""
    if source.text("chart"):
        return source.text("chart").rpartition("/")[2]
    url, path = source.text("repoURL"), source.text("path")
    if url.startswith("oci://"):
        return url.rstrip("/").rpartition("/")[2]
    folder, _, chart = path.strip("/").rpartition("/")
    return chart if folder.rpartition("/")[2] == "charts" else ""


def _argo_chart(source: Part, name: str) -> ChartUse:
    helm = source.part("helm")
    parameters: JsonValue = _nested(helm)
    text = helm.text("values")
    written = Part(dict(mapping_of(text.encode(), "")), helm.root, (*helm.path, "values"))
    values = (Part(parameters, helm.root, (*helm.path, "parameters")), helm.part("valuesObject"), written)
    complete = not (helm.values("valueFiles") or helm.values("fileParameters") or "{{" in text)
    return ChartUse(name, source.part("targetRevision"), source, values, complete)


def _nested(helm: Part) -> dict[str, JsonValue]:
    """The parameters of a source as the values that they set; lists are left out."""
    found: dict[str, JsonValue] = {}
    for parameter in helm.parts("parameters"):
        *way, last = parameter.text("name").split(".")
        place = found
        for step in way:
            below = place.setdefault(step, {})
            if not isinstance(below, dict):
                break
            place = below
        value = parameter.get("value")
        place[last] = _FLAGS.get(value, value) if isinstance(value, str) else value
    return found


def installs_trainer(app: ArgoApplication) -> bool:
    """Whether an Application installs the controller: from the chart, or from upstream's manifests."""
    return bool(argo_charts(app)) or any(_upstream(source) for source in app.sources)


def _upstream(source: Part) -> bool:
    last = source.text("path").rstrip("/").rpartition("/")[2]
    return (
        TRAINER_REPOSITORY in source.text("repoURL")
        and source.text("path").strip("/").startswith("manifests/")
        and last not in _OTHER_PATHS
    )


def flux_chart(flux: FluxObject, name: str = TRAINER_CHART) -> ChartUse | None:
    """The chart of that name when a HelmRelease installs it; needs ``OCIRepository`` among the rule's lookups."""
    if flux.kind != "HelmRelease":
        return None
    inline = flux.part("spec.chart.spec")
    found, version = inline.text("chart").rpartition("/")[2], inline.part("version")
    if flux.has("spec.chartRef") and flux.source is not None:
        source = flux.source.object
        found = source.text("spec.url").rstrip("/").rpartition("/")[2]
        version = next(_references(source), source.part("spec.ref"))
    if found != name:
        return None
    return ChartUse(name, version, flux, (flux.part("spec.values"),), not flux.values("spec.valuesFrom"))


def _references(source: Part) -> Iterator[Part]:
    """The versions of an OCIRepository, the one that counts first."""
    return (source.part("spec.ref", key) for key in ("semver", "tag") if source.has("spec.ref", key))
