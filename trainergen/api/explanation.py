"""An explanation of a field as text for the terminal."""

from __future__ import annotations

import json
from textwrap import fill, wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.api.explain import Child, Explanation
    from trainergen.api.facts import FieldFacts

WIDTH = 88
LABEL = 13


def render_explanation(explanation: Explanation) -> str:
    """The explanation in paragraphs: what it is, its constraints, its fields, and what differs per release."""
    path = ".".join((explanation.kind.lower(), *explanation.path))
    parts = [f"{path}  (Trainer {explanation.release})", f"{explanation.kind}, {_headline(explanation)}"]
    if explanation.description:
        parts.append(fill(explanation.description, WIDTH))
    details = list(_details(explanation.facts))
    if details:
        parts.append("\n".join(details))
    history = list(_history(explanation))
    if history:
        parts.append("Per release:\n" + "\n".join(history))
    if explanation.children:
        parts.append("Fields:\n" + "\n".join(_child_lines(explanation.children)))
    return "\n\n".join(parts) + "\n"


def _headline(explanation: Explanation) -> str:
    return ", ".join((explanation.facts.type, *_presence(explanation, explanation.facts)))


def _presence(explanation: Explanation, facts: FieldFacts) -> tuple[str, ...]:
    if not explanation.path:
        return ()
    return ("required",) if facts.required else ("optional",)


def _details(facts: FieldFacts) -> Iterator[str]:
    if facts.has_default:
        yield _labelled("Default", json.dumps(facts.default))
    if facts.enum:
        yield _labelled("Values", ", ".join(json.dumps(value) for value in facts.enum))
    if facts.limits:
        yield _labelled("Limits", ", ".join(facts.limits))
    if facts.list_type:
        yield _labelled("List", _list_text(facts))
    if facts.immutable:
        yield _labelled("Immutable", "the value may not change once it is set")
    for rule in facts.rules:
        if rule.rule != "self == oldSelf":
            yield _labelled("Rule", f"{rule.rule}  ({rule.message})")


def _list_text(facts: FieldFacts) -> str:
    words = {"atomic": "replaced as a whole", "set": "a set, each item once"}
    text = words.get(facts.list_type) or f"one item for each {' and '.join(facts.list_keys)}"
    return f"{text}; strategic merge by {facts.merge_key}" if facts.merge_key else text


def _history(explanation: Explanation) -> Iterator[str]:
    spans = explanation.spans
    if len(spans) > 1:
        for releases, facts in spans:
            yield _labelled(releases, ", ".join((facts.type, *_presence(explanation, facts), *_constraints(facts))))
    elif explanation.since or explanation.until:
        yield f"  in {spans[0][0]}"
    if explanation.until:
        gone = f"  gone after {explanation.until}"
        yield f"{gone}; use {explanation.successor}" if explanation.successor else gone


def _constraints(facts: FieldFacts) -> Iterator[str]:
    if facts.has_default:
        yield f"default {json.dumps(facts.default)}"
    if facts.enum:
        yield "one of " + " ".join(json.dumps(value) for value in facts.enum)
    yield from facts.limits
    if facts.merge_key:
        yield f"merged by {facts.merge_key}"
    if facts.immutable:
        yield "immutable"
    others = sum(rule.rule != "self == oldSelf" for rule in facts.rules)
    if others:
        yield f"{others} rule{'s' if others > 1 else ''}"


def _child_lines(children: tuple[Child, ...]) -> Iterator[str]:
    for child in children:
        yield f"  {child.name}  <{child.type}>{'  required' if child.required else ''}"
        yield from wrap(child.description, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)


def _labelled(label: str, text: str) -> str:
    lines = wrap(text, WIDTH - LABEL - 2, break_long_words=False, break_on_hyphens=False) or [""]
    return f"  {label:<{LABEL}}{lines[0]}" + "".join(f"\n  {'':<{LABEL}}{line}" for line in lines[1:])
