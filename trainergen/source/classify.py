"""What a document is to us: a Trainer object, another object, a template or patch, or no Kubernetes object at all."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from trainergen.source.identity import TRAINER_GROUP, TRAINER_KINDS, identity_findings, not_an_object

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonValue
    from trainergen.source.document import Document

LEGACY_GROUP: Final = "kubeflow.org"
LEGACY_KINDS: Final = frozenset({"PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob", "MXJob"})
_KUSTOMIZE_GROUP: Final = "kustomize.config.k8s.io"


class Category(StrEnum):
    """What a document, or a whole file, was recognised as. Only the first two may be checked further."""

    TRAINER = "Trainer object"
    LEGACY = "Training Operator v1 object"
    OTHER = "other Kubernetes object"
    KUSTOMIZATION = "kustomization"
    PATCH = "kustomize patch"
    HELM_TEMPLATE = "Helm template"
    ENCRYPTED = "SOPS-encrypted"
    NOT_KUBERNETES = "not a Kubernetes object"
    UNRELATED = "does not mention Trainer"
    BROKEN = "not valid YAML and not about Trainer"
    REFUSED = "refused"


class Classification(NamedTuple):
    """The category; REFUSED with findings (paths inside the document) when the document is not what it claims to be."""

    category: Category
    findings: tuple[Finding, ...] = ()


def classify(
    document: Document,
    *,
    explicit: bool,
    listed_as_patch: bool = False,
    served: Mapping[str, frozenset[str]] = TRAINER_KINDS,
) -> Classification:
    """Recognise a document.

    ``explicit``: the file was named, so that whatever is no Kubernetes object is a finding, and templates, patches and
    encrypted documents are taken for what they say they are. ``listed_as_patch``: a kustomization names the file.
    ``served`` holds the Trainer kinds with their versions.
    """
    value = document.value
    if not isinstance(value, dict):
        return _no_mapping(value, explicit=explicit)
    if document.group == _KUSTOMIZE_GROUP:
        return Classification(Category.KUSTOMIZATION)
    if not explicit and (set_aside := _set_aside(document, listed_as_patch)) is not None:
        return Classification(set_aside)
    findings = identity_findings(document, served=served, explicit=explicit)
    if findings:
        return Classification(Category.REFUSED, findings)
    return Classification(_category(document))


def _no_mapping(value: JsonValue, *, explicit: bool) -> Classification:
    if explicit:
        return Classification(Category.REFUSED, (not_an_object(value),))
    is_patch = isinstance(value, list) and bool(value) and all(_is_json_patch(item) for item in value)
    return Classification(Category.PATCH if is_patch else Category.NOT_KUBERNETES)


def _is_json_patch(item: JsonValue) -> bool:
    return isinstance(item, dict) and isinstance(item.get("op"), str) and isinstance(item.get("path"), str)


def _set_aside(document: Document, listed_as_patch: bool) -> Category | None:
    """What keeps a document of a folder from being judged."""
    if listed_as_patch or "$patch" in document.object:
        return Category.PATCH
    sops = document.object.get("sops")
    if isinstance(sops, dict) and ("mac" in sops or "lastmodified" in sops):
        return Category.ENCRYPTED
    if any("{{" in text for text in (document.api_version, document.kind, document.name, document.namespace)):
        return Category.HELM_TEMPLATE
    return None


def _category(document: Document) -> Category:
    group, kind = document.group, document.kind
    if group == TRAINER_GROUP:
        return Category.TRAINER
    if group == LEGACY_GROUP and kind in LEGACY_KINDS:
        return Category.LEGACY
    return Category.OTHER if document.api_version and kind else Category.NOT_KUBERNETES


def mentions_trainer(data: bytes) -> bool:
    """Whether bytes can hold a Trainer or Training Operator object; escapes inside the group's name are not seen."""
    return b"kubeflow.org" in data
