"""The reference of the specification's keys in ``docs/build.md``: ``python -m trainergen.generate.spec.reference``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from pydantic import BaseModel

from trainergen.datafiles import data_dir
from trainergen.generate.spec import Spec

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

START, END = "<!-- reference -->\n", "<!-- end of the reference -->\n"


def reference() -> str:
    """A table for every mapping of the specification, the outermost one first."""
    return "\n".join(_table(model) for model in _models(Spec))


def with_reference(text: str) -> str:
    """The page with the reference as it should be."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{reference()}\n{END}{after}"


def _models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    found: dict[type[BaseModel], None] = {}
    waiting = [model]
    while waiting:
        each = waiting.pop(0)
        if each not in found:
            found[each] = None
            waiting += [inner for field in each.model_fields.values() for inner in _in(field.annotation)]
    yield from found


def _in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _in(inner)


def _table(model: type[BaseModel]) -> str:
    about = (model.__doc__ or "").partition("\n")[0]
    rows = [
        f"| `{field.alias or name}`{_needed(field)} | {field.description} {_inside(field)}|"
        for name, field in model.model_fields.items()
    ]
    return "\n".join([f"### {model.__name__}", "", about, "", "| key | |", "| --- | --- |", *rows, ""])


def _needed(field: FieldInfo) -> str:
    return " (required)" if field.is_required() else ""


def _inside(field: FieldInfo) -> str:
    inner = next(_in(field.annotation), None)
    return f"See [{inner.__name__}](#{inner.__name__.lower()}). " if inner is not None else ""


def main(arguments: Sequence[str]) -> int:
    """Write the reference into the page, or with ``--check`` say by the exit code whether it is there already."""
    page: Path = data_dir("docs") / "build.md"
    text = page.read_text(encoding="utf-8")
    wanted = with_reference(text)
    if "--check" in arguments:
        if text != wanted:
            sys.stderr.write(f"{page.name} is out of date: run python -m trainergen.generate.spec.reference\n")
        return int(text != wanted)
    page.write_text(wanted, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
