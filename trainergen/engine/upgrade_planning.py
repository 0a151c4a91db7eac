"""The plans of an upgrade for all files of a run: objects in manifests, fragments elsewhere, what is left to people."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.built.targets import with_plain_names
from trainergen.engine.planned_file import PlannedFile
from trainergen.engine.run import index
from trainergen.engine.upgrade_fragments import Fragments
from trainergen.source import kustomizations
from trainergen.source.checks import INPUT_CHECKS
from trainergen.source.classify import Category
from trainergen.source.files import SourceFile, UnreadableError
from trainergen.source.load import load
from trainergen.source.reader import read_documents
from trainergen.upgrade import Surroundings, upgrade
from trainergen.upgrade.elsewhere import KINDS, Elsewhere, Known, may_hold_fragments
from trainergen.upgrade.patches import replaced_lists
from trainergen.upgrade.positions import moved_positions
from trainergen.upgrade.work import JOB, RUNTIMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.engine.upgrade_fragments import Fragment
    from trainergen.finding import Finding
    from trainergen.releases import Release
    from trainergen.source.document import Document
    from trainergen.source.load import Loaded
    from trainergen.upgrade import UpgradePlan


class Planning:
    """Plans every file; ``texts`` count in place of files, by real path. ``findings`` are not those of single plans."""

    def __init__(
        self,
        sources: list[SourceFile],
        releases: tuple[Release, Release],
        *,
        manager: str,
        runtimes: tuple[str, ...],
        texts: Mapping[str, bytes],
    ) -> None:
        self._sources = list(with_plain_names(sources))
        self._old, self._new = releases
        self._manager = manager
        self._runtimes = runtimes
        self._texts = texts
        self.files: dict[str, PlannedFile] = {}
        self.findings: list[Finding] = []

    def plan(self) -> None:
        """Fill ``files``, and ``findings`` with what is not edited."""
        read = [one for source in self._sources if (one := self._read(source)) is not None]
        documents = {loaded.file.path: loaded.of(Category.TRAINER) for loaded in read}
        nearest = index(self._sources, self._runtimes).nearest
        jobs = tuple(one for found in documents.values() for one in found if one.kind == JOB)
        around = Surroundings(self._old, nearest, jobs, self._manager)
        fragments = Fragments(self._sources, self._old, self._new, around)
        for loaded in read:
            self._file(loaded.file).plans = [
                upgrade(one, to_release=self._new, around=around) for one in documents[loaded.file.path]
            ]
        for file in self.files.values():
            changed = [plan.document for plan in file.plans if plan.changed and plan.document.kind in RUNTIMES]
            users = [job.file for runtime in changed for job in around.users_of(runtime)]
            file.after = tuple(name for name in dict.fromkeys(users) if name != file.name)
        self._take(fragments.of_kustomizations(self._texts))
        self._take(fragments.of_charts())
        for loaded in read:
            file = self.files[loaded.file.path]
            file.plans += self._patch_plans(file, documents[loaded.file.path], around)
        elsewhere = Elsewhere(self._new, around)
        for loaded in read:
            if len(documents[loaded.file.path]) != loaded.documents or not loaded.documents:
                self._elsewhere(loaded, fragments, elsewhere)
        self.findings += self._moved_positions()

    def _read(self, source: SourceFile) -> Loaded | None:
        try:
            data = source.read_bytes()
        except UnreadableError as error:
            self.findings.append(error.finding)
            return None
        if not may_hold_fragments(data):
            return None
        loaded = load(source)
        self.findings += [one for one in loaded.findings if one.refuses or one.rule in INPUT_CHECKS]
        return loaded

    def _file(self, source: SourceFile) -> PlannedFile:
        if source.path not in self.files:
            self.files[source.path] = PlannedFile(source, source.read_bytes())
        return self.files[source.path]

    def _take(self, fragments: Iterable[Fragment]) -> None:
        sources = {one.path: one for one in self._sources}
        for fragment in fragments:
            self._file(sources[fragment.file]).fragments.append(fragment)

    def _elsewhere(self, loaded: Loaded, fragments: Fragments, elsewhere: Elsewhere) -> None:
        """What a file holds besides manifests: edited where that can be, else reported."""
        file = self.files[loaded.file.path]
        if loaded.skipped[Category.HELM_TEMPLATE] and not loaded.documents:
            found = fragments.of_template(loaded.file, file.data)
            if found is not None:
                file.fragments += found[0]
                self.findings += found[1]
                if found[0] or found[1]:
                    return
        self._take(fragments.of_values(loaded.file, file.data))
        known = Known(
            frozenset(plan.document.index for plan in file.plans)
            | {fragment.index for fragment in file.fragments if not fragment.path},
            frozenset((fragment.index, fragment.path) for fragment in file.fragments if fragment.path),
        )
        self.findings += elsewhere.findings(loaded.file.path, file.data, known)

    def _patch_plans(self, file: PlannedFile, known: list[Document], around: Surroundings) -> Iterator[UpgradePlan]:
        """Strategic-merge patches of kustomizations that are not here, which are edited like what they patch."""
        if known or file.fragments or not file.is_patch:
            return
        for document in read_documents(file.data, file=file.source.path).documents:
            if document.kind not in KINDS or not document.api_version.startswith("trainer.kubeflow.org/"):
                continue
            plan = upgrade(document, to_release=self._new, around=around)
            yield replace(plan, losses=(*plan.losses, *replaced_lists(plan)))

    def _moved_positions(self) -> Iterator[Finding]:
        for source in self._sources:
            name = source.location or source.path
            if posixpath.basename(name) in kustomizations.NAMES:
                beside = self._beside(name)
                for document in read_documents(beside(posixpath.basename(name)), file=source.path).documents:
                    yield from moved_positions(document, beside, self._old, self._new)

    def _beside(self, name: str) -> Callable[[str], bytes]:
        """Reads files by their paths from the folder of one; what cannot be read is empty."""

        def read(path: str) -> bytes:
            location = posixpath.join(posixpath.dirname(name), path)
            if (text := self._texts.get(os.path.realpath(location))) is not None:
                return text
            try:
                return SourceFile(location).read_bytes()
            except UnreadableError:
                return b""

        return read
