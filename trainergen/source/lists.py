"""``kind: List`` and the Trainer's typed lists, taken apart into their members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.source import checks
from trainergen.source.document import Document
from trainergen.source.identity import not_an_object, type_name

if TYPE_CHECKING:
    from trainergen.finding import Finding

_TRAINER = "trainer.kubeflow.org/"


def is_list(document: Document) -> bool:
    """Whether the document is a list of objects."""
    if document.api_version == "v1" and document.kind == "List":
        return True
    return document.api_version.startswith(_TRAINER) and document.kind.endswith("List") and "items" in document.object


def members(document: Document) -> tuple[list[Document], list[tuple[Document, Finding]]]:
    """The objects of a document: itself, or the members of the list that it is, lists in lists included.

    Also the findings of what cannot be a member, each with the document that it is relative to. As in
    kubernetes/apimachinery pkg/apis/meta/v1/unstructured/helpers.go @ v0.35.0, members of a typed list that say
    neither apiVersion nor kind take them from the list.
    """
    objects: list[Document] = []
    faults: list[tuple[Document, Finding]] = []
    waiting = [document]
    while waiting:
        one = waiting.pop()
        if not is_list(one):
            objects.append(one)
            continue
        items = one.object.get("items")
        if not isinstance(items, list):
            if items is not None:
                message = f"items is {type_name(items)}, but must be a list"
                faults.append(
                    (one, checks.NOT_AN_OBJECT.at(("items",), message, help="Write '- ' before each object."))
                )
            continue
        inner = [_typed(one.member(("items", index)), one) for index in range(len(items))]
        faults += [(member, not_an_object(member.value)) for member in inner if not isinstance(member.value, dict)]
        waiting += [member for member in reversed(inner) if isinstance(member.value, dict)]
    return objects, faults


def _typed(member: Document, parent: Document) -> Document:
    kind = parent.kind.removesuffix("List")
    if kind and isinstance(member.value, dict) and not member.kind and not member.api_version:
        value = {"apiVersion": parent.api_version, "kind": kind, **member.value}
        return Document(value, member.span, index=member.index, prefix=member.prefix)
    return member
