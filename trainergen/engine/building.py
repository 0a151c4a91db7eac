"""The part of a run that ``--build`` adds: what is built takes the place of the files that it is built from."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.built.builder import build_all, made_file
from trainergen.built.checks import BUILD_FAILED
from trainergen.built.sources import Sources
from trainergen.built.targets import CHART, broken_targets, find_targets
from trainergen.engine.base import index_objects
from trainergen.engine.checkout import checked_out, relative_name
from trainergen.finding import Finding, Layer, Severity
from trainergen.releases import get_release
from trainergen.report import LocatedNotEvaluated
from trainergen.source.discovery import Discovery
from trainergen.source.kustomizations import NAMES
from trainergen.source.load import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from trainergen.built.build import Build
    from trainergen.engine.base import GitBase, Identity
    from trainergen.engine.options import CheckOptions
    from trainergen.finding import JsonObject
    from trainergen.source import SourceFile
    from trainergen.suppress.written import Written

INPUT = "input of a build"
"""Under which reason files are counted that only a build reads."""


@dataclass(slots=True)
class Builds:
    """The files of a run after its builds, and what is said about building.

    ``files`` are those that are no input of a build, and one for the objects of each build.
    """

    files: list[SourceFile]
    sources: Sources
    findings: list[Finding] = field(default_factory=list)
    not_evaluated: list[LocatedNotEvaluated] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    made: frozenset[str] = frozenset()
    """The names of the files that are no files."""
    inputs: frozenset[Path] = frozenset()
    """The real paths of what was built."""

    def at_sources(
        self, findings: Iterable[Finding], not_evaluated: Iterable[LocatedNotEvaluated]
    ) -> tuple[list[Finding], list[LocatedNotEvaluated]]:
        """What a run found, with what is said about building, all of it where users wrote something."""
        placed = [*self.findings, *self.sources.findings(findings)]
        return placed, [*self.not_evaluated, *self.sources.undecided(not_evaluated)]

    def with_base(self, base: GitBase, options: CheckOptions) -> GitBase:
        """The revision to compare with, built as well."""
        base, undone = built_base(base, options)
        self.not_evaluated += undone
        return base

    def without_made(self, written: dict[str, list[Written]]) -> dict[str, list[Written]]:
        """The suppressions of files: those of built objects count where they are written."""
        return {name: found for name, found in written.items() if name not in self.made}

    def checked(self, names: Iterable[str]) -> list[str]:
        """The names of judged files, with those that built objects come from."""
        return list(dict.fromkeys(one for name in names for one in self.sources.files_of(name)))


def build_for_check(files: Iterable[SourceFile], options: CheckOptions) -> Builds:
    """The builds of a run of ``check``, with what is asked for of what they say."""
    builds = build_files(files, release=options.release, values=options.values, texts=options.texts)
    builds.findings = [
        one for one in builds.findings if one.layer in options.layers and options.wants(one.rule, one.name)
    ]
    if BUILD_FAILED.layer not in options.layers or not options.wants(BUILD_FAILED.id, BUILD_FAILED.name):
        builds.not_evaluated = []
    return builds


def build_files(
    files: Iterable[SourceFile],
    *,
    release: str,
    values: tuple[str, ...] = (),
    texts: Mapping[str, bytes] | None = None,
) -> Builds:
    """Build every kustomization and chart among the files that is no part of another one.

    What such a build reads is no longer judged by itself, since it may be incomplete: of its text only what reading
    finds is reported. Where nothing can be built, as without the tools, it is judged as ever.
    """
    given = _with_broken(list(files))
    builds = build_all(find_targets(given), values=values, texts=texts)
    inputs = frozenset(path for build in builds if _was_tried(build) for path in build.inputs)
    made = [made_file(build) for build in builds if build.objects is not None]
    found = Builds([], Sources(builds, release=get_release(release), texts=texts))
    found.made = frozenset(file.path for file in made)
    found.inputs = inputs
    for file in given:
        if file.explicit or not _is_input(file, inputs):
            found.files.append(file)
        else:
            found.skipped[INPUT] += 1
            found.findings += [one for one in load(file).findings if one.layer is Layer.YAML]
    found.files += made
    for build in builds:
        found.findings += build.findings
        found.not_evaluated += build.not_evaluated
    return found


def built(found: Discovery, *, release: str, values: tuple[str, ...] = ()) -> Discovery:
    """The files to work on after all builds; what could not be built is a warning."""
    builds = build_files(found.files, release=release, values=values)
    warnings = [
        Finding(
            item.check,
            BUILD_FAILED.name,
            Severity.WARNING,
            item.layer,
            item.reason,
            file=item.file,
            line=item.line,
            column=item.column,
        )
        for item in builds.not_evaluated
    ]
    return Discovery(builds.files, [*found.findings, *builds.findings, *warnings], found.skipped + builds.skipped)


def built_base(base: GitBase, options: CheckOptions) -> tuple[GitBase, list[LocatedNotEvaluated]]:
    """The objects of a revision with what is built there, in place of what that is built from.

    Also what could not be built: its objects count as new.
    """
    with checked_out(base.revision, options.paths, whole=True) as checkout:
        found = checkout.discover(options.paths, excludes=options.exclude)
        builds = build_files(found.files, release=options.release, values=options.values)
        replaced = {path.relative_to(checkout.folder).as_posix() for path in builds.inputs}
    objects: dict[Identity, list[tuple[str, JsonObject]]] = {}
    for identity, versions in base.objects.items():
        kept = [version for version in versions if version[0] not in replaced]
        if kept:
            objects[identity] = kept
    for file in builds.files:
        if file.path in builds.made:
            index_objects(objects, relative_name(file.path, base.top), file.read_bytes())
    reason = f"at '{base.revision}' it cannot be built, so that its objects are judged as new"
    failed = {(one.file, one.line, one.column) for one in builds.findings if one.rule == BUILD_FAILED.id}
    layer = BUILD_FAILED.layer
    return replace(base, objects=objects), [
        LocatedNotEvaluated(BUILD_FAILED.id, reason, layer, file, line, column) for file, line, column in sorted(failed)
    ]


def _with_broken(files: list[SourceFile]) -> list[SourceFile]:
    """The files, of which those that cannot even be read for a build are judged whatever they hold."""
    broken = {file.location or file.path: file for file in broken_targets(files)}
    kept = [broken.pop(file.location or file.path, file) for file in files]
    return [*kept, *broken.values()]


def _was_tried(build: Build) -> bool:
    return build.objects is not None or bool(build.findings)


def _is_input(file: SourceFile, inputs: frozenset[Path]) -> bool:
    name = posixpath.basename(file.path)
    return name not in (*NAMES, CHART) and Path(os.path.realpath(file.location or file.path)) in inputs
