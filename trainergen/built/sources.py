"""From findings about what a build gives to the files that it is made of."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from trainergen.built.alignment import aligned, path_in, reach, value_at
from trainergen.built.changes import change_place
from trainergen.built.templates import template_spot
from trainergen.finding import Finding
from trainergen.rules.objects import Objects
from trainergen.rules.tree import DiskTree, TextFile
from trainergen.rules.views.kustomization import read_folder
from trainergen.source.identity import TRAINER_GROUP
from trainergen.source.lists import members
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.built.build import Build
    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.report import LocatedNotEvaluated
    from trainergen.rules import Kustomization
    from trainergen.source import Document

_GENERATORS = {"ConfigMap": ("configMapGenerator",), "Secret": ("secretGenerator",)}
_MOST_NAMED = 3


class _Placed(NamedTuple):
    finding: Finding
    build: Build | None
    """The build that has to be named, since the file alone does not show what is meant."""


class Sources:
    """Places what is said about built objects; ``texts`` as everywhere."""

    def __init__(self, builds: Iterable[Build], *, release: Release, texts: Mapping[str, bytes] | None = None) -> None:
        self._builds = {build.target.made: build for build in builds if build.objects is not None}
        self._release = release
        self._tree = DiskTree(texts)
        self._written: dict[str, list[Document]] = {}
        self._kustomizations: dict[str, Kustomization | None] = {}
        self._names = re.compile("|".join(rf"{re.escape(made)}(?::\d+)*" for made in self._builds) or r"\Z.")

    def findings(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings, those about built objects at what they are made of.

        What is found at one place in several builds is said once, and so is what a template repeats.
        """
        grouped: dict[tuple[Finding, bool], list[Build]] = {}
        for finding in findings:
            placed = self._placed(finding)
            builds = grouped.setdefault((placed.finding, placed.build is not None), [])
            if placed.build is not None and placed.build not in builds:
                builds.append(placed.build)
        said: set[Finding] = set()
        for (finding, named), builds in grouped.items():
            whole = replace(finding, message=finding.message + _after(builds)) if named else finding
            bare = replace(whole, object=None, at=()) if builds and builds[0].target.is_chart else whole
            if bare not in said:
                said.add(bare)
                yield whole

    def undecided(self, items: Iterable[LocatedNotEvaluated]) -> Iterator[LocatedNotEvaluated]:
        """The same for what could not be decided."""
        seen = set()
        for item in items:
            placed = self._place_undecided(item)
            if placed not in seen:
                seen.add(placed)
                yield placed

    def files_of(self, made: str) -> list[str]:
        """The files that the Trainer's objects of a build come from, itself for what is no build."""
        build = self._builds.get(made)
        if build is None:
            return [made]
        values = enumerate(build.objects or ())
        ours = [number for number, value in values if str(value.get("apiVersion")).partition("/")[0] == TRAINER_GROUP]
        return list(dict.fromkeys(_shown(build, number) for number in ours))

    def _placed(self, finding: Finding) -> _Placed:
        build = self._builds.get(finding.file)
        finding = replace(finding, message=self._spoken(finding.message), help=self._spoken(finding.help))
        if build is None or build.objects is None:
            return _Placed(finding, None)
        finding = replace(finding, fix="none", remedy=None)
        if finding.document >= len(build.objects):
            return _Placed(build.target.document.place(replace(finding, at=())), build)
        place = self._in_template if build.target.is_chart else self._in_kustomization
        return place(build, finding)

    def _in_kustomization(self, build: Build, finding: Finding) -> _Placed:
        assert build.objects is not None
        value, origin = build.objects[finding.document], build.origins[finding.document]
        if origin.generated or not origin.file:
            return _Placed(self._at_generator(build, finding), build)
        document = self._document(_shown(build, finding.document), value)
        if document is None:
            return _Placed(build.target.document.place(replace(finding, at=())), build)
        at = finding.at
        there, reached = aligned(value, document.value, at), reach(value, at)
        ends_there = reached < len(at) or value_at(value, at) == value_at(document.value, there.path)
        if there.same and len(there.path) == reached and ends_there:
            same = _is_unchanged(value, document.object)
            return _Placed(document.place(replace(finding, object=None)), None if same else build)
        changed = None
        kustomization = self._kustomization(build.target.folder)
        if kustomization is not None:
            changed = change_place(kustomization, finding, value=value, document=document)
        return _Placed(changed or document.place(replace(finding, at=there.path)), build)

    def _at_generator(self, build: Build, finding: Finding) -> Finding:
        """The finding at the generator of an object, by its kind and the start of its name."""
        assert build.objects is not None
        value, origin = build.objects[finding.document], build.origins[finding.document]
        folder = posixpath.dirname(posixpath.join(build.target.folder, origin.file))
        kustomization = self._kustomization(posixpath.normpath(folder))
        if kustomization is None:
            return build.target.document.place(replace(finding, at=()))
        name = str(value_at(value, ("metadata", "name")))
        for key in _GENERATORS.get(str(value.get("kind")), ("helmCharts",)):
            for part in kustomization.parts(key):
                if part.text("name") and (part.text("name") in name or key == "helmCharts"):
                    return kustomization.entry.document.place(replace(finding, at=part.path, on_key=False))
        return kustomization.entry.document.place(replace(finding, at=()))

    def _in_template(self, build: Build, finding: Finding) -> _Placed:
        assert build.objects is not None
        value, name = build.objects[finding.document], _shown(build, finding.document)
        data = self._tree.read(name)
        if data is None:
            return _Placed(build.target.document.place(replace(finding, at=())), build)
        alike = [
            number
            for number, other in enumerate(build.objects)
            if build.origins[number] == build.origins[finding.document] and other.get("kind") == value.get("kind")
        ]
        number = alike.index(finding.document)
        spot = template_spot(TextFile(name, data), value, finding.at, number=number, of=len(alike))
        return _Placed(spot.where.document.place(replace(finding, document=0)), build)

    def _document(self, name: str, value: JsonObject) -> Document | None:
        """The document of a file that an object was before the build: of its kind, and named like it."""
        if name not in self._written:
            data = self._tree.read(name)
            found = read_documents(data, file=name).documents if data is not None else []
            self._written[name] = [member for one in found for member in members(one)[0]]
        kind, version = value.get("kind"), str(value.get("apiVersion"))
        alike = [one for one in self._written[name] if one.kind == kind and one.api_version == version]
        built = str(value_at(value, ("metadata", "name")))
        namespace = value_at(value, ("metadata", "namespace"))
        named = [one for one in alike if one.name and one.name in built]
        # NB: prefixes and suffixes make names longer; the longest that fits is the nearest.
        named.sort(key=lambda one: (one.name == built, len(one.name), one.namespace == namespace), reverse=True)
        return next(iter(named), alike[0] if len(alike) == 1 else None)

    def _kustomization(self, folder: str) -> Kustomization | None:
        if folder not in self._kustomizations:
            self._kustomizations[folder] = read_folder(
                folder, tree=self._tree, release=self._release, objects=Objects()
            )
        return self._kustomizations[folder]

    def _place_undecided(self, item: LocatedNotEvaluated) -> LocatedNotEvaluated:
        build = self._builds.get(item.file)
        if build is None or build.objects is None or item.document >= len(build.objects):
            return item._replace(reason=self._spoken(item.reason))
        at = path_in(build.objects[item.document], item.path)
        probe = Finding(item.check, "", "error", item.layer, "", at=at, file=item.file)  # type: ignore[arg-type]
        placed, named = self._placed(replace(probe, document=item.document, object=item.object))
        return item._replace(
            reason=self._spoken(item.reason) + _after([named] if named is not None else []),
            file=placed.file,
            line=placed.line,
            column=placed.column,
            document=placed.document,
            object=placed.object,
        )

    def _spoken(self, text: str) -> str:
        """A text that names builds by their folders."""
        return self._names.sub(lambda match: f"the build of {posixpath.dirname(match[0]) or '.'}", text)


def _is_unchanged(value: JsonObject, before: JsonObject) -> bool:
    """Whether a build leaves an object as it is, but for namespace, labels and annotations."""
    name = ("metadata", "name")
    keys = (value.keys() | before.keys()) - {"metadata"}
    return value_at(value, name) == value_at(before, name) and all(value.get(key) == before.get(key) for key in keys)


def _shown(build: Build, number: int) -> str:
    """The file that an object comes from, as shown."""
    name = build.origins[number].file
    return posixpath.normpath(posixpath.join(build.target.folder, name)) if name else build.target.file.path


def _after(builds: list[Build]) -> str:
    """The words that name the builds in which something is so."""
    if not builds:
        return ""
    names = [build.target.folder for build in builds[:_MOST_NAMED]]
    more = len(builds) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    if builds[0].target.is_chart:
        return f", as the chart in {listed} is rendered"
    return f", after the build of {listed}"
