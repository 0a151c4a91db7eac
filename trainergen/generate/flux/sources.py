"""Sources of Flux: the repository with the tree, and the chart of the Trainer as an artifact of a registry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.generate.delivery import tree_name
from trainergen.generate.install.chart import REGISTRY, chart_of
from trainergen.rules.gitops.helm.chart_facts import CHART

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.generate.resolved import Environment, Resolved

SOURCE = "source.toolkit.fluxcd.io/v1"
FLUX_NAMESPACE = "flux-system"
_COMMIT = re.compile(r"[0-9a-f]{40}")
_TAG = re.compile(r"v?\d+\.\d+\.\d+([-+].*)?")
_CONTENT = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"


def metadata(name: str) -> JsonObject:
    """The metadata of an object of Flux."""
    return {"name": name, "namespace": FLUX_NAMESPACE}


def repository(resolved: Resolved, environment: Environment) -> JsonObject:
    """The GitRepository of an environment, at its branch, tag, commit or full name of a reference."""
    spec: JsonObject = {"interval": "5m", "url": resolved.repository, "ref": _reference(environment.revision)}
    if resolved.credentials:
        spec["secretRef"] = {"name": resolved.credentials}
    return {
        "apiVersion": SOURCE,
        "kind": "GitRepository",
        "metadata": metadata(tree_name(resolved, environment)),
        "spec": spec,
    }


def repository_reference(resolved: Resolved, environment: Environment) -> JsonObject:
    """What refers to the GitRepository."""
    return {"kind": "GitRepository", "name": tree_name(resolved, environment), "namespace": FLUX_NAMESPACE}


def chart(resolved: Resolved) -> JsonObject:
    """The OCIRepository of the Trainer's chart, at one version."""
    return {
        "apiVersion": SOURCE,
        "kind": "OCIRepository",
        "metadata": metadata(CHART),
        "spec": {
            "interval": "1h",
            "url": f"oci://{REGISTRY}/{CHART}",
            "ref": {"tag": chart_of(resolved.release).chart},
            "layerSelector": {"mediaType": _CONTENT, "operation": "copy"},
        },
    }


def _reference(revision: str) -> JsonObject:
    if _COMMIT.fullmatch(revision):
        return {"commit": revision}
    if revision.startswith("refs/"):
        return {"name": revision}
    return {"tag": revision} if _TAG.fullmatch(revision) else {"branch": revision}
