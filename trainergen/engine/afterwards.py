"""The rules that need all files at once: on changes, the workspace, kustomizations, charts and what delivers them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from trainergen.rules.found import Spot
from trainergen.rules.objects import Entry, Objects
from trainergen.rules.runner import words_of
from trainergen.source.kustomizations import NAMES

if TYPE_CHECKING:
    from trainergen.engine.base import GitBase
    from trainergen.engine.lint import Linter
    from trainergen.finding import Finding, JsonObject
    from trainergen.report import LocatedNotEvaluated
    from trainergen.rules.tree import Tree
    from trainergen.rules.views.job import Job
    from trainergen.rules.views.workspace import Workspace
    from trainergen.source import SourceFile

CHART = "Chart.yaml"
ARGO_GROUP = "argoproj.io"
FLUX_GROUP = "toolkit.fluxcd.io"


class Afterwards:
    """Runs those rules over what the judging of all files left."""

    def __init__(
        self,
        linter: Linter,
        files: Sequence[SourceFile],
        *,
        base: GitBase | None,
        texts: Mapping[str, bytes] | None = None,
    ) -> None:
        self._linter = linter
        self._runner = linter.runner
        self._release = linter.release
        self._files = files
        self._base = base
        self._texts = texts
        self._objects = Objects()
        self.findings: list[Finding] = []
        self.not_evaluated: list[LocatedNotEvaluated] = []

    def run(self, entries: Iterable[Entry], changes: Iterable[tuple[Entry, JsonObject]]) -> None:
        """Call them all; what they say is in ``findings`` and ``not_evaluated``."""
        for entry in entries:
            self._objects.add(entry)
        self._run_workspace()
        self._run_changes(changes)
        if self._runner.has("kustomization", "chart"):
            self._run_folders()
        if self._runner.has("argo-application", "flux-object"):
            self._run_deliveries()

    @cached_property
    def _tree(self) -> Tree:
        from trainergen.rules.tree import DiskTree

        return DiskTree(self._texts)

    @cached_property
    def _base_tree(self) -> Tree | None:
        if self._base is None:
            return None
        from trainergen.engine.base_tree import BaseTree

        return BaseTree(self._base)

    @cached_property
    def _workspace(self) -> Workspace:
        from trainergen.rules.views.workspace import Workspace

        deleted = []
        if self._base is not None:
            from trainergen.engine.base_tree import deleted_objects

            deleted = deleted_objects(self._base, self._files, self._objects)
        return Workspace(self._objects, tree=self._tree, release=self._release, deleted=deleted)

    def _call(self, view: str, subject: object, entry: Entry, kind: str = "") -> None:
        words = words_of(entry.value)
        outcomes = self._runner.run(view, subject, at=Spot(entry, ()), kind=kind or entry.kind, words=words)
        self._linter.take(outcomes, entry, self)

    def _run_workspace(self) -> None:
        for rule in self._runner.rules:
            at = self._first_of(rule.kinds) if rule.view == "workspace" else None
            if at is not None:
                self._linter.take(self._runner.call(rule, self._workspace, at=at), None, self)

    def _first_of(self, kinds: tuple[str, ...]) -> Spot | None:
        """The place of the first object of the kinds, or of one that is gone; None when a rule has nothing to see."""
        seen = [*self._objects] if "*" in kinds else self._objects.of(*kinds)
        if seen:
            return Spot(seen[0], ())
        return self._workspace.deleted[0].at() if self._base is not None and self._workspace.deleted else None

    def _run_changes(self, changes: Iterable[tuple[Entry, JsonObject]]) -> None:
        for entry, old in changes:
            from trainergen.rules.views.change import Change

            change = Change(entry, old, workspace=self._workspace, release=self._release, render=self._render)
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

    def _run_folders(self) -> None:
        for file in self._files:
            name = posixpath.basename(file.path)
            if name in NAMES:
                for entry in self._entries(file, self._tree):
                    self._run_kustomization(entry, file)
            elif name == CHART:
                for entry in self._entries(file, self._tree)[:1]:
                    self._run_chart(entry, file)

    def _run_kustomization(self, entry: Entry, file: SourceFile) -> None:
        from trainergen.rules.views.kustomization import Kustomization

        base = None
        if self._base_tree is not None:
            for old in self._entries(file, self._base_tree):
                base = Kustomization(old, tree=self._base_tree, release=self._release, objects=self._objects)
        view = Kustomization(entry, tree=self._tree, release=self._release, objects=self._objects, base=base)
        self._call("kustomization", view, entry, "Kustomization")

    def _run_chart(self, entry: Entry, file: SourceFile) -> None:
        from trainergen.rules.views.chart import Chart

        base = None
        if self._base_tree is not None:
            for old in self._entries(file, self._base_tree)[:1]:
                base = Chart(old, tree=self._base_tree, release=self._release, objects=self._objects)
        view = Chart(entry, tree=self._tree, release=self._release, objects=self._objects, base=base)
        self._call("chart", view, entry, "Chart")

    def _entries(self, file: SourceFile, tree: Tree) -> list[Entry]:
        from trainergen.source.reader import read_documents

        location = file.location or file.path
        on_disk = tree is self._tree
        data = file.data if file.data is not None else tree.read(location)
        documents = read_documents(data, file=file.path).documents if data is not None else []
        return [Entry(one, location=location, data=file.data if on_disk else data) for one in documents]

    def _run_deliveries(self) -> None:
        argo = self._runner.kinds("argo-application")
        flux = self._runner.kinds("flux-object")
        for entry in self._objects:
            if entry.kind in argo and entry.group == ARGO_GROUP:
                self._run_argo(entry)
            elif entry.kind in flux and entry.group.endswith(FLUX_GROUP):
                self._run_flux(entry)

    def _run_argo(self, entry: Entry) -> None:
        from trainergen.rules.views.argo import ArgoApplication

        view = ArgoApplication(entry, tree=self._tree, release=self._release, objects=self._objects)
        self._call("argo-application", view, entry)

    def _run_flux(self, entry: Entry) -> None:
        from trainergen.rules.views.flux import FluxObject

        view = FluxObject(entry, tree=self._tree, release=self._release, objects=self._objects)
        self._call("flux-object", view, entry)
