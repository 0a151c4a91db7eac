"""The Argo CD view: an Application, or the one that an ApplicationSet makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules.lazily import lazily
from trainergen.rules.part import DocumentRoot, Part
from trainergen.rules.views.delivery import delivered

if TYPE_CHECKING:
    from trainergen.releases import Release
    from trainergen.rules.objects import Entry, Objects
    from trainergen.rules.tree import Tree

_VALUES = ("valueFiles", "values", "valuesObject", "parameters", "fileParameters")


class ArgoApplication(Part):
    """An Application; as a ``Part`` it is the Application, or ``spec.template`` of an ApplicationSet.

    So ``get("spec.syncPolicy")`` is right for both. An AppProject is an object like others: take ``Source`` for it.
    """

    def __init__(self, entry: Entry, *, tree: Tree, release: Release, objects: Objects) -> None:
        whole = Part(entry.value, DocumentRoot(entry))
        inner = whole.part("spec.template") if entry.kind == "ApplicationSet" else whole
        super().__init__(inner.value, inner.root, inner.path)
        self.entry = entry
        self.tree = tree
        self.release = release
        self.objects = objects

    @property
    def is_set(self) -> bool:
        """Whether it is the template of an ApplicationSet, whose texts may hold placeholders."""
        return self.entry.kind == "ApplicationSet"

    @property
    def whole(self) -> Part:
        """The object as written, an ApplicationSet included."""
        return Part(self.entry.value, DocumentRoot(self.entry))

    @property
    def sources(self) -> list[Part]:
        """``spec.source`` or the items of ``spec.sources``."""
        single = self.part("spec.source")
        return [single] if isinstance(single.value, dict) else list(self.parts("spec.sources"))

    @property
    def sync_options(self) -> dict[str, tuple[str, Part]]:
        """The sync options by name, each with its value (``true``) and its item of the list."""
        found = {}
        for index, option in enumerate(self.values("spec.syncPolicy.syncOptions")):
            name, _, value = option.partition("=") if isinstance(option, str) else ("", "", "")
            found[name] = value, self.part("spec.syncPolicy.syncOptions", index)
        return found

    def option_on(self, name: str) -> bool:
        """Whether a sync option is ``true``."""
        return self.sync_options.get(name, ("",))[0] == "true"

    @property
    def automated(self) -> Part | None:
        """``spec.syncPolicy.automated``, None when syncing is manual; an empty one is automatic."""
        return self.part("spec.syncPolicy.automated") if self.has("spec.syncPolicy.automated") else None

    @lazily
    def delivers(self) -> list[Entry]:
        """The objects of this run that it brings to the cluster, as written.

        None for other repositories and charts, nor for a chart with values of its own, which decide what comes of it.
        """
        return [
            entry
            for source in self.sources
            if source.text("path") and not source.text("chart") and "{{" not in source.text("path")
            if not any(source.has("helm", key) for key in _VALUES)
            for entry in delivered(
                source.text("path"), self.entry, tree=self.tree, objects=self.objects, release=self.release
            )
        ]
