"""Label selectors, also on labels that are only known in part.

Behaviour: kubernetes/apimachinery pkg/apis/meta/v1/helpers.go, pkg/labels/selector.go @ v0.35.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from trainergen.finding import JsonObject

NAMESPACE_NAME = "kubernetes.io/metadata.name"
"""The label that the API server gives to each namespace."""


class Requirement(NamedTuple):
    """One condition on a label."""

    key: str
    operator: str
    values: tuple[str, ...] = ()


class Labels(NamedTuple):
    """The labels of an object; with ``complete`` False it may have others."""

    known: Mapping[str, str]
    complete: bool = True


def requirements(selector: JsonObject) -> Iterator[Requirement]:
    """The conditions of a selector, all of which must hold."""
    labels = selector.get("matchLabels")
    for key, value in labels.items() if isinstance(labels, dict) else ():
        yield Requirement(key, "In", (str(value),))
    expressions = selector.get("matchExpressions")
    for entry in expressions if isinstance(expressions, list) else ():
        if isinstance(entry, dict):
            values = entry.get("values")
            listed = tuple(str(value) for value in values) if isinstance(values, list) else ()
            yield Requirement(str(entry.get("key")), str(entry.get("operator")), listed)


def selects(selector: JsonObject, labels: Labels) -> bool | None:
    """Whether the selector selects an object of these labels; None when that depends on unknown ones."""
    verdict: bool | None = True
    for requirement in requirements(selector):
        holds = _holds(requirement, labels)
        if holds is False:
            return False
        if holds is None:
            verdict = None
    return verdict


def _holds(requirement: Requirement, labels: Labels) -> bool | None:
    key, operator, values = requirement
    if key not in labels.known and not labels.complete:
        return None
    present = key in labels.known
    if operator == "Exists":
        return present
    if operator == "DoesNotExist":
        return not present
    listed = present and labels.known[key] in values
    return listed if operator == "In" else not listed


def labels_of(obj: Any) -> Labels:
    """The labels of an object."""
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    return Labels({key: str(value) for key, value in labels.items()} if isinstance(labels, dict) else {})
