"""Whether an object says what it is: apiVersion and kind, against the kinds that the Trainer API group serves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from trainergen.source import checks

if TYPE_CHECKING:
    from trainergen.finding import Check, Finding, JsonValue
    from trainergen.source.document import Document

TRAINER_GROUP: Final = "trainer.kubeflow.org"
_PREVIEW: Final = "kubeflow.org/v2alpha1"
# Kinds of the Trainer group and the versions they are served in, when the release in question says nothing else.
TRAINER_KINDS: Final[Mapping[str, frozenset[str]]] = {
    kind: frozenset({"v1alpha1"}) for kind in ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime")
}
_TYPE_NAMES: Final = {dict: "a mapping", list: "a list", str: "text", bool: "a boolean", type(None): "empty"}


def type_name(value: JsonValue) -> str:
    """A value's type as people call it."""
    return _TYPE_NAMES.get(type(value), "a number")


def not_an_object(value: JsonValue) -> Finding:
    """The finding of a document, or list member, that is no mapping."""
    message = f"the document is {type_name(value)}, but a Kubernetes object is a mapping with apiVersion and kind"
    return checks.NOT_AN_OBJECT.at((), message, help="Write one object, or several separated by '---' lines.")


def identity_findings(
    document: Document, *, served: Mapping[str, frozenset[str]], explicit: bool
) -> tuple[Finding, ...]:
    """What is wrong with apiVersion and kind.

    Of a document that was not named explicitly, only what claims to be a Trainer object is judged.
    """
    ours = document.group == TRAINER_GROUP or (document.kind in served and "apiVersion" not in document.object)
    found = _missing(document, served) if explicit or ours else []
    if not found and document.group == TRAINER_GROUP:
        found = _unknown(document, served)
    elif not found and document.kind in served and _nearly(document.group):
        found = [_wrong_group(document, served)]
    return tuple(found)


def _missing(document: Document, served: Mapping[str, frozenset[str]]) -> list[Finding]:
    kind = document.kind
    version = f"{TRAINER_GROUP}/{max(served[kind])}" if kind in served else "GROUP/VERSION"
    some_kind = next(iter(served)) if document.group == TRAINER_GROUP else "KIND"
    wanted: list[tuple[str, Check, str]] = [
        ("apiVersion", checks.MISSING_API_VERSION, f"Add 'apiVersion: {version}'."),
        ("kind", checks.MISSING_KIND, f"Add 'kind: {some_kind}'."),
    ]
    found = []
    for name, check, remedy in wanted:
        value = document.object.get(name)
        if value is None or value == "":
            found.append(check.at((name,), f"the object has no {name}", help=remedy, on_key=True))
        elif not isinstance(value, str):
            message = f"{name} is {type_name(value)}, but must be text"
            found.append(check.at((name,), message, help="Quote it if it is meant as text."))
    return found


def _unknown(document: Document, served: Mapping[str, frozenset[str]]) -> list[Finding]:
    kind, version = document.kind, document.api_version.rpartition("/")[2]
    if kind not in served:
        near = _closest(kind, list(served))
        remedy = f"Write '{near}'." if near else f"The kinds are {', '.join(served)}."
        message = f"kind is '{kind}', which the group {TRAINER_GROUP} does not have"
        return [checks.UNKNOWN_KIND.at(("kind",), message, help=remedy)]
    if version not in served[kind]:
        versions = " and ".join(sorted(served[kind]))
        message = f"apiVersion is '{document.api_version}', but {kind} is served as {versions}"
        remedy = f"Write 'apiVersion: {TRAINER_GROUP}/{max(served[kind])}'."
        return [checks.UNSUPPORTED_VERSION.at(("apiVersion",), message, help=remedy)]
    return []


def _wrong_group(document: Document, served: Mapping[str, frozenset[str]]) -> Finding:
    message = f"apiVersion is '{document.api_version}', but {document.kind} belongs to the group {TRAINER_GROUP}"
    remedy = f"Write 'apiVersion: {TRAINER_GROUP}/{max(served[document.kind])}'."
    if document.api_version == _PREVIEW:
        remedy = "It was a preview, gone since Training Operator 1.9.3: 'trainergen migrate' rewrites it."
    return checks.WRONG_GROUP.at(("apiVersion",), message, help=remedy)


def _nearly(group: str) -> bool:
    """A group that is ours misspelt; other projects may well have kinds of the same name."""
    return group != TRAINER_GROUP and (not group or "kubeflow" in group or bool(_closest(group, [TRAINER_GROUP])))


def _closest(word: str, known: list[str]) -> str:
    import difflib

    lowered = {candidate.lower(): candidate for candidate in known}
    return next((lowered[found] for found in difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)), "")
