"""Where reports go: one to standard output, any number to files that appear whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from trainergen.errors import TrainergenError
from trainergen.output.formats import FORMATS, get_format, render
from trainergen.report import FORMAT_NAMES, Report
from trainergen.spelling import nearest

if TYPE_CHECKING:
    from trainergen.output.options import OutputOptions

_SUFFIXES = {".sarif": "sarif", ".json": "json", ".xml": "junit", ".md": "markdown", ".txt": "text"}


class OutputTarget(NamedTuple):
    """A format and the file it is written to."""

    format: str
    file: Path


def parse_target(argument: str) -> OutputTarget:
    """Read ``FORMAT=FILE``; a wrong form, format or place raises TrainergenError with the way out."""
    name, equals, file = argument.partition("=")
    if not equals:
        raise TrainergenError(f"output '{argument}' is not of the form FORMAT=FILE", hint=_form_hint(argument))
    if name not in FORMATS and file in FORMATS:
        raise TrainergenError(
            f"output '{argument}' names the file first", hint=f"Write the format first: {file}={name}."
        )
    return make_target(name, file)


def make_target(name: str, file: str | Path) -> OutputTarget:
    """A target for the format called ``name``; raises TrainergenError when the file cannot lie there."""
    get_format(name)
    if str(file) in {"", "-", "."}:
        raise TrainergenError(
            f"output {name}= names no file", hint=f"Give one, or use --format {name} to write to standard output."
        )
    path = Path(file)
    if path.is_dir():
        raise TrainergenError(f"output '{path}' is a folder", hint=f"Name a file in it: {name}={path / 'report'}.")
    if not path.parent.is_dir():
        raise TrainergenError(
            f"the folder '{path.parent}' of output '{path}' does not exist",
            hint="Create it first, or write to a folder that exists.",
        )
    return OutputTarget(name, path)


def write_target(target: OutputTarget, report: Report, options: OutputOptions) -> None:
    """Write ``report`` to the target's file, replacing it in one step; raises TrainergenError on failure."""
    write_text(target.file, render(target.format, report, options))


def write_text(file: Path, text: str) -> None:
    """Write ``text`` to ``file`` as UTF-8, replacing it in one step; raises TrainergenError on failure."""
    data = text.encode("utf-8", "backslashreplace")
    try:
        # Through symbolic links, which stay; a device or a pipe (``/dev/stdout``) cannot be replaced, only written to.
        path = file.resolve()
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            replace_file(path, data)
    except OSError as error:
        raise TrainergenError(
            f"output '{file}' cannot be written: {error.strerror or error}",
            hint="Check the permissions and the free space of its folder, or choose another file.",
        ) from error


def emit(stream: IO[str], text: str, *, format_name: str = "text") -> None:
    """Write ``text`` to a standard stream: machine formats always as UTF-8, text in the stream's own encoding."""
    encoding = (getattr(stream, "encoding", None) or "utf-8") if format_name == "text" else "utf-8"
    data = text.encode(encoding, "backslashreplace")
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(data.decode(encoding))
        return
    stream.flush()
    buffer.write(data)
    buffer.flush()


def replace_file(path: Path, data: bytes) -> None:
    """Write a file in one step, so that nobody sees half of it; raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _form_hint(argument: str) -> str:
    if argument in FORMATS:
        return f"Give a file, as in {argument}=FILE, or use --format {argument} to write to standard output."
    guess = _SUFFIXES.get(Path(argument).suffix)
    if guess:
        return f"Did you mean {guess}={argument}?"
    near = nearest(argument, FORMAT_NAMES)
    return f"Did you mean {near}=FILE?" if near else f"Write for example sarif={argument}.sarif."
