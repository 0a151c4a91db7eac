"""Which files a repository starts with, and writing those that are not there yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from trainergen.errors import TrainergenError
from trainergen.generate.component import NAME, component_files
from trainergen.generate.scaffold import automation, specification
from trainergen.generate.workspace_files import GeneratedFile

COMPONENT = PurePosixPath("components") / NAME
SPECIFICATION = PurePosixPath("trainergen.yaml")


class Step(NamedTuple):
    """What is to happen to a file: ``create``, or ``keep`` and ``same`` for one that is there already."""

    action: str
    file: GeneratedFile


def repository_files(name: str, release: str, *, ci: str, configured: bool) -> Iterator[GeneratedFile]:
    """The files for a team called ``name``; of one that is ``configured`` already, only the checks."""
    if not configured:
        yield GeneratedFile(SPECIFICATION, specification.specification_text(name, release))
        yield GeneratedFile(PurePosixPath(specification.SCRIPT), specification.program_text())
    yield GeneratedFile(PurePosixPath(".pre-commit-config.yaml"), automation.PRE_COMMIT)
    if ci in automation.CI_FILES:
        path, text = automation.CI_FILES[ci]
        yield GeneratedFile(PurePosixPath(path), text)
    yield GeneratedFile(PurePosixPath(".gitignore"), automation.IGNORED)


def component_of(release: str) -> Iterator[GeneratedFile]:
    """The component for kustomize, in its folder."""
    for file in component_files(release):
        yield GeneratedFile(COMPONENT / file.path, file.text)


def steps(files: Iterable[GeneratedFile], folder: Path) -> list[Step]:
    """What is to be done to have ``files`` in ``folder``."""
    return [Step(_action(folder / file.path, file.text), file) for file in files]


def _action(path: Path, text: str) -> str:
    if not path.is_symlink() and not path.exists():
        return "create"
    try:
        return "same" if path.read_text(encoding="utf-8") == text else "keep"
    except (OSError, UnicodeDecodeError):
        return "keep"


def write(planned: Iterable[Step], folder: Path) -> None:
    """Create the files that are to be; TrainergenError when one cannot be, or has come into being meanwhile."""
    for step in planned:
        if step.action != "create":
            continue
        path = folder / step.file.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(step.file.text)
        except OSError as error:
            raise TrainergenError(
                f"'{path}' cannot be written: {error.strerror or error}", hint="Check the folder and its permissions."
            ) from error
