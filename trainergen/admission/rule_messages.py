"""The wording of what CEL rules find."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from trainergen.admission import checks
from trainergen.admission.messages import shown
from trainergen.cel.engine import EvaluationError, UnsupportedError, evaluate
from trainergen.cel.proofs import known
from trainergen.finding import Finding, JsonValue, Path, format_path

if TYPE_CHECKING:
    from trainergen.admission.rule_tree import Rule
    from trainergen.cel.values import CelValue

_FIELD_STEP = re.compile(r"\.([^.\[\]]+)|\['((?:[^'\\]|\\.)*)'\]")
_LONGEST_MESSAGE = 5 * 1024


def failed(rule: Rule, bindings: Mapping[str, CelValue], value: JsonValue, path: Path) -> Finding:
    """The finding of a rule that does not hold."""
    fact = known(rule.text)
    about = field_steps(rule.field_path) or (fact.about if fact else ())
    at = (*path, *about)
    for step in about:
        value = value.get(str(step)) if isinstance(value, dict) else value
    seen = "" if isinstance(value, dict | list) or not at else f"{_last(at)} is {shown(value)}: "
    remedy = fact.help if fact else "Change the value so that the rule holds."
    return checks.RULE_FAILED.at(at, f"{seen}{_said(rule, bindings)}", help=f"{remedy} The rule is {rule.text}.")


def rule_error(rule: Rule, reason: str, path: Path) -> Finding:
    """The finding of a rule that has no value for the object."""
    message = f"a rule of the resource definition cannot be computed for {_last(path)}: {reason}"
    fact = known(rule.text)
    remedy = fact.help if fact else "Add what the rule reads."
    return checks.RULE_ERROR.at(path, message, help=f"{remedy} The rule is {rule.text}.")


def immutable(path: Path, value: JsonValue, old: JsonValue) -> Finding:
    """The finding of a change to a field that may not change."""
    change = "has changed"
    if not isinstance(value, dict | list) and not isinstance(old, dict | list):
        change = f"has changed from {shown(old)} to {shown(value)}"
    message = f"{format_path(path)} {change}, but it cannot be changed once it is set"
    remedy = "Restore the old value, or delete the object and create it again, or give the new one another name."
    return checks.FIELD_IMMUTABLE.at(path, message, help=remedy)


def field_steps(field_path: str) -> Path:
    """The steps of a rule's ``fieldPath``, which is written like ``.spec.foo`` or ``.spec['a.b']``."""
    return tuple(name or re.sub(r"\\(.)", r"\1", quoted) for name, quoted in _FIELD_STEP.findall(field_path))


def _said(rule: Rule, bindings: Mapping[str, CelValue]) -> str:
    """The rule's own message: computed, fixed, or the rule itself."""
    if rule.message_expression:
        try:
            said = evaluate(rule.message_expression, bindings)
        except (EvaluationError, UnsupportedError):
            said = ""
        text = said.strip() if isinstance(said, str) else ""
        if text and "\n" not in text and len(text.encode()) <= _LONGEST_MESSAGE:
            return text
    return rule.message or f"failed rule: {rule.text}"


def _last(path: Path) -> str:
    names = [step for step in path if isinstance(step, str)]
    return names[-1] if names else "the object"
