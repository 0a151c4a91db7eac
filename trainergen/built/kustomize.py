"""Building a kustomization: a copy of what it reads, without what would be fetched, and with origins asked for."""

from __future__ import annotations

import json
import os
import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, NamedTuple

from trainergen.built.build import Build, Origin, Target
from trainergen.built.complaints import failure_in
from trainergen.built.references import DROPPED, FOLDERS, Reference, references
from trainergen.built.tools import HELM_MISSING, KUSTOMIZE_MISSING, find_helm_program, find_kustomize
from trainergen.source.kustomizations import NAMES
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.built.runs import Runs
    from trainergen.built.sandbox import Sandbox
    from trainergen.finding import JsonObject, Path
    from trainergen.source import Document

ANNOTATION = "config.kubernetes.io/origin"
_WANTED = "originAnnotations"
_NEEDS_A_FLAG = re.compile(r"plugins disabled|must specify --enable|--enable-alpha-plugins|HelmChartInflation")
_INFLATOR = b"HelmChartInflationGenerator"
_ORIGIN = re.compile(r"^(path|configuredIn): (.+)$", re.MULTILINE)
_PLUGIN_LISTS = ("generators", "transformers", "validators")


class _Place(NamedTuple):
    document: Document
    at: Path
    exists: bool


@dataclass(slots=True)
class _Copy:
    """Copies a kustomization and all that it names."""

    build: Build
    sandbox: Sandbox
    seen: set[FilePath] = field(default_factory=set)
    named: dict[tuple[FilePath, str], _Place] = field(default_factory=dict)
    """Where a name is written, by the copy of the kustomization's folder."""
    impossible: bool = False
    """Whether something would be fetched without which the rest would be another."""
    uses_helm: bool = False

    def add(self, folder: FilePath, *, shown: str, top: bool = False) -> None:
        """Copy the kustomization of a folder."""
        folder = self.sandbox.take(folder)
        if folder in self.seen:
            return
        self.seen.add(folder)
        for name in NAMES:
            path = self.sandbox.take(folder / name)
            data = self.sandbox.files.get(path)
            if data is None:
                continue
            result = read_documents(data, file=_joined(shown, name))
            if len(result.documents) == 1 and not result.findings and result.documents[0].object:
                self._copy(result.documents[0], path, shown=shown, top=top)

    def _copy(self, document: Document, path: FilePath, *, shown: str, top: bool) -> None:
        """Copy what a kustomization names, and the kustomization itself as it is to be built."""
        dropped = self._fetched(document, path.parent) + self._charts(document, path.parent)
        kept = _without(document.object, dropped)
        for reference in references(kept):
            self._take(reference, document, path.parent, shown=shown)
        asked = kept.get("buildMetadata")
        if top:
            given = asked if isinstance(asked, list) else []
            kept = {**kept, "buildMetadata": [*given, *([_WANTED] if _WANTED not in given else [])]}
        if kept != document.object:
            self.sandbox.write(path, json.dumps(kept).encode())

    def _fetched(self, document: Document, folder: FilePath) -> list[Path]:
        """The items that are left out since they would be fetched."""
        dropped: list[Path] = []
        for reference in references(document.object):
            if not reference.is_remote or (folder / reference.text).exists():
                continue
            if reference.field in DROPPED:
                reason = f"'{reference.text}' would be fetched, which a build here never does: its objects are missing"
                dropped.append(reference.at)
            else:
                reason = (
                    f"'{reference.text}' would be fetched, which a build here never does, and the rest depends on it"
                )
                self.impossible = True
            self.build.leave(reason, document=document, at=reference.at)
        return dropped

    def _charts(self, document: Document, folder: FilePath) -> list[Path]:
        """The charts that are left out; those that lie in the repository are copied."""
        value = document.object
        settings = value.get("helmGlobals")
        home = settings.get("chartHome") if isinstance(settings, dict) else None
        place = folder / (home if isinstance(home, str) else "charts")
        listed = value.get("helmCharts")
        dropped: list[Path] = []
        for index, one in enumerate(listed if isinstance(listed, list) else ()):
            name = one.get("name") if isinstance(one, dict) else None
            chart = place / str(name)
            if not (chart / "Chart.yaml").is_file():
                reason = f"the chart '{name}' would be fetched, which a build here never does: its objects are missing"
            elif find_helm_program() is None:
                reason = f"the chart '{name}' cannot be rendered: {HELM_MISSING}"
            else:
                self.uses_helm = True
                self.sandbox.take_folder(chart)
                continue
            self.build.leave(reason, document=document, at=("helmCharts", index))
            dropped.append(("helmCharts", index))
        return dropped

    def _take(self, reference: Reference, document: Document, folder: FilePath, *, shown: str) -> None:
        if not reference.can_be_name:
            return
        name, path = reference.name, folder / reference.name
        if reference.names_file:
            self.named[self.sandbox.place(folder), name] = _Place(document, reference.at, path.exists())
        if path.is_dir():
            if reference.field in FOLDERS:
                self.add(path, shown=_joined(shown, name))
        elif self.sandbox.has_file(path):
            taken = self.sandbox.take(path)
            if reference.field in _PLUGIN_LISTS:
                self._take_plugin(taken, reference, document)

    def _take_plugin(self, path: FilePath, reference: Reference, document: Document) -> None:
        """Copy what the configuration of a generator or transformer names."""
        data = self.sandbox.files.get(path, b"")
        if _INFLATOR in data:
            reason = f"'{reference.text}' is a chart by a generator, which is not built here"
            self.build.leave(reason, document=document, at=reference.at)
            self.impossible = True
        for one in read_documents(data, file="").documents:
            for inner in references(one.object):
                if inner.can_be_name and (path.parent / inner.name).is_file():
                    self.sandbox.take(path.parent / inner.name)


def build_kustomization(target: Target, sandbox: Sandbox, runs: Runs) -> Build:
    """Build a kustomization in a sandbox."""
    build = Build(target)
    tool = find_kustomize()
    if tool is None:
        build.leave(f"it is not built: {KUSTOMIZE_MISSING}")
        return build
    copy = _Copy(build, sandbox)
    copy.add(target.root, shown=target.folder, top=True)
    build.inputs = frozenset(sandbox.files)
    if copy.impossible:
        return build
    command = [*tool.command, str(sandbox.place(target.root))]
    if copy.uses_helm:
        command += ["--enable-helm", "--helm-command", str(find_helm_program())]
    ran = runs.run(command, sandbox)
    if ran.broken or ran.code in (126, 127):
        build.leave(f"it is not built: {tool.name} {ran.broken or 'cannot be run without its environment'}")
    elif ran.code != 0:
        _explain(build, copy, ran.err.strip() or f"it ends with {ran.code}")
    else:
        _keep(build, ran.out)
    return build


def _keep(build: Build, out: bytes) -> None:
    """Take the objects apart from what kustomize says of them."""
    result = read_documents(out, file=build.target.made)
    if result.failures or not all(isinstance(one.value, dict) for one in result.documents):
        why = result.failures[0].finding.message if result.failures else "there is something else than mappings"
        build.fail(f"what kustomize gives is no list of objects: {why}", "Run 'kustomize build' to see it.")
        return
    build.objects = []
    for document in result.documents:
        value, origin = _taken_apart(document.object)
        build.objects.append(value)
        build.origins.append(origin)


def _taken_apart(value: JsonObject) -> tuple[JsonObject, Origin]:
    metadata = value.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    if not isinstance(metadata, dict) or not isinstance(annotations, dict):
        return value, Origin()
    text = annotations.get(ANNOTATION)
    others = {key: one for key, one in annotations.items() if key != ANNOTATION}
    rest: JsonObject = {**metadata, "annotations": others} if others else dict(metadata)
    if not others:
        del rest["annotations"]
    found = dict(_ORIGIN.findall(text)) if isinstance(text, str) else {}
    origin = Origin(found.get("path") or found.get("configuredIn", ""), generated="path" not in found)
    return {**value, "metadata": rest}, origin


def _explain(build: Build, copy: _Copy, text: str) -> None:
    """Report a failure where it comes from."""
    failure = failure_in(text)
    message = failure_in(copy.sandbox.without_places(text)).message
    if build.not_evaluated:
        build.leave(f"it cannot be built without what is missing: {message}")
        return
    if _NEEDS_A_FLAG.search(text):
        build.leave(f"it is built with programs of its own, which never run here: {message}")
        return
    for (folder, name), missing in copy.named.items():
        if not missing.exists and os.path.normpath(folder / name) in text:
            message = f"there is no file or folder '{name}', so '{build.target.folder}' cannot be built"
            build.fail(message, "Mend the path, or remove the entry.", document=missing.document, at=missing.at)
            return
    place = copy.named.get((FilePath(failure.folder or copy.sandbox.place(build.target.root)), failure.name))
    if place is None:
        build.fail(f"kustomize cannot build it: {message}", "Run 'kustomize build' on the folder to see all of it.")
    else:
        remedy = f"Mend '{failure.name}'; 'kustomize build' shows all of the message."
        build.fail(f"kustomize cannot use '{failure.name}': {message}", remedy, document=place.document, at=place.at)


def _without(value: JsonObject, dropped: list[Path]) -> JsonObject:
    """The kustomization without some items of its lists."""
    gone: dict[object, set[object]] = {}
    for at in dropped:
        gone.setdefault(at[0], set()).add(at[1])
    return {
        key: [item for index, item in enumerate(one) if index not in gone[key]]
        if key in gone and isinstance(one, list)
        else one
        for key, one in value.items()
    }


def _joined(folder: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(folder, name))
