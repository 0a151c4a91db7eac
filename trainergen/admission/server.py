"""The API server alone: what it says about an object by the kind's schema and rules, without Trainer's webhooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.result import Admission
from trainergen.admission.rules import evaluate_rules
from trainergen.admission.structural import Mutate, admit_structure

if TYPE_CHECKING:
    from trainergen.api.structural import Kind, StructuralSchemas
    from trainergen.finding import JsonObject


def admit_object(
    obj: JsonObject,
    schemas: StructuralSchemas,
    kind: Kind,
    *,
    old: JsonObject | None = None,
    mutate: Mutate | None = None,
) -> Admission:
    """``admit_structure`` and then the rules; see there for ``old`` and ``mutate``.

    The result's object is what validating webhooks get to see; they are only called when it is not refused.
    """
    structure = admit_structure(obj, schemas, kind, old=old, mutate=mutate)
    rules = evaluate_rules(structure, schemas, kind)
    return Admission((*structure.findings, *rules.findings), structure.object, rules.not_evaluated)
