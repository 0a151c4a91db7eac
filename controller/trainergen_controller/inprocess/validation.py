"""What the server makes of an object that it is sent: decoded, with defaults, or refused.

Trainer's kinds and JobSet go through the same code as ``trainergen.admit``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.admission import checks
from trainergen.admission.admit import admit
from trainergen.admission.cluster import Cluster
from trainergen.admission.rules import evaluate_rules
from trainergen.admission.structural import admit_structure
from trainergen.api.structural import GROUP
from trainergen.finding import Layer
from trainergen_controller.errors import error_of
from trainergen_controller.inprocess.job_set_webhook import refusals
from trainergen_controller.inprocess.merging import nulls
from trainergen_controller.inprocess.metadata import completed, trimmed
from trainergen_controller.inprocess.refusals import invalid
from trainergen_controller.kinds import JOB_SET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from trainergen.finding import Finding
    from trainergen_controller.client import Object
    from trainergen_controller.errors import ApiError
    from trainergen_controller.inprocess.resources import Resource


@dataclass(frozen=True, slots=True)
class Validator:
    """Decodes, defaults and checks objects for one cluster."""

    release: str
    webhooks: bool
    """The webhooks of the Trainer and of JobSet have their say, too."""
    objects: Callable[[], Iterable[Object]]
    """All objects of the cluster, for webhooks that look others up."""
    now: Callable[[], str]

    def decode(self, resource: Resource, body: Object, *, strict: bool = False) -> Object:
        """``body`` with defaults, and without what the kind does not have; ApiError (400) for that if ``strict``."""
        structure = admit_structure(body, resource.schemas, resource.structural)
        unknown = [found for found in structure.findings if found.rule == checks.UNKNOWN_FIELD.id]
        if unknown and strict:
            text = ", ".join(f'unknown field "{found.path}"' for found in unknown)
            raise error_of(400, "BadRequest", f"strict decoding error: {text}")
        return completed(resource.kind, trimmed(structure.object))

    def nulls(self, resource: Resource, applied: Object) -> dict[str, str]:
        """The nulls that an apply leaves, by field: other than in what is sent, nobody drops them there."""
        content = {key: value for key, value in applied.items() if key != "metadata"}
        found = nulls(content, resource.shape) if resource.is_custom else ()
        return dict.fromkeys(found, "is null, and may not be")

    def accept(
        self,
        resource: Resource,
        obj: Object,
        *,
        old: Object | None,
        status: bool = False,
        faults: Mapping[str, str] = {},
    ) -> Object:
        """``obj`` as it is stored; InvalidError, or ForbiddenError from a webhook, if it is refused.

        ``status`` is a change of the status alone, which webhooks do not see. ``faults`` are known already, by field.
        """
        structure = admit_structure(obj, resource.schemas, resource.structural, old=old)
        findings, stored = structure.findings, structure.object
        if all(field.startswith("metadata.") for field in faults):
            # A null is of the wrong type, after which no rule is evaluated.
            findings += evaluate_rules(structure, resource.schemas, resource.structural).findings
        if self.webhooks and resource.kind.group == GROUP and not status:
            cluster = Cluster(self.objects(), complete=True)
            verdict = admit(obj, release=self.release, old=old, objects=cluster, now=self.now())
            findings, stored = verdict.findings, verdict.object or {}
        refusing = [found for found in findings if found.refuses and found.rule != checks.UNKNOWN_FIELD.id]
        if refusing or faults:
            raise _refusal(resource, obj, refusing, faults)
        if self.webhooks and resource.kind == JOB_SET and old is not None and not status:
            _ask_job_set(old, stored)
        return trimmed(stored)


def _ask_job_set(old: Object, new: Object) -> None:
    found = refusals(old, new)
    if found:
        name = str((new.get("metadata") or {}).get("name", ""))
        text = "; ".join(f"{field}: {reason}" for field, reason in found.items())
        message = f"JobSet's webhook refuses the change: {text}"
        raise error_of(403, "Forbidden", message, details={"name": name, "kind": JOB_SET.kind})


def _refusal(resource: Resource, obj: Object, findings: list[Finding], faults: Mapping[str, str]) -> ApiError:
    name = (obj.get("metadata") or {}).get("name", "")
    named = {"name": name, "group": resource.kind.group, "kind": resource.kind.kind}
    schema = [found for found in findings if found.layer is not Layer.WEBHOOK]
    if not schema and not faults:
        text = "; ".join(f"{found.path}: {found.message}" for found in findings)
        return error_of(403, "Forbidden", f"an admission webhook refuses the object: {text}", details=named)
    return invalid(resource.kind, name, {**faults, **{found.path: found.message for found in schema}})
