"""What annotations tell Argo CD about single objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.rules.views.argo import ArgoApplication

SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
COMPARE_OPTIONS = "argocd.argoproj.io/compare-options"
HOOK = "argocd.argoproj.io/hook"
WAVE = "argocd.argoproj.io/sync-wave"
WAITING = ("Deployment", "StatefulSet", "Job", "Service", "InferenceService")
"""Kinds that commonly come after training."""


def options_in(annotations: JsonObject, name: str = SYNC_OPTIONS) -> dict[str, str]:
    """The options of a comma-separated annotation, by name."""
    text = annotations.get(name)
    options = text.split(",") if isinstance(text, str) else ()
    return {key.strip(): value.strip() for key, _, value in (option.partition("=") for option in options)}


def wave_of(annotations: JsonObject) -> int:
    """The sync wave; 0 when there is none."""
    try:
        return int(str(annotations.get(WAVE, 0)))
    except ValueError:
        return 0


def compares_on_the_server(app: ArgoApplication) -> bool:
    """Whether the Application, or Argo CD as a whole in a ConfigMap of the run, asks the API server for differences."""
    if options_in(app.mapping("metadata.annotations"), COMPARE_OPTIONS).get("ServerSideDiff") == "true":
        return True
    return any(
        entry.name == "argocd-cmd-params-cm" and entry.object.text("data", "controller.diff.server.side") == "true"
        for entry in app.objects.of("ConfigMap")
    )


def settings_of(app: ArgoApplication) -> JsonObject | None:
    """The data of the ConfigMap ``argocd-cm``, None when no file has it."""
    found = [entry for entry in app.objects.of("ConfigMap") if entry.name == "argocd-cm"]
    return found[0].object.mapping("data") if found else None


def has_job_health(settings: JsonObject) -> bool:
    """Whether Argo CD is told how to see the health of TrainJobs."""
    if "resource.customizations.health.trainer.kubeflow.org_TrainJob" in settings:
        return True
    return any(
        name in str(settings.get("resource.customizations", ""))
        for name in ("trainer.kubeflow.org/TrainJob", "trainer.kubeflow.org/*")
    )
