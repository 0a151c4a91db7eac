"""Origins in words: which file and line, which patch, which plugin."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.output.visible import escape_controls
from trainergen.render.pods.parts import part

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.render import Origin, Rendered
    from trainergen.source import Document

_OF_TRAINJOB = frozenset({"trainjob", "patch"})
_UID = ("metadata", "uid")
_BY_CLUSTER = "set by the cluster"


@dataclass(frozen=True, slots=True)
class Places:
    """The documents that origins lead into. ``runtime`` is None for a runtime that the release ships.

    ``shipped`` is that runtime's object, to tell what it says itself from what is added to it.
    """

    rendered: Rendered
    release: str
    train_job: Document
    runtime: Document | None = None
    shipped: JsonObject = field(default_factory=dict)

    def describe(self, owner: JsonObject, path: Path) -> str:
        """Where what lies at ``path`` of ``owner``, one of the rendered objects, comes from."""
        return self.words(self._telling_origin(owner, path))

    def words(self, origin: Origin) -> str:
        """An origin in words, safe to show."""
        return escape_controls(self._words(origin))

    def _telling_origin(self, owner: JsonObject, path: Path) -> Origin:
        """The origin of a value; of a map or list that its source does not have itself, that of its first part."""
        origin = self.rendered.origin(owner, path)
        value = part(owner, path)
        while isinstance(value, dict | list) and value and not self._exists(origin):
            first = next(iter(value)) if isinstance(value, dict) else 0
            path = (*path, first)
            value = value[first]  # type: ignore[index]  # its first key or item
            origin = self.rendered.origin(owner, path)
        return origin

    def _exists(self, origin: Origin) -> bool:
        """Whether the document that an origin leads into has something at that path."""
        if origin.kind in _OF_TRAINJOB:
            return part(self.train_job.object, origin.path) is not None
        if origin.kind == "runtime":
            document = self.shipped if self.runtime is None else self.runtime.object
            return part(document, origin.path) is not None
        return True

    def _words(self, origin: Origin) -> str:
        if origin.kind == "trainjob":
            return f"TrainJob {self._at(self.train_job, origin.path)}" if self._exists(origin) else _BY_CLUSTER
        if origin.kind == "patch":
            by = f" of {origin.detail}" if origin.detail else ""
            return f"patch{by}, {self._at(self.train_job, origin.path)}"
        if origin.kind == "runtime":
            if self.runtime is None:
                return f"shipped {origin.detail} of {self.release}"
            return f"runtime {self._at(self.runtime, origin.path)}"
        if origin.kind == "plugin":
            return self._plugin(origin)
        return self._without_place(origin)

    def _plugin(self, origin: Origin) -> str:
        name = "controller, runtime snapshot" if origin.detail == "snapshot" else f"plugin {origin.detail}"
        return f"{name}, from {self._at(self.train_job, origin.path)}" if origin.path else name

    def _without_place(self, origin: Origin) -> str:
        if origin.kind == "default":
            if origin.path == _UID:
                return _BY_CLUSTER
            return f"default of {origin.detail or 'TrainJob'}"
        if origin.kind == "controller":
            return f"controller, {origin.detail}" if origin.detail else "controller"
        return f"{origin.kind} {origin.detail}".rstrip()

    @staticmethod
    def _at(document: Document, path: Path) -> str:
        return f"{document.file}:{document.locate(path, on_key=True).line}"
