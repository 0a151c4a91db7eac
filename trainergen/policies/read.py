"""Manifests to policies and bindings, with what is wrong with them.

Behaviour: kubernetes/kubernetes pkg/apis/admissionregistration/validation/validation.go @ v1.35.0, as far as it decides
what a policy does; kubernetes/api admissionregistration/v1/types.go @ v0.35.0 for the defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen.api.access import list_at, object_at, text_at, value_at
from trainergen.policies import checks
from trainergen.policies.model import (
    BINDING,
    GROUP,
    MUTATING,
    VALIDATING,
    Binding,
    Match,
    Mutation,
    Named,
    ParamKind,
    ParamRef,
    Policy,
    ResourceRule,
    Validation,
    texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding, JsonObject, JsonValue, Path
    from trainergen.source import Document

POLICY_KINDS = (VALIDATING, MUTATING)
KINDS = (*POLICY_KINDS, *(f"{kind}{BINDING}" for kind in POLICY_KINDS))
ACTIONS = ("Deny", "Warn", "Audit")


class Read(NamedTuple):
    """What a document holds; a faulty one is not in force, so it is left out."""

    policy: Policy | None = None
    binding: Binding | None = None
    findings: tuple[Finding, ...] = ()


def is_policy(document: Document) -> bool:
    """Whether a document is a policy or a binding."""
    return document.group == GROUP and document.kind in KINDS


def read(document: Document) -> Read:
    """The policy or binding of a document; its findings have their places."""
    if document.kind.endswith(BINDING):
        findings = list(_binding_faults(document.object, document.kind))
        made = None if findings else _binding(document)
        return Read(binding=made, findings=tuple(map(document.place, findings)))
    policy = _policy(document)
    findings = [*_policy_faults(document.object), *_expression_faults(policy)]
    return Read(policy=None if findings else policy, findings=tuple(map(document.place, findings)))


def _policy(document: Document) -> Policy:
    obj = document.object
    spec = object_at(obj, "spec")
    kind = object_at(spec, "paramKind")
    return Policy(
        kind=document.kind,
        name=document.name,
        file=document.file,
        match=_match(object_at(spec, "matchConstraints")),
        validations=tuple(map(_validation, list_at(spec, "validations"))),
        mutations=tuple(map(_mutation, list_at(spec, "mutations"))),
        conditions=tuple(map(_named, list_at(spec, "matchConditions"))),
        variables=tuple(map(_named, list_at(spec, "variables"))),
        params=ParamKind(text_at(kind, "apiVersion"), text_at(kind, "kind")) if kind else None,
        ignores_failures=text_at(spec, "failurePolicy") == "Ignore",
    )


def _binding(document: Document) -> Binding:
    spec = object_at(document.object, "spec")
    reference = object_at(spec, "paramRef")
    return Binding(
        kind=document.kind.removesuffix(BINDING),
        name=document.name,
        file=document.file,
        policy=text_at(spec, "policyName"),
        match=_match(object_at(spec, "matchResources")),
        params=_param_ref(reference) if reference else None,
        actions=texts(spec.get("validationActions")),
    )


def _match(value: JsonObject) -> Match:
    return Match(
        rules=tuple(map(_rule, list_at(value, "resourceRules"))),
        excluded=tuple(map(_rule, list_at(value, "excludeResourceRules"))),
        namespaces=object_at(value, "namespaceSelector"),
        objects=object_at(value, "objectSelector"),
    )


def _rule(value: JsonValue) -> ResourceRule:
    return ResourceRule(
        groups=texts(value_at(value, "apiGroups")),
        versions=texts(value_at(value, "apiVersions")),
        resources=texts(value_at(value, "resources")),
        operations=texts(value_at(value, "operations")),
        scope=text_at(value, "scope") or "*",
        names=texts(value_at(value, "resourceNames")),
    )


def _named(value: JsonValue) -> Named:
    return Named(text_at(value, "name"), text_at(value, "expression"))


def _validation(value: JsonValue) -> Validation:
    fields = ("expression", "message", "messageExpression", "reason")
    return Validation(*(text_at(value, name) for name in fields))


def _mutation(value: JsonValue) -> Mutation:
    kind = text_at(value, "patchType")
    field = {"JSONPatch": "jsonPatch", "ApplyConfiguration": "applyConfiguration"}.get(kind, "")
    return Mutation(kind, text_at(value, field, "expression"))


def _param_ref(value: JsonObject) -> ParamRef:
    selector = value.get("selector")
    return ParamRef(
        name=text_at(value, "name"),
        namespace=text_at(value, "namespace"),
        selector=selector if isinstance(selector, dict) else None,
        required=text_at(value, "parameterNotFoundAction") != "Allow",
    )


def _fault(path: Path, message: str, remedy: str) -> Finding:
    return checks.FAULTY.at(path, message, help=remedy)


def _policy_faults(obj: JsonObject) -> Iterator[Finding]:
    spec = object_at(obj, "spec")
    if not list_at(spec, "matchConstraints", "resourceRules"):
        path: Path = ("spec", "matchConstraints", "resourceRules")
        yield _fault(path, "there are no rules, but a policy must say what it is about", "Add resourceRules.")
    what = "mutations" if obj.get("kind") == MUTATING else "validations"
    if not list_at(spec, what) and not list_at(spec, "auditAnnotations"):
        yield _fault(("spec", what), f"there are no {what}, so the policy says nothing", f"Add {what}.")
    failure = spec.get("failurePolicy", "Fail")
    if failure not in ("Fail", "Ignore"):
        path = ("spec", "failurePolicy")
        yield _fault(path, f"failurePolicy is '{failure}', but may be 'Fail' or 'Ignore'", "Write one of the two.")
    kind = spec.get("paramKind")
    if kind is not None and not (text_at(kind, "apiVersion") and text_at(kind, "kind")):
        yield _fault(("spec", "paramKind"), "paramKind is not complete", "Write both apiVersion and kind.")


def _binding_faults(obj: JsonObject, kind: str) -> Iterator[Finding]:
    spec = object_at(obj, "spec")
    if not text_at(spec, "policyName"):
        yield _fault(("spec", "policyName"), "there is no policyName, but a binding needs one", "Name the policy.")
    reference = spec.get("paramRef")
    if reference is not None and bool(text_at(reference, "name")) == bool(value_at(reference, "selector") is not None):
        remedy = "Write name for one object, or selector for several."
        yield _fault(("spec", "paramRef"), "paramRef takes either a name or a selector", remedy)
    if kind.startswith(VALIDATING):
        yield from _action_faults(spec.get("validationActions"))


def _action_faults(value: Any) -> Iterator[Finding]:
    path: Path = ("spec", "validationActions")
    actions = texts(value)
    unknown = [action for action in actions if action not in ACTIONS]
    if not actions:
        yield _fault(path, "there are no validationActions, but a binding needs some", "Write Deny, Warn or Audit.")
    elif unknown:
        yield _fault(path, f"there is no action '{unknown[0]}'", "The actions are Deny, Warn and Audit.")
    elif {"Deny", "Warn"} <= set(actions):
        yield _fault(path, "Deny and Warn exclude each other", "Take one of the two; Audit goes with both.")


def _expression_faults(policy: Policy) -> Iterator[Finding]:
    from trainergen.policies.expressions import faults

    known: list[str] = []
    for path, expression, variables in _expressions(policy, known):
        if not expression.strip():
            yield _fault(path, "there is no expression", "Write one, or drop the entry.")
            continue
        for fault in faults(expression, variables=variables, params=policy.params is not None):
            line = expression.count("\n", 0, fault.at) + 1
            column = fault.at - (expression.rfind("\n", 0, fault.at) + 1) + 1
            place = f"column {column}" if "\n" not in expression.strip() else f"line {line}, column {column}"
            remedy = f"The API server does not take the policy; look at {place} of the expression."
            yield _fault(path, f"the expression does not compile: {fault.message}", remedy)


def _expressions(policy: Policy, known: list[str]) -> Iterator[tuple[Path, str, list[str]]]:
    """Every expression with its path and the variables that are there for it."""
    for index, variable in enumerate(policy.variables):
        yield ("spec", "variables", index, "expression"), variable.expression, known
        known.append(variable.name)
    for index, condition in enumerate(policy.conditions):
        yield ("spec", "matchConditions", index, "expression"), condition.expression, known
    for index, validation in enumerate(policy.validations):
        yield ("spec", "validations", index, "expression"), validation.expression, known
        if validation.message_expression:
            yield ("spec", "validations", index, "messageExpression"), validation.message_expression, known
    for index, mutation in enumerate(policy.mutations):
        field = "jsonPatch" if mutation.patch_type == "JSONPatch" else "applyConfiguration"
        yield ("spec", "mutations", index, field, "expression"), mutation.expression, known
