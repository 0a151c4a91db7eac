"""A file of an upgrade with what is planned for it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from trainergen.fix import apply_edits
from trainergen.source.kustomizations import is_listed_as_patch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from trainergen.engine.upgrade_fragments import Fragment
    from trainergen.finding import Finding
    from trainergen.source.files import SourceFile
    from trainergen.upgrade import UpgradePlan


@dataclass(slots=True)
class PlannedFile:
    """A file with its plans; ``held`` says why its edits are left out."""

    source: SourceFile
    data: bytes
    plans: list[UpgradePlan] = field(default_factory=list)
    fragments: list[Fragment] = field(default_factory=list)
    held: str = ""
    after: tuple[str, ...] = ()
    """The files with TrainJobs that take over from a runtime in this one, and so are written before it."""

    @property
    def name(self) -> str:
        """The file as shown."""
        return self.source.path

    @property
    def real_path(self) -> str:
        """Where it really lies."""
        return os.path.realpath(self.source.location or self.source.path)

    @property
    def _parts(self) -> list[UpgradePlan | Fragment]:
        return [*self.plans, *self.fragments]

    @property
    def new(self) -> bytes:
        """The bytes after the edits."""
        if self.held:
            return self.data
        return apply_edits(self.data, [edit for one in self._parts for edit in one.edits])

    @property
    def changed(self) -> bool:
        """Whether any object in it becomes another one."""
        return any(one.edits for one in self._parts)

    @property
    def losses(self) -> list[Finding]:
        """What is not carried over."""
        return [loss for one in self._parts for loss in one.losses]

    @property
    def is_patch(self) -> bool:
        """Whether a kustomization lists the file as a patch."""
        return bool(self.source.location) and is_listed_as_patch(self.source.location)


def rewritten(source: SourceFile, files: Mapping[str, PlannedFile]) -> SourceFile:
    """A file as it will be."""
    file = files.get(source.path)
    return source if file is None or not file.changed or file.held else replace(source, data=file.new)


def hold_patches(files: Iterable[PlannedFile]) -> None:
    """Hold the patches of what is held back: they would not suit it any more."""
    held = {one.real_path: one.name for one in files if one.held}
    for file in files:
        bases = [held[base] for part in file.fragments if part.edits for base in part.bases if base in held]
        if bases and not file.held:
            file.held = f"it patches {bases[0]}, which is held back"
