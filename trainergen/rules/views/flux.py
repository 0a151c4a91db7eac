"""The Flux view: a Kustomization, HelmRelease or source of Flux."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules.lazily import lazily
from trainergen.rules.part import DocumentRoot, Part
from trainergen.rules.views.delivery import delivered

if TYPE_CHECKING:
    from trainergen.releases import Release
    from trainergen.rules.objects import Entry, Objects
    from trainergen.rules.tree import Tree

FLUX_KINDS = (
    "Kustomization",
    "HelmRelease",
    "OCIRepository",
    "GitRepository",
    "HelmRepository",
    "HelmChart",
    "Bucket",
)


class FluxObject(Part):
    """An object of Flux; as a ``Part`` it is the object as written."""

    def __init__(self, entry: Entry, *, tree: Tree, release: Release, objects: Objects) -> None:
        super().__init__(entry.value, DocumentRoot(entry))
        self.entry = entry
        self.tree = tree
        self.release = release
        self.objects = objects

    @property
    def kind(self) -> str:
        """The kind, such as ``Kustomization`` or ``HelmRelease``."""
        return self.entry.kind

    @property
    def source(self) -> Entry | None:
        """The source that it names, when that is in this run."""
        for way in ("spec.sourceRef", "spec.chartRef", "spec.chart.spec.sourceRef"):
            name = self.text(way + ".name")
            if name:
                namespace = self.text(way + ".namespace") or self.entry.namespace
                return self.objects.find(self.text(way + ".kind"), name, namespace)
        return None

    @lazily
    def delivers(self) -> list[Entry]:
        """The objects of this run that a Kustomization brings to the cluster, as written."""
        if self.kind != "Kustomization" or not self.text("spec.path"):
            return []
        path = self.text("spec.path")
        return list(delivered(path, self.entry, tree=self.tree, objects=self.objects, release=self.release))
