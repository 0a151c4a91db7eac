"""Policies and bindings as values, apart from the documents that they come from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from trainergen.finding import JsonObject

GROUP = "admissionregistration.k8s.io"
VALIDATING = "ValidatingAdmissionPolicy"
MUTATING = "MutatingAdmissionPolicy"
BINDING = "Binding"

Action = Literal["Deny", "Warn", "Audit"]


class Named(NamedTuple):
    """A match condition or a variable."""

    name: str
    expression: str


class Validation(NamedTuple):
    """What must hold, and what is said where it does not."""

    expression: str
    message: str = ""
    message_expression: str = ""
    reason: str = ""


class Mutation(NamedTuple):
    """What gives the changes, ``JSONPatch`` or ``ApplyConfiguration``."""

    patch_type: str
    expression: str


class ResourceRule(NamedTuple):
    """Which requests; ``*`` stands for all."""

    groups: tuple[str, ...]
    versions: tuple[str, ...]
    resources: tuple[str, ...]
    operations: tuple[str, ...]
    scope: str = "*"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """``matchConstraints`` of a policy or ``matchResources`` of a binding; without rules everything matches."""

    rules: tuple[ResourceRule, ...] = ()
    excluded: tuple[ResourceRule, ...] = ()
    namespaces: JsonObject = field(default_factory=dict)
    """A label selector; the empty one selects all."""
    objects: JsonObject = field(default_factory=dict)


class ParamKind(NamedTuple):
    """The kind of a policy's parameters."""

    api_version: str
    kind: str


@dataclass(frozen=True, slots=True)
class ParamRef:
    """Which objects a binding takes for parameters: one by its name, or all that a selector finds."""

    name: str = ""
    namespace: str = ""
    selector: JsonObject | None = None
    required: bool = True
    """Whether requests are refused when there are none (``parameterNotFoundAction: Deny``)."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy; one that mutates has ``mutations`` in place of ``validations``."""

    kind: str
    name: str
    file: str
    match: Match
    validations: tuple[Validation, ...] = ()
    mutations: tuple[Mutation, ...] = ()
    conditions: tuple[Named, ...] = ()
    variables: tuple[Named, ...] = ()
    params: ParamKind | None = None
    ignores_failures: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """What puts a policy into force."""

    kind: str
    """That of the policy."""
    name: str
    file: str
    policy: str
    match: Match
    params: ParamRef | None = None
    actions: tuple[str, ...] = ()


def texts(value: Any) -> tuple[str, ...]:
    """The texts of a list."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
