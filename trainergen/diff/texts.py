"""Texts in objects that have a meaning of their own: YAML, JSON and host files, turned into values to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonValue

_STRUCTURED = (".yaml", ".yml", ".json")
SNAPSHOT, HOSTFILE = "runtime", "hostfile"


def meaning_of(name: str, text: str) -> JsonValue:
    """What the text under the key ``name`` of a ConfigMap says; the text itself when it is just a text."""
    if name == HOSTFILE:
        return _hosts(text)
    if name == SNAPSHOT or name.endswith(_STRUCTURED):
        return _document(text)
    return text


def _hosts(text: str) -> JsonValue:
    """The lines of an MPI host file: a host, and settings such as ``slots=4``."""
    hosts: list[JsonValue] = []
    for line in text.splitlines():
        words = line.split()
        if words and not words[0].startswith("#"):
            settings = (word.partition("=") for word in words[1:])
            hosts.append({"host": words[0], **{name: value for name, _, value in settings}})
    return hosts


def _document(text: str) -> JsonValue:
    from trainergen.source.reader import read_documents

    result = read_documents(text.encode(), file="")
    values = [document.value for document in result.documents]
    return values[0] if len(values) == 1 and not result.failures and isinstance(values[0], dict | list) else text
