"""The pair view: an object of the files that ``--base`` has in another form."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trainergen.rules.lazily import lazily
from trainergen.rules.part import DocumentRoot, ElsewhereRoot, Part

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.rules.found import Spot
    from trainergen.rules.objects import Entry
    from trainergen.rules.views.job import Job
    from trainergen.rules.views.workspace import Workspace

Rendering = Callable[["Entry", "JsonObject"], "Job | None"]


class Change:
    """An object before and after. Rules are called only where the two differ, with all objects of the run at hand."""

    def __init__(
        self, entry: Entry, old: JsonObject, *, workspace: Workspace, release: Release, render: Rendering
    ) -> None:
        self.entry = entry
        self.workspace = workspace
        self.release = release
        self.new = Part(entry.value, DocumentRoot(entry))
        """The object as written now."""
        self.old = Part(old, ElsewhereRoot(self.new.at("metadata.name")))
        """The object as it was written; reports on it go to the name of the new one."""
        self._render = render

    @property
    def kind(self) -> str:
        """``kind``."""
        return self.entry.kind

    @lazily
    def new_job(self) -> Job | None:
        """A TrainJob as it is now, rendered; None for other kinds, and where it cannot be."""
        return self._render(self.entry, self.entry.value)

    @lazily
    def old_job(self) -> Job | None:
        """A TrainJob as it was, rendered with the runtimes of now."""
        old = self.old.value
        return self._render(self.entry, old) if isinstance(old, dict) else None

    def changed(self, dotted: str, *steps: str | int) -> bool:
        """Whether a value is another, or there in one version only."""
        return self.old.get(dotted, *steps) != self.new.get(dotted, *steps)

    def at(self, dotted: str = "", *steps: str | int) -> Spot:
        """The place in the new version."""
        return self.new.at(dotted, *steps)
