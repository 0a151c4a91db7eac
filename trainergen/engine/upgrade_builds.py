"""The proof of an upgrade over builds: what kustomizations and charts give before and after, rendered and compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.built.builder import build_all, made_file
from trainergen.built.checks import BUILD_FAILED
from trainergen.built.sources import Sources
from trainergen.built.targets import find_targets
from trainergen.diff.report import NotCompared
from trainergen.engine.planned_file import PlannedFile
from trainergen.engine.upgrade_proof import Proof
from trainergen.finding import ObjectRef
from trainergen.upgrade.checks import PODS_WOULD_CHANGE

if TYPE_CHECKING:
    from trainergen.built.build import Build, Target
    from trainergen.finding import Finding
    from trainergen.releases import Release
    from trainergen.source.files import SourceFile
    from trainergen.upgrade.report import Proved


@dataclass(slots=True)
class BuiltFile(PlannedFile):
    """The objects of a build in place of a file; ``built`` are those of the build of the edited files."""

    folder: str = ""
    built: bytes = b""

    @property
    def name(self) -> str:
        """What it is called."""
        return f"the files that {self.folder} is built from"

    @property
    def new(self) -> bytes:
        """The objects after the edits."""
        return self.data if self.held else self.built

    @property
    def changed(self) -> bool:
        """Whether the edits make another build."""
        return self.data != self.built


@dataclass(slots=True)
class BuildProof:
    """Builds before and after; ``files`` whose edits would change Pods, or break a build, are held back.

    ``inputs`` are the real paths of what was built: TrainJobs in them are compared here, as they are built.
    """

    sources: list[SourceFile]
    files: Iterable[PlannedFile]
    releases: tuple[Release, Release]
    values: tuple[str, ...] = ()
    texts: Mapping[str, bytes] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    proofs: list[Proved] = field(default_factory=list)
    unproved: list[NotCompared] = field(default_factory=list)
    unchanged: int = 0
    inputs: frozenset[Path] = frozenset()

    def run(self) -> bool:
        """Prove; True when files had to be held back."""
        targets = find_targets(self.sources)
        before = build_all(targets, values=self.values, texts=self.texts)
        self.inputs = frozenset(path for build in before if build.objects is not None for path in build.inputs)
        self.unproved = _unbuilt(before)
        held = False
        while self._compare(before, self._built(targets)):
            held = True
        return held

    def _built(self, targets: list[Target]) -> list[Build]:
        edited = {file.real_path: file.new for file in self.files if file.changed and not file.held}
        return build_all(targets, values=self.values, texts={**self.texts, **edited})

    def _compare(self, before: list[Build], after: list[Build]) -> bool:
        """Compare once; True when files had to be held back."""
        broken = [
            self._hold(old, _failure(new))
            for old, new in zip(before, after, strict=True)
            if old.objects is not None and (new.objects is None or _names(old) != _names(new))
        ]
        if any(broken):
            return True
        made = {build.target.made: build for build in before if build.objects is not None}
        built = {one.target.made: made_file(one).read_bytes() for one in after if one.objects is not None}
        files = {
            name: BuiltFile(made_file(one), made_file(one).read_bytes(), folder=one.target.folder, built=built[name])
            for name, one in made.items()
            if name in built
        }
        proof = _Compared([file.source for file in files.values()], files, releases=self.releases)
        proof.run()
        held = [self._hold(made[name], "", told=True) for name, file in files.items() if file.held]
        at_sources = Sources(made.values(), release=self.releases[0], texts=self.texts)
        self.findings += at_sources.findings(one for one in proof.findings if one.rule == PODS_WOULD_CHANGE.id)
        if any(held):
            return True
        self.findings += at_sources.findings(one for one in proof.findings if one.rule != PODS_WOULD_CHANGE.id)
        self._take(proof, made)
        return False

    def _take(self, proof: Proof, made: Mapping[str, Build]) -> None:
        for one in proof.proofs:
            self.proofs.append(replace(one, changes=replace(one.changes, file=made[one.changes.file].target.file.path)))
        for item in proof.unproved:
            self.unproved.append(replace(item, file=made[item.file].target.file.path))
        self.unchanged = proof.unchanged

    def _hold(self, build: Build, failure: str, *, told: bool = False) -> bool:
        """Hold what a build reads; True when there was something to hold."""
        held = [file for file in self.files if file.changed and not file.held and Path(file.real_path) in build.inputs]
        for file in held:
            file.held = f"it would change what {build.target.folder} gives"
        if held and not told:
            names = ", ".join(file.name for file in held)
            finding = PODS_WOULD_CHANGE.at(
                (),
                f"after the edits of {names} the build fails, so that they are left as they are: {failure}",
                help="Upgrade them by hand, and compare with trainergen diff --build.",
            )
            self.findings.append(build.target.document.place(finding))
        return bool(held)


class _Compared(Proof):
    """The proof on built objects."""

    def __init__(
        self, sources: list[SourceFile], files: dict[str, BuiltFile], *, releases: tuple[Release, Release]
    ) -> None:
        super().__init__(sources, {**files}, old=releases[0], new=releases[1], runtimes=())


def _names(build: Build) -> list[tuple[str, str]]:
    objects = build.objects or []
    return [(str(one.get("kind")), str(one.get("metadata"))) for one in objects if one.get("kind") == "TrainJob"]


def _failure(build: Build) -> str:
    said = [one.message for one in build.findings if one.rule == BUILD_FAILED.id]
    said += [one.reason for one in build.not_evaluated]
    return said[0] if said else "it gives other TrainJobs"


def _unbuilt(builds: Iterable[Build]) -> list[NotCompared]:
    """What could not be built, and so is not proved."""
    found = []
    for build in builds:
        kind = "chart" if build.target.is_chart else "kustomization"
        ref = ObjectRef("", kind, "", build.target.folder)
        said = [(one.message, one.help) for one in build.findings if one.rule == BUILD_FAILED.id]
        said += [(one.reason, "") for one in build.not_evaluated]
        found += [NotCompared(ref, build.target.file.path, text, remedy) for text, remedy in dict.fromkeys(said)]
    return found


__all__ = ["BuildProof", "BuiltFile"]
