"""Which Pods Istio gives a sidecar, as far as the files of a run say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.rules import Objects, Part

INJECT = "sidecar.istio.io/inject"
LOOKED_UP = ("Namespace", "Profile")


def injecting(objects: Objects, namespace: str) -> str:
    """What makes Istio inject into a namespace, as words; empty when nothing in the run does.

    A Profile of Kubeflow makes a namespace of its name, with injection.
    """
    entry = objects.find("Namespace", namespace)
    if entry is not None:
        labels = entry.object.part("metadata.labels")
        if labels.text("", "istio-injection") == "enabled":
            return "the label istio-injection"
        if labels.text("", "istio.io/rev") and not labels.has("", "istio-injection"):
            return "the label istio.io/rev"
        return ""
    profiles = [one for one in objects.of("Profile") if one.name == namespace and one.group == "kubeflow.org"]
    return "the Profile of Kubeflow" if profiles else ""


def wish(template: Part) -> str:
    """What a Pod template says on injection: ``true``, ``false`` or nothing. The label beats the old annotation."""
    for place in ("metadata.labels", "metadata.annotations"):
        value = template.get(place, INJECT)
        if value is not None:
            return str(value).lower()
    return ""
