"""The verdict on one legacy object: structure by its recorded CRD, then what its webhook or controller refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.legacy import checks, webhook
from trainergen.admission.legacy.kinds import KINDS, legacy_kind
from trainergen.admission.legacy.schemas import load_legacy
from trainergen.admission.result import Admission
from trainergen.admission.rules import evaluate_rules
from trainergen.admission.structural import admit_structure
from trainergen.api.access import text_at

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject


def is_served(obj: JsonObject) -> bool:
    """True when the object is of a kind that an operator served."""
    return legacy_kind(text_at(obj, "apiVersion"), text_at(obj, "kind")) is not None


def judge_legacy(obj: JsonObject, *, webhooks: bool = True) -> tuple[Finding, ...]:
    """The findings on a legacy job in a repository: the operator's, and that it can be migrated."""
    hint = checks.LEGACY_JOB.at(
        ("kind",),
        f"{text_at(obj, 'kind')} is a kind of the Training Operator, which the Trainer replaces",
        help="'trainergen migrate' rewrites it as a TrainJob.",
    )
    return (*admit_legacy(obj, webhooks=webhooks).findings, hint)


def admit_legacy(obj: JsonObject, *, old: JsonObject | None = None, webhooks: bool = True) -> Admission:
    """Say what a cluster with the last Training Operator makes of a legacy job, ``old`` the stored one on an update.

    ``MXJob`` is judged by Training Operator 1.8, ``v2beta1`` by MPI Operator 0.8.
    """
    api_version, name = text_at(obj, "apiVersion"), text_at(obj, "kind")
    kind = legacy_kind(api_version, name)
    if kind is None:
        served = " and ".join(each.api_version for each in KINDS.values() if each.kind == name)
        message = f"apiVersion is '{api_version}', but {name or 'the kind'} is served as {served or 'nothing'}"
        remedy = "Run 'trainergen migrate', or write a version that the operator serves."
        return Admission((checks.LEGACY_NOT_SERVED.at(("apiVersion",), message, help=remedy),), obj)
    schemas = load_legacy()[kind.version]
    result = admit_structure(obj, schemas, schemas.kinds[kind.kind], old=old)
    rules = evaluate_rules(result, schemas, schemas.kinds[kind.kind])
    refusals = tuple(webhook.check(result.object, kind)) if webhooks else ()
    return Admission((*result.findings, *rules.findings, *refusals), result.object, rules.not_evaluated)
