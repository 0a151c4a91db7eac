"""What pages are made of: text, lists, tables, findings and patches, each escaped."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from trainergen.output.phrases import place_of
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from trainergen.finding import Finding

_KINDS = {"+": "add", "-": "del", "@": "hunk"}


def text(words: str) -> str:
    """``words`` as they are, whatever HTML would make of them, control characters written out."""
    return escape(escape_controls(words))


def place(words: str) -> str:
    """A path or the name of a file, which is broken between its steps where it does not fit."""
    return re.sub(r"([./])(?=\w)", r"\1<wbr>", text(words))


def chapter(key: str, title: str) -> str:
    """A heading that the contents lead to."""
    return f'<h2 id="{text(key)}">{text(title)}</h2>'


def counts(numbers: Iterable[tuple[int, str]]) -> str:
    """Figures side by side, each with what it counts."""
    return f'<ul class="counts">{"".join(f"<li><b>{number}</b> {text(noun)}</li>" for number, noun in numbers)}</ul>'


def bullets(lines: Iterable[str]) -> str:
    """A list, empty when there are no lines."""
    items = "".join(f"<li>{text(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def numbered(lines: Iterable[str]) -> str:
    """A list in order."""
    return f"<ol>{''.join(f'<li>{text(line)}</li>' for line in lines)}</ol>"


def table(widths: Mapping[str, str], rows: Iterable[Iterable[str]], *, labelled: bool = True) -> str:
    """A table of cells that are HTML already, its columns by their names with their widths.

    Where the page is narrow the cells stand below each other, if ``labelled`` each with the name of its column.
    """
    names = list(widths)
    head = "".join(f'<th style="width: {width}">{text(name)}</th>' for name, width in widths.items())
    body = "".join(f"<tr>{_cells(names if labelled else [], row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(names: list[str], row: Iterable[str]) -> str:
    if not names:
        return "".join(f"<td>{cell}</td>" for cell in row)
    return "".join(f'<td data-head="{text(name)}">{cell}</td>' for name, cell in zip(names, row, strict=True))


def findings(found: Iterable[Finding]) -> str:
    """A table of findings: how bad, where, what, and what to do."""
    widths = {"severity": "17%", "place": "27%", "what, and what to do": "auto"}
    return table(widths, map(_finding, found), labelled=False)


def _finding(one: Finding) -> Iterator[str]:
    severity = one.severity.value
    yield f'<span class="{severity}">{severity} {text(one.rule)}</span><br>{text(one.name)}'
    path = f'<br><span class="soft">{place(one.path)}</span>' if one.path else ""
    yield f"{place(place_of(one))}{path}"
    first, *others = one.help.split("\n")
    remedy = f'<p class="remedy">{text(first)}</p>' if first else ""
    written = f"<pre>{''.join(f'<span>{text(line)}</span>' for line in others)}</pre>" if others else ""
    yield f"{text(one.message)}{remedy}{written}"


def patch(difference: str) -> str:
    """A unified diff, its lines coloured by what they do."""
    lines = difference.rstrip("\n").split("\n")
    # The names of the files are the first two lines; further down '---' is a line of a manifest that went.
    kinds = ("name", "name", *(_KINDS.get(line[:1], "same") for line in lines[2:]))
    return _block(zip(kinds, lines, strict=False))


def signed(lines: Iterable[tuple[str, str]]) -> str:
    """Lines with what each does: ``+``, ``-``, or anything else."""
    return _block((_KINDS.get(sign, "same"), f"{sign} {line}") for sign, line in lines)


def _block(lines: Iterable[tuple[str, str]]) -> str:
    spans = (f'<span class="{kind}">{text(line)}</span>' for kind, line in lines)
    return f"<pre>{''.join(spans)}</pre>"


def folded(title: str, inner: str) -> str:
    """A part that is unfolded by its title, and on paper always."""
    return f"<details><summary>{text(title)}</summary>{inner}</details>"
