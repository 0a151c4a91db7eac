"""The CRDs of the Trainer as a unit of their own: applied first and on the server, never pruned, kept by every tool."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from trainergen.datafiles import data_dir
from trainergen.generate.emitting import manifest
from trainergen.generate.install.chart import chart_of
from trainergen.generate.layout import PLATFORM
from trainergen.generate.workspace_files import GeneratedFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.releases import Release

CRDS = PLATFORM / "crds"
_ANNOTATIONS = """  annotations:
    argocd.argoproj.io/sync-options: ServerSideApply=true,Prune=false,Delete=false
    helm.sh/resource-policy: keep
    kustomize.toolkit.fluxcd.io/prune: disabled
"""
_BEFORE = "\nspec:\n"


def has_crds(release: Release) -> bool:
    """Whether the CRDs are a unit: those in the folder ``crds/`` of a chart come before all else and stay anyway.

    Where they are templates, Helm deletes them, and with them every TrainJob, together with the release.
    """
    return chart_of(release).crds_in_templates


def crd_files(release: Release) -> Iterator[GeneratedFile]:
    """The CRDs of a release and their kustomization."""
    found = sorted((data_dir("schemas") / release.name / "crds").glob("*.yaml"))
    for file in found:
        text = file.read_text(encoding="utf-8")
        yield GeneratedFile(CRDS / file.name, text.replace(_BEFORE, "\n" + _ANNOTATIONS + _BEFORE[1:], 1))
    yield GeneratedFile(
        CRDS / PurePosixPath("kustomization.yaml"),
        manifest(
            {
                "apiVersion": "kustomize.config.k8s.io/v1beta1",
                "kind": "Kustomization",
                "resources": [file.name for file in found],
            }
        ),
    )
