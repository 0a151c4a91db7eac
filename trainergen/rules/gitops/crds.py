"""The definitions of the Trainer's kinds, and of those of its controllers, among what is delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules.gitops.installation import argo_charts

if TYPE_CHECKING:
    from trainergen.releases import Release
    from trainergen.rules.gitops.installation import ChartUse
    from trainergen.rules.objects import Entry
    from trainergen.rules.views.argo import ArgoApplication

CRD = "CustomResourceDefinition"
JOBSETS = "jobsets.jobset.x-k8s.io"
NAMES = ("trainjobs.trainer.kubeflow.org", "trainingruntimes.trainer.kubeflow.org", JOBSETS)
"""Words by which files with these definitions are known."""
_GROUPS = frozenset({"trainer.kubeflow.org", "jobset.x-k8s.io", "leaderworkerset.x-k8s.io"})


def is_training_crd(entry: Entry) -> bool:
    """Whether an object defines kinds of the Trainer, JobSet or LeaderWorkerSet."""
    return entry.kind == CRD and entry.name.partition(".")[2] in _GROUPS


def crds_in_chart(use: ChartUse, target: Release, *, skipped: bool = False) -> list[str] | None:
    """Whose definitions a use of the chart brings; None when values that are written elsewhere decide.

    ``skipped``: whoever renders the chart leaves out its ``crds/`` folders, where the definitions of the Trainer are up
    to 2.2 and those of JobSet always. kubeflow/trainer charts/kubeflow-trainer @ v2.2.1 and v2.3.0.
    """
    in_templates = use.within(target, since="2.3")
    own = use.flag("crds.enabled", default=True) if in_templates else not skipped
    jobset = False if skipped else use.flag("jobset.install", default=True)
    found = [name for name, is_there in (("Trainer", own), ("JobSet", jobset)) if is_there]
    return found if found or None not in (own, jobset) else None


def argo_crds(app: ArgoApplication) -> list[str] | None:
    """Whose definitions the Trainer's chart brings through an Application; None when that is not known."""
    found: list[str] = []
    unknown = False
    for use in argo_charts(app):
        names = crds_in_chart(use, app.release, skipped=use.owner.get("helm.skipCrds") is True)
        unknown = unknown or names is None
        found += names or []
    return found or (None if unknown else [])
