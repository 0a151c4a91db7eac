"""A specification from a file, with the place of everything in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from trainergen.api.access import value_at
from trainergen.errors import TrainergenError
from trainergen.generate.spec import Spec
from trainergen.releases import get_release
from trainergen.source.configfaults import refusal
from trainergen.source.configfile import ConfigDocument, read_document, shown_name, without_nulls

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.finding import Path as DocumentPath

SECTION = "build"
_NAMED = ("environments", "runtimes", "jobs")


class LoadedSpec(NamedTuple):
    """A specification, the release that its file names beside it, and where it comes from."""

    spec: Spec
    release: str | None
    root: Path
    source: str
    """The name of the file."""
    place: Callable[[DocumentPath], str]


def load_spec(file: Path) -> LoadedSpec:
    """The specification in ``file``; TrainergenError names every fault of its form at its place."""
    document = read_document(file, shown_name(file))
    value = without_nulls(document.value)
    if not isinstance(value, dict):
        raise TrainergenError(
            f"{document.name}: there is no specification, but {_found(value)}",
            hint="Write it under build:, as docs/build.md shows.",
        )
    below: DocumentPath = ()
    release: JsonValue = None
    if SECTION in value:
        below, release, value = (SECTION,), value.get("release"), value[SECTION]
    elif "check" in value or file.suffix == ".toml":
        raise TrainergenError(
            f"{document.name}: the configuration has no '{SECTION}'", hint="Write the specification there."
        )
    value = _with_bare_names(value, value_at(document.value, SECTION) if below else document.value)
    try:
        # By the names that the published schema has; those with underscores are for Python.
        spec = Spec.model_validate(value, by_alias=True, by_name=False)
    except ValidationError as error:
        raise refusal(document, error.errors(include_url=False), Spec, below=below) from error
    for path, name in (((*below, "release"), spec.release), (("release",), release)):
        if name is not None:
            _check_release(document, path, name)
    return LoadedSpec(spec, None if release is None else str(release), file.parent, file.name, _places(document, below))


def _with_bare_names(value: JsonValue, written: JsonValue) -> JsonValue:
    """``value`` with what has only a name: the environment ``dev:`` is one that sets nothing, and not one less."""
    if not isinstance(value, dict) or not isinstance(written, dict):
        return value
    bare: JsonObject = {
        section: {key: {} if each is None else without_nulls(each) for key, each in named.items()}
        for section in _NAMED
        if isinstance(named := written.get(section), dict)
    }
    return {**value, **bare}


def _check_release(document: ConfigDocument, path: DocumentPath, name: JsonValue) -> None:
    try:
        get_release(str(name))
    except TrainergenError as error:
        raise TrainergenError(f"{document.place(path)}: {error.message}", hint=error.hint) from error


def _found(value: JsonValue) -> str:
    return "nothing" if value is None else "a list" if isinstance(value, list) else f"'{value}'"


def _places(document: ConfigDocument, below: DocumentPath) -> Callable[[DocumentPath], str]:
    def place(path: DocumentPath) -> str:
        return document.place((*below, *path))

    return place
