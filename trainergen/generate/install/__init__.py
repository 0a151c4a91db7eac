"""The Trainer itself as units of their own: its CRDs, and its controllers by Helm without CRDs and runtimes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.generate.delivery import TRAINER_NAMESPACE
from trainergen.generate.emitting import manifest
from trainergen.generate.install.chart import REGISTRY, chart_of, chart_values, values_schema
from trainergen.generate.install.crds import crd_files, has_crds
from trainergen.generate.layout import PLATFORM
from trainergen.generate.workspace_files import GeneratedFile
from trainergen.rules.gitops.helm.chart_facts import CHART

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.generate.resolved import Resolved

__all__ = ["CONTROLLER", "files"]

CONTROLLER = PLATFORM / "controller"


def files(resolved: Resolved) -> Iterator[GeneratedFile]:
    """The files of the units; without a delivery, the controllers' one is the values and the command to use them."""
    if not resolved.install:
        return
    if has_crds(resolved.release):
        yield from crd_files(resolved.release)
    if resolved.delivery == "none":
        chart = chart_of(resolved.release)
        command = (
            f"# helm upgrade --install {CHART} oci://{REGISTRY}/{CHART} --version {chart.chart} \\\n"
            f"#   --namespace {TRAINER_NAMESPACE} --create-namespace --values values.yaml\n"
        )
        yield GeneratedFile(CONTROLLER / "values.yaml", command + manifest(chart_values(resolved.release)))
        yield GeneratedFile(CONTROLLER / "values.schema.json", values_schema(resolved.release))
