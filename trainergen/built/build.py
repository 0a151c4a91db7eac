"""What is built and what comes of it, as values."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, NamedTuple

from trainergen.built.checks import BUILD_FAILED
from trainergen.report import LocatedNotEvaluated

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, Path
    from trainergen.source import Document, SourceFile

SUFFIX = "<build>"
"""The name under which the objects of a build go through a run; no report shows it."""


class Target(NamedTuple):
    """A kustomization or chart to build, by the document of its file."""

    document: Document
    file: SourceFile
    root: FilePath
    """The real path of its folder."""
    is_chart: bool = False

    @property
    def folder(self) -> str:
        """Its folder as shown."""
        return posixpath.dirname(self.file.path) or "."

    @property
    def made(self) -> str:
        """The name of the file that its objects would be in."""
        return posixpath.join(posixpath.dirname(self.file.path), SUFFIX)


class Origin(NamedTuple):
    """Where an object of a build comes from: a file relative to the built folder, empty when unknown.

    ``generated`` is True when the file is the kustomization that makes it.
    """

    file: str = ""
    generated: bool = False


@dataclass(slots=True)
class Build:
    """What came of one target.

    ``objects`` and their ``origins`` are None when it could not be built, ``inputs`` the real paths of what it reads.
    """

    target: Target
    objects: list[JsonObject] | None = None
    origins: list[Origin] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    not_evaluated: list[LocatedNotEvaluated] = field(default_factory=list)
    inputs: frozenset[FilePath] = frozenset()
    folders: Mapping[str, str] = field(default_factory=dict)
    """Where folders of a chart really lie, relative to its folder."""

    def fail(self, message: str, remedy: str, *, document: Document | None = None, at: Path = ()) -> None:
        """Report that it cannot be built."""
        finding = BUILD_FAILED.at(at, message, help=remedy)
        self.findings.append((document or self.target.document).place(finding))

    def leave(self, reason: str, *, document: Document | None = None, at: Path = ()) -> None:
        """Report what is not judged."""
        self.not_evaluated.append(left(reason, document or self.target.document, at))


def left(reason: str, document: Document, at: Path) -> LocatedNotEvaluated:
    """The entry of a report for what is not built."""
    placed = document.place(BUILD_FAILED.at(at, ""))
    return LocatedNotEvaluated(
        check=BUILD_FAILED.id,
        reason=reason,
        layer=BUILD_FAILED.layer,
        file=placed.file,
        line=placed.line,
        column=placed.column,
        document=placed.document,
        object=placed.object,
        path=placed.path,
    )
