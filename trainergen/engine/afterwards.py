"""The rules that need all files at once: on changes, the workspace, kustomizations, charts and what delivers them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import TYPE_CHECKING

from trainergen.rules.found import Spot
from trainergen.rules.objects import Entry, Objects
from trainergen.rules.runner import words_of
from trainergen.rules.tree import DiskTree
from trainergen.rules.views.workspace import Workspace
from trainergen.source.kustomizations import NAMES
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.engine.base import GitBase
    from trainergen.engine.lint import Linter
    from trainergen.finding import Finding, JsonObject
    from trainergen.report import LocatedNotEvaluated
    from trainergen.rules.tree import Tree
    from trainergen.rules.views.job import Job
    from trainergen.source import SourceFile

ARGO_GROUP = "argoproj.io"
FLUX_GROUP = "toolkit.fluxcd.io"


class Afterwards:
    """Runs those rules over what the judging of all files left."""

    def __init__(self, linter: Linter, entries: Iterable[Entry], *, base: GitBase | None) -> None:
        self._linter = linter
        self._runner = linter.runner
        self._release = linter.release
        self._objects = Objects(entries)
        self._base = base
        self._tree: Tree = DiskTree()
        self.findings: list[Finding] = []
        self.not_evaluated: list[LocatedNotEvaluated] = []
        self.workspace = Workspace(self._objects, tree=self._tree, release=self._release)

    def run(self, files: Iterable[SourceFile], changes: Iterable[tuple[Entry, JsonObject]]) -> None:
        """Call them all; what they say is in ``findings`` and ``not_evaluated``."""
        self._workspace()
        if self._runner.has("change"):
            self._changes(changes)
        if self._runner.has("kustomization", "chart"):
            self._folders(files)
        if self._runner.has("argo-application", "flux-object"):
            self._deliveries()

    def _workspace(self) -> None:
        first = next(iter(self._objects), None)
        for rule in self._runner.rules if first else ():
            if rule.view == "workspace":
                assert first is not None
                self._linter.take(self._runner.call(rule, self.workspace, at=Spot(first, ())), None, self)

    def _call(self, view: str, subject: object, entry: Entry, kind: str = "") -> None:
        outcomes = self._runner.run(
            view, subject, at=Spot(entry, ()), kind=kind or entry.kind, words=words_of(entry.value)
        )
        self._linter.take(outcomes, entry, self)

    def _changes(self, changes: Iterable[tuple[Entry, JsonObject]]) -> None:
        from trainergen.rules.views.change import Change

        for entry, old in changes:
            change = Change(entry, old, workspace=self.workspace, release=self._release, render=self._render)
            self._call("change", change, entry)

    def _render(self, entry: Entry, value: JsonObject) -> Job | None:
        from trainergen.admission.admit import admit
        from trainergen.rules.views.job import Job

        if entry.kind != "TrainJob":
            return None
        admission = admit(value, release=self._release)
        if admission.refused or admission.object is None:
            return None
        job = self._linter.renderer().job(entry.with_value(value), admission.object)
        return job if isinstance(job, Job) else None

    def _folders(self, files: Iterable[SourceFile]) -> None:
        from trainergen.rules.views.chart import Chart
        from trainergen.rules.views.kustomization import Kustomization

        for file in files:
            name = posixpath.basename(file.path)
            if name in NAMES:
                for entry in self._entries(file):
                    folder = Kustomization(entry, tree=self._tree, release=self._release, objects=self._objects)
                    self._call("kustomization", folder, entry, "Kustomization")
            elif name == "Chart.yaml":
                for entry in self._entries(file)[:1]:
                    chart = Chart(entry, tree=self._tree, release=self._release, objects=self._objects)
                    self._call("chart", chart, entry, "Chart")

    def _entries(self, file: SourceFile) -> list[Entry]:
        location = file.location or file.path
        data = file.data if file.data is not None else self._tree.read(location)
        documents = read_documents(data, file=file.path).documents if data is not None else []
        return [Entry(document, location=location, data=file.data) for document in documents]

    def _deliveries(self) -> None:
        from trainergen.rules.views.argo import ArgoApplication
        from trainergen.rules.views.flux import FluxObject

        argo = self._runner.kinds("argo-application")
        flux = self._runner.kinds("flux-object")
        for entry in self._objects:
            if entry.kind in argo and entry.group == ARGO_GROUP:
                app = ArgoApplication(entry, tree=self._tree, release=self._release, objects=self._objects)
                self._call("argo-application", app, entry)
            elif entry.kind in flux and entry.group.endswith(FLUX_GROUP):
                made = FluxObject(entry, tree=self._tree, release=self._release, objects=self._objects)
                self._call("flux-object", made, entry)
