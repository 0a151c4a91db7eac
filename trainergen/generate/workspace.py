"""A workspace: a specification with its folder, and what can be made of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.generate.faults import SpecError, plain_place
from trainergen.generate.resolving import Resolution, resolve
from trainergen.generate.runs import History, history_files, history_path, read_history
from trainergen.generate.workspace_files import GeneratedFile, Tree
from trainergen.releases import NEWEST, Release, get_release

if TYPE_CHECKING:
    from trainergen.finding import Path as DocumentPath
    from trainergen.generate.resolved import Resolved
    from trainergen.generate.spec import Spec
    from trainergen.generate.writing import Plan

DEFAULT_SOURCE = "a program"


class Workspace:
    """A specification and the GitOps tree that it stands for.

    ``Workspace.load("trainergen.yaml").write()`` is what ``trainergen build`` does.
    """

    def __init__(
        self, spec: Spec, *, release: str | None = None, root: Path | None = None, source: str = DEFAULT_SOURCE
    ) -> None:
        """A workspace of ``spec`` whose files are relative to ``root``, by default the working folder.

        ``release`` is for a specification that names none; without either it is the newest. ``source`` is what the
        generated files say they come from.
        """
        self.spec = spec
        self.root = root or Path()
        self.source = source
        wanted = spec.release or release
        self.release: Release = get_release(wanted) if wanted else NEWEST
        self._place: Callable[[DocumentPath], str] = plain_place

    @classmethod
    def load(cls, path: str | Path) -> Workspace:
        """The workspace of a file: a trainergen.yaml with ``build:``, or one with only what stands there.

        TrainergenError names every fault with file, line and column.
        """
        from trainergen.generate.loading import load_spec

        loaded = load_spec(Path(path))
        workspace = cls(loaded.spec, release=loaded.release, root=loaded.root, source=loaded.source)
        workspace._place = loaded.place
        return workspace

    def with_output(self, **fields: str | bool) -> Workspace:
        """The same with another ``format``, ``delivery`` or other field of ``output``."""
        output = self.spec.output.model_copy(update=fields)
        other = Workspace(
            self.spec.model_copy(update={"output": output}),
            release=self.release.name,
            root=self.root,
            source=self.source,
        )
        other._place = self._place
        return other

    @property
    def folder(self) -> Path:
        """Where the tree goes unless it is said otherwise."""
        return self.root / self.spec.output.folder

    def resolve(self, history: History | None = None) -> Resolved:
        """All objects of all environments; SpecError names everything that is wrong with the specification.

        ``history`` are earlier runs, some of which may have to stay.
        """
        return self._resolution(history or History()).resolved

    def files(self, history: History | None = None) -> Tree:
        """The tree, without ownership headers."""
        resolution = self._resolution(history or History())
        return self._tree(resolution)

    def plan(self, folder: str | Path | None = None) -> Plan:
        """What writing to ``folder`` would change."""
        from trainergen.generate.writing import plan

        target = self.folder if folder is None else Path(folder)
        tree = self._tree(self._resolution(self.history(target), target))
        return plan(tree, target, owner=self.spec.name, source=self.source)

    def write(self, folder: str | Path | None = None, *, force: bool = False) -> Plan:
        """Write the tree to ``folder`` and give back what was changed.

        TrainergenError when a file was edited by hand or is not ours, and ``force`` is not given; then nothing is
        written.
        """
        planned = self.plan(folder)
        planned.apply(force=force)
        return planned

    def history(self, folder: str | Path) -> History:
        """The runs that the tree in ``folder`` remembers; TrainergenError when they cannot be read."""
        texts = {}
        for environment in self.spec.environments:
            file = Path(folder) / history_path(environment)
            if file.is_file():
                texts[environment] = file.read_text(encoding="utf-8")
        return read_history(texts)

    def _resolution(self, history: History, folder: Path | None = None) -> Resolution:
        spec = self.spec
        if spec.output.directory is None:
            directory = _in_repository(folder or self.folder) or spec.output.folder
            spec = spec.model_copy(update={"output": spec.output.model_copy(update={"directory": directory})})
        resolution = resolve(spec, self.release, root=self.root, history=history)
        if resolution.faults:
            raise SpecError(resolution.faults.found, self._place)
        return resolution

    def _tree(self, resolution: Resolution) -> Tree:
        return Tree([*tree_files(resolution.resolved), *history_files(self.spec.runs, resolution.history)])


def _in_repository(folder: Path) -> str:
    """A folder as seen from the root of its git repository; empty when it is in none."""
    whole = Path(os.path.normpath(Path.cwd() / folder))
    for above in whole.parents:
        if (above / ".git").exists():
            return whole.relative_to(above).as_posix()
    return "." if (whole / ".git").exists() else ""


def tree_files(resolved: Resolved) -> Iterator[GeneratedFile]:
    """The files for the format and the delivery of a resolved specification."""
    yield from _writer(resolved.format)(resolved)
    if resolved.install:
        yield from _writer("install")(resolved)
    if resolved.delivery != "none":
        yield from _writer(resolved.delivery)(resolved)


def _writer(name: str) -> Callable[[Resolved], Iterable[GeneratedFile]]:
    """The function ``files`` of a writer; each is loaded only where it is asked for."""
    writer: Callable[[Resolved], Iterable[GeneratedFile]] = import_module(f"trainergen.generate.{name}").files
    return writer
