"""HelmReleases: the Trainer's controllers, and for a tree with a chart one release of it for each unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.generate.argocd.applications import parts
from trainergen.generate.argocd.drift import secrets
from trainergen.generate.delivery import TRAINER, TRAINER_NAMESPACE, in_repository, name_of
from trainergen.generate.flux.health import expressions, timeout
from trainergen.generate.flux.sources import FLUX_NAMESPACE, metadata, repository_reference
from trainergen.generate.helm import values_file
from trainergen.generate.install.chart import chart_values
from trainergen.generate.layout import JOBS, delivered_folder
from trainergen.rules.gitops.helm.chart_facts import CHART

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.layout import Unit
    from trainergen.generate.resolved import Environment, Resolved

_API = "helm.toolkit.fluxcd.io/v2"


def _with_retries(**options: JsonValue) -> JsonObject:
    return {**options, "remediation": {"retries": 3}}


def trainer_release(resolved: Resolved) -> JsonObject:
    """The release of the Trainer; what its chart has in ``crds/``, those of JobSet among it, is upgraded with it."""
    ignored: list[JsonValue] = [
        {"paths": ["/data"], "target": {"kind": "Secret", "name": name}} for name in secrets(resolved.release)
    ]
    return {
        "apiVersion": _API,
        "kind": "HelmRelease",
        "metadata": metadata(TRAINER),
        "spec": {
            "interval": "1h",
            "timeout": "10m",
            "chartRef": {"kind": "OCIRepository", "name": CHART, "namespace": FLUX_NAMESPACE},
            # Service and Secrets are called after it, and the Trainer's documentation knows them by these names.
            "releaseName": CHART,
            "targetNamespace": TRAINER_NAMESPACE,
            "storageNamespace": TRAINER_NAMESPACE,
            "install": _with_retries(createNamespace=True, crds="CreateReplace"),
            "upgrade": _with_retries(crds="CreateReplace"),
            "driftDetection": {"mode": "enabled", "ignore": ignored},
            "values": chart_values(resolved.release),
        },
    }


def unit_release(resolved: Resolved, environment: Environment, unit: Unit) -> JsonObject:
    """The release of a unit of the tree's own chart; each new revision of the repository is a new chart."""
    folder = in_repository(resolved, delivered_folder(resolved, unit, environment))
    chart: JsonObject = {
        "chart": f"./{folder}",
        "reconcileStrategy": "Revision",
        "sourceRef": repository_reference(resolved, environment),
        "valuesFiles": [f"{folder}/values.yaml", f"{folder}/{values_file(environment.name)}"],
    }
    waits = unit is not JOBS or resolved.await_jobs
    spec: JsonObject = {
        "interval": "10m",
        "timeout": timeout(resolved, environment, unit),
        "chart": {"spec": chart},
        "targetNamespace": environment.namespace,
        # The namespace of the objects comes with one of the releases, so none can be recorded in it.
        "storageNamespace": FLUX_NAMESPACE,
        "install": _with_retries(crds="Skip", disableWait=not waits),
        "upgrade": _with_retries(crds="Skip", disableWait=not waits),
        "values": {"parts": parts(resolved, unit)},
    }
    found = expressions(unit.objects(environment), jobs=waits)
    if found:
        spec["healthCheckExprs"] = found
    name = name_of(resolved, environment, unit)
    return {"apiVersion": _API, "kind": "HelmRelease", "metadata": metadata(name), "spec": spec}
