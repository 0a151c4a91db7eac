"""The text of a template: the object as YAML, with an expression of Helm wherever values differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.generate.emitting import manifest
from trainergen.generate.helm.differing import Shape, Slot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trainergen.finding import JsonValue
    from trainergen.generate.helm.naming import Name

NAMESPACE: Name = (".Values.environment.namespace",)
"""Stands for the namespace of the environment, which all things share."""
_TOKEN = "TrainergenSlot"
_LINE = re.compile(rf"^(?P<indent>[ -]*)(?P<key>.*?)(?P<token>{_TOKEN}\d+)$", re.M)


def template(thing: Shape, names: Mapping[int, Name], *, part: str, key: str, conditional: bool) -> str:
    """The template of ``key`` in ``part``; ``names`` has the name of each slot by its identity.

    ``conditional`` things are not in every environment; their values say by ``enabled`` where they are.
    """
    seen: list[Slot] = []
    text = manifest(_with_tokens(thing, seen))  # type: ignore[arg-type]  # an object is a mapping
    body = _LINE.sub(lambda match: _line(match, seen, names), text)
    uses_own = conditional or any(names[id(slot)] != NAMESPACE for slot in seen)
    lines = [f"{{{{- if .Values.parts.{part} }}}}"]
    if uses_own:
        lines.append(f'{{{{- $own := index .Values "{part}" "{key}" }}}}')
    if conditional:
        lines.append("{{- if $own.enabled }}")
    ends = "{{- end }}\n" * (2 if conditional else 1)
    return "\n".join(lines) + "\n" + body + ends


def _with_tokens(value: Shape, seen: list[Slot]) -> JsonValue:
    if isinstance(value, Slot):
        seen.append(value)
        return f"{_TOKEN}{len(seen) - 1}"
    if isinstance(value, dict):
        return {key: _with_tokens(each, seen) for key, each in value.items()}
    return [_with_tokens(each, seen) for each in value] if isinstance(value, list) else value


def _line(match: re.Match[str], seen: list[Slot], names: Mapping[int, Name]) -> str:
    slot = seen[int(match["token"].removeprefix(_TOKEN))]
    name = names[id(slot)]
    # JSON is YAML, and the one form in which Helm writes numbers, texts and mappings of any kind without loss.
    line = f"{match['indent']}{match['key']}{{{{ toJson {reference(name)} }}}}"
    if not slot.optional:
        return line
    steps = " ".join(f'"{step}"' for step in name)
    return f'{{{{- if not (kindIs "invalid" (dig {steps} nil $own)) }}}}\n{line}\n{{{{- end }}}}'


def reference(name: Name, *, own: str = "$own") -> str:
    """The expression that gives a value; ``own`` gives the thing's values."""
    return name[0] if name == NAMESPACE else f"{own}." + ".".join(name)
