"""What the validating policies say about one object.

Behaviour: kubernetes/apiserver pkg/admission/plugin/policy/validating/{dispatcher.go,validator.go} @ v0.35.0.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from trainergen.cel.engine import EvaluationError
from trainergen.finding import Finding, NotEvaluated, Path, Severity
from trainergen.policies import checks
from trainergen.policies.evaluation import Environment, UnknownError
from trainergen.policies.places import NAME, place_of

if TYPE_CHECKING:
    from trainergen.policies.model import Binding, Policy, Validation
    from trainergen.policies.target import Target

_LONGEST_MESSAGE = 5 * 1024


@dataclass(slots=True)
class Review:
    """Findings with paths inside the object, and what could not be decided."""

    findings: list[Finding] = field(default_factory=list)
    not_evaluated: list[NotEvaluated] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Case:
    """One policy in force through one binding, for one object and one set of parameters."""

    policy: Policy
    binding: Binding
    target: Target

    @property
    def title(self) -> str:
        """``policy 'gpu-cap' (binding 'gpu-cap-all')``."""
        return f"policy '{self.policy.name}' (binding '{self.binding.name}')"

    def unknown(self, what: str, reason: str, review: Review) -> None:
        """Note what could not be decided."""
        told = f"{self.title} cannot decide on {self.target.title}: {what}{reason}"
        review.not_evaluated.append(NotEvaluated(checks.DENIED.id, told, checks.DENIED.layer, NAME))

    def failed(self, reason: str, expression: str, review: Review, *, always: bool = False) -> None:
        """Note that there is no verdict although there should be one; ``failurePolicy`` decides."""
        if self.target.rendered:
            # The real object has been through defaulting, so a field may be there that is missing here.
            self.unknown(_shown(expression), f" has no value for the rendered object ({reason})", review)
            return
        if self.policy.ignores_failures:
            message = f"{self.title} is ignored: {reason}"
            finding = replace(checks.FAILED.at(NAME, message, help=_asks(expression)), severity=Severity.INFO)
            review.findings.append(finding)
            return
        remedy = f"failurePolicy Fail refuses what cannot be computed. {_asks(expression)}".strip()
        action = "Deny" if always else _strongest(self.binding)
        severity = {"Deny": Severity.ERROR, "Warn": Severity.WARNING}.get(action, Severity.INFO)
        finding = checks.FAILED.at(NAME, f"{self.title} has no verdict: {reason}", help=remedy)
        review.findings.append(replace(finding, severity=severity))


def is_relevant(case: Case, environment: Environment, review: Review) -> bool:
    """Whether all match conditions hold; one that is false decides, whatever the others are.

    NB: the server gives them no namespace: ``namespaceObject`` is null there.
    """
    environment = Environment(case.policy, {**environment.bindings, "namespaceObject": None})
    undecided: list[tuple[str, Exception]] = []
    for condition in case.policy.conditions:
        try:
            if environment.value(condition.expression) is False:
                return False
        except (EvaluationError, UnknownError) as error:
            undecided.append((condition.expression, error))
    unknown = [entry for entry in undecided if isinstance(entry[1], UnknownError)]
    for expression, reason in unknown[:1] or undecided[:1]:
        if isinstance(reason, UnknownError):
            case.unknown(_shown(expression), f": {reason}", review)
        else:
            case.failed(str(reason), expression, review)
    return not undecided


def validate(case: Case, environment: Environment, review: Review) -> None:
    """Evaluate the validations of a policy whose conditions hold."""
    for validation in case.policy.validations:
        try:
            value = environment.value(validation.expression)
        except UnknownError as error:
            case.unknown(_shown(validation.expression), f": {error}", review)
        except EvaluationError as error:
            case.failed(str(error), validation.expression, review)
        else:
            if value is not True:
                review.findings.append(_denied(case, validation, environment))


def _denied(case: Case, validation: Validation, environment: Environment) -> Finding:
    check = {"Deny": checks.DENIED, "Warn": checks.WARNED}.get(_strongest(case.binding), checks.AUDITED)
    says = {checks.DENIED: "refuses it", checks.WARNED: "warns"}.get(check, "notes it for audits")
    message = f"{case.title} {says}: {_message(validation, environment)}"
    return check.at(_place(case, validation.expression), message, help=_asks(validation.expression))


def _place(case: Case, expression: str) -> Path:
    return place_of(expression, case.policy, case.target.object)


def _strongest(binding: Binding) -> str:
    return next((action for action in ("Deny", "Warn", "Audit") if action in binding.actions), "Audit")


def _message(validation: Validation, environment: Environment) -> str:
    """What the policy says: its computed message if that is one, its fixed one, or the expression."""
    if validation.message_expression:
        try:
            value = environment.value(validation.message_expression)
        except (EvaluationError, UnknownError):
            value = None
        text = value.strip() if isinstance(value, str) else ""
        if text and "\n" not in text and len(text.encode()) <= _LONGEST_MESSAGE:
            return text
    return validation.message.strip() or f"failed expression: {_one_line(validation.expression)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shown(expression: str) -> str:
    return f"'{_one_line(expression)}'"


def _asks(expression: str) -> str:
    return f"It asks for {_shown(expression)}." if expression else ""
