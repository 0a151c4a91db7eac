"""Manifests as text: written so that any reader takes strings for strings, read as the API server reads."""

from __future__ import annotations

from functools import cache
from io import StringIO
from typing import TYPE_CHECKING

from ruamel.yaml import YAML
from ruamel.yaml.representer import RoundTripRepresenter
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from trainergen.errors import TrainergenError
from trainergen.source import read_documents
from trainergen.source.scalars import plain

if TYPE_CHECKING:
    import ruamel.yaml.nodes

    from trainergen.finding import JsonObject, JsonValue

STRING = "tag:yaml.org,2002:str"
WIDTH = 4096
"""Wide enough that no string is folded: a folded one is hard to edit and to search for."""


class Representer(RoundTripRepresenter):
    """Quotes what would not be read as a string, and writes texts of several lines as blocks."""


def _represent_string(representer: RoundTripRepresenter, text: str) -> ruamel.yaml.nodes.ScalarNode:
    return representer.represent_scalar(STRING, text, style=_style(text))


def _style(text: str) -> str | None:
    if "\n" in text:
        lines = text.split("\n")
        plain_block = all(line.isprintable() and line == line.rstrip() for line in lines) and not text[0].isspace()
        return "|" if plain_block else '"'
    return None if text.isprintable() and _reads_as_string(text) else '"'


@cache
def _resolver() -> Resolver:
    return Resolver()


def _reads_as_string(text: str) -> bool:
    """True when both the API server and YAML 1.1 readers take the bare text for a string."""
    if not isinstance(plain(text), str):
        return False
    tag: str = _resolver().resolve(ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    return tag == STRING


Representer.add_representer(str, _represent_string)


def to_yaml(value: JsonObject) -> str:
    """An object of plain JSON values as YAML text."""
    writer = YAML()
    writer.Representer = Representer
    writer.default_flow_style = False
    writer.width = WIDTH
    stream = StringIO()
    writer.dump(value, stream)
    return stream.getvalue()


def from_yaml(text: str) -> JsonValue:
    """The value of the one YAML or JSON document in ``text``, scalars as the API server reads them.

    Raises TrainergenError for text that cannot be read, and for none or several documents.
    """
    result = read_documents(text.encode(), file="<text>")
    if result.findings:
        first = result.findings[0]
        raise TrainergenError(f"line {first.line}, column {first.column}: {first.message}", hint=first.help)
    if len(result.documents) != 1:
        raise TrainergenError(
            f"the text holds {len(result.documents)} objects, but one is expected", hint="Split it at the --- lines."
        )
    return result.documents[0].value
