"""From the kustomizations of a tree to the files that have to change when their legacy jobs are migrated."""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from trainergen.finding import Severity
from trainergen.migrate import catalogue as c
from trainergen.migrate.overlays.carrying import Carrying, identity_of
from trainergen.migrate.overlays.changes import Outcomes
from trainergen.migrate.overlays.configuring import Configuring
from trainergen.migrate.overlays.editing import with_documents, with_lists
from trainergen.migrate.overlays.leveling import LevelPlan, plan_level
from trainergen.migrate.overlays.refusing import obstacles
from trainergen.migrate.target import target_of
from trainergen.migrate.writing import yaml_text
from trainergen.rules.tree import join

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from trainergen.finding import Finding, JsonObject
    from trainergen.migrate.overlays.carrying import Identity, Level
    from trainergen.migrate.result import Migration
    from trainergen.migrate.target import Target
    from trainergen.releases import Release
    from trainergen.rules.tree import Tree

_NOTE: Final = "# What was here is part of the kustomizations that list this file.\n"


@dataclass(slots=True)
class Rewritten:
    """A file as it has to be; ``old`` is None for one that there is not yet."""

    name: str
    old: bytes | None
    new: bytes
    jobs: set[Identity]
    """The jobs that it has to do with."""
    findings: list[Finding] = field(default_factory=list)


@dataclass(slots=True)
class Rewriting:
    """The files that change along with the jobs, what is said about them, and the jobs that had better stay."""

    files: dict[str, Rewritten] = field(default_factory=dict)
    held: dict[Identity, Finding] = field(default_factory=dict)
    """Jobs of which a patch cannot be written anew, each with the reason."""
    findings: list[Finding] = field(default_factory=list)
    """What is said about kustomizations that stay as they are."""
    folders: set[str] = field(default_factory=set)
    """The real paths of the kustomizations that jobs pass through."""


def rewrite(
    folders: Iterable[str],
    *,
    tree: Tree,
    release: Release,
    migrate: Callable[[JsonObject], Migration],
    wanted: Callable[[Identity], bool],
    accepted: frozenset[str],
) -> Rewriting:
    """Write anew what the kustomizations in ``folders`` do to the jobs that are ``wanted``."""
    carrying = Carrying(tree, release, lambda entry: wanted(identity_of(entry)))
    levels = carrying.levels(folders)
    work = _Rewriting(tree, Outcomes(migrate, accepted), target_of(release.name))
    work.all(levels)
    return work.out


class _Rewriting:
    def __init__(self, tree: Tree, outcomes: Outcomes, target: Target) -> None:
        self._tree = tree
        self._target = target
        self._outcomes = outcomes
        self.out = Rewriting()

    def all(self, levels: list[Level]) -> None:
        plans = [plan_level(level, self._outcomes) for level in levels]
        self._settle_files(plans)
        configuring = Configuring(self._tree, self._target)
        for plan in plans:
            for finding in obstacles(plan.level.kustomization) if plan.level.passages else ():
                plan.hold(finding)
            configuring.configure(plan)
            self._objects(plan)
        for name, text, said in configuring.files:
            for plan, finding in said:
                if finding.severity is Severity.ERROR:
                    plan.hold(finding)
                else:
                    plan.findings.append(finding)
            self._put(name, text, [plan for plan, _ in said])
        for plan in plans:
            if plan.level.passages:
                self.out.folders.add(os.path.realpath(plan.level.kustomization.folder or "."))
            self._write(plan)
            for identity, finding in plan.held.items():
                self.out.held.setdefault(identity, finding)

    def _settle_files(self, plans: list[LevelPlan]) -> None:
        """Write patches that lie in files of their own, those that all who use them want the same, else within."""
        uses: dict[str, list[tuple[LevelPlan, int]]] = {}
        for plan in plans:
            for at, use in enumerate(plan.in_files):
                uses.setdefault(os.path.realpath(use.file), []).append((plan, at))
        for found in uses.values():
            first = found[0][0].in_files[found[0][1]]
            data = self._tree.read(first.file) or b""
            same = all(plan.in_files[at].documents == first.documents for plan, at in found)
            text = with_documents(data, first.file, first.documents) if same and first.documents else None
            users = [plan for plan, _ in found]
            if text is not None and any(first.documents.values()):
                self._put(first.file, text, users)
                continue
            self._put(first.file, _NOTE.encode(), users)
            for plan, at in found:
                plan.put_within(plan.in_files[at])

    def _objects(self, plan: LevelPlan) -> None:
        """Files for the runtimes that a job needs from here on."""
        for obj in plan.added:
            metadata = obj.get("metadata")
            assert isinstance(metadata, dict)
            folder = plan.level.kustomization.folder
            name = next(
                each
                for each in (f"{metadata['name']}{more}.yaml" for more in ("", "-migrated", "-migrated-2"))
                if self._tree.read(join(folder, each)) is None
            )
            self._put(join(folder, name), yaml_text(obj).encode(), [plan])
            plan.append("resources", name)

    def _write(self, plan: LevelPlan) -> None:
        kustomization = plan.level.kustomization
        document = kustomization.entry.document
        if plan.lists:
            made = with_lists(document, plan.lists)
            if made is None:
                finding = c.OVERLAY.at((), "it cannot be edited in place", help="Write its lists in block style.")
                plan.hold(document.place(_error(finding)))
            else:
                self._put(document.file, made, [plan], plan.findings)
                return
        self.out.findings += plan.findings

    def _put(self, name: str, new: bytes, plans: list[LevelPlan], findings: list[Finding] | None = None) -> None:
        name = posixpath.normpath(name)
        jobs = {passage.job.identity for plan in plans for passage in plan.level.passages}
        known = self.out.files.get(name)
        self.out.files[name] = Rewritten(
            name, self._tree.read(name), new, jobs | (known.jobs if known else set()), findings or []
        )


def _error(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.ERROR)
