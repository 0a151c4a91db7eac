"""``podSpecOverrides`` become ``podTemplateOverrides``: the fields of the Pod move below ``spec``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.upgrade.draft import entries, items
from trainergen.upgrade.work import JOB, Work

if TYPE_CHECKING:
    from trainergen.upgrade.draft import Part

OLD, NEW = "podSpecOverrides", "podTemplateOverrides"


def pod_template_overrides(work: Work) -> None:
    """Rename and nest, as kubeflow/trainer did between v2.0.1 and v2.1.0 in pkg/apis/trainer/v1alpha1."""
    draft = work.draft
    if work.document.kind != JOB or work.old.behaviours.overrides_field != OLD or not draft.has("spec", OLD):
        return
    if work.new.behaviours.overrides_field == OLD:
        return
    converted: list[Part] = [_nested(entry) for entry in items(draft.part("spec", OLD))]
    others = items(draft.part("spec", NEW))
    draft.put(("spec", NEW), [*converted, *others], instead=OLD)
    work.note(f"spec.{OLD} is spec.{NEW}, with the fields of the Pod below spec")


def _nested(entry: Part) -> Part:
    fields = entries(entry)
    if not fields:
        return entry
    spec = {key: value for key, value in fields.items() if key != "targetJobs"}
    targets = {"targetJobs": fields["targetJobs"]} if "targetJobs" in fields else {}
    return {**targets, "spec": spec} if spec else targets
