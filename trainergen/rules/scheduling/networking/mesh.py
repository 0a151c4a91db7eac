"""Which Pods Istio gives a sidecar, as far as the files of a run say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.rules import Objects, Part

INJECT = "sidecar.istio.io/inject"
LOOKED_UP = ("Namespace", "Profile")


def injecting(objects: Objects, namespace: str) -> str:
    """Why Istio injects into a namespace, as a predicate of it; empty when nothing in the run says so.

    A Profile of Kubeflow makes a namespace of its name, with injection.
    """
    entry = objects.find("Namespace", namespace)
    if entry is not None:
        labels = entry.object.part("metadata.labels")
        if labels.text("", "istio-injection") == "enabled":
            return "has the label istio-injection"
        if labels.text("", "istio.io/rev") and not labels.has("", "istio-injection"):
            return "has the label istio.io/rev"
        return ""
    profiles = [one for one in objects.of("Profile") if one.name == namespace and one.group == "kubeflow.org"]
    return "is that of a Kubeflow Profile" if profiles else ""


def wish(template: Part) -> str:
    """What a Pod template says on injection: ``true``, ``false`` or nothing. The label beats the old annotation."""
    for place in ("metadata.labels", "metadata.annotations"):
        value = template.get(place, INJECT)
        if value is not None:
            return str(value).lower()
    return ""
