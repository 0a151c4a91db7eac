"""Kustomizations of Flux: one for each unit, each waiting for those before it."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from trainergen.generate.delivery import TRAINER, in_repository, name_of
from trainergen.generate.flux.health import USUAL_TIMEOUT, expressions, timeout
from trainergen.generate.flux.sources import metadata, repository_reference
from trainergen.generate.install.crds import CRDS, has_crds
from trainergen.generate.layout import JOBS, delivered_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trainergen.finding import JsonObject
    from trainergen.generate.layout import Unit
    from trainergen.generate.resolved import Environment, Resolved

_API = "kustomize.toolkit.fluxcd.io/v1"
_CRDS = f"{TRAINER}-crds"


def installation(resolved: Resolved, environment: Environment, folder: PurePosixPath) -> Iterator[JsonObject]:
    """The Kustomizations that install the Trainer: its CRDs, then the release in ``folder``."""
    before = []
    if has_crds(resolved.release):
        before = [_CRDS]
        yield _kustomization(resolved, environment, _CRDS, CRDS, prune=False)
    yield _kustomization(resolved, environment, TRAINER, folder, prune=False, depends=before)


def unit_kustomization(
    resolved: Resolved, environment: Environment, unit: Unit, *, depends: Sequence[str], folder: PurePosixPath
) -> JsonObject:
    """The Kustomization of a unit, whose manifests are in ``folder``."""
    name = name_of(resolved, environment, unit)
    out = _kustomization(resolved, environment, name, folder, depends=depends)
    spec = out["spec"]
    assert isinstance(spec, dict)
    spec["timeout"] = timeout(resolved, environment, unit)
    # Training takes as long as it takes; nothing is to wait for it unless that is wanted.
    spec["wait"] = unit is not JOBS or resolved.await_jobs
    found = expressions(unit.objects(environment), jobs=resolved.await_jobs) if resolved.format != "helm" else []
    if found and spec["wait"]:
        spec["healthCheckExprs"] = found
    return out


def _kustomization(
    resolved: Resolved,
    environment: Environment,
    name: str,
    path: PurePosixPath,
    *,
    prune: bool = True,
    depends: Sequence[str] = (),
) -> JsonObject:
    spec: JsonObject = {
        "interval": "10m",
        "retryInterval": "1m",
        "timeout": USUAL_TIMEOUT,
        "path": f"./{in_repository(resolved, path)}",
        "prune": prune,
        "wait": True,
        "sourceRef": repository_reference(resolved, environment),
    }
    if depends:
        spec = {"dependsOn": [{"name": each} for each in depends], **spec}
    return {"apiVersion": _API, "kind": "Kustomization", "metadata": metadata(name), "spec": spec}


def path_of(resolved: Resolved, environment: Environment, unit: Unit, releases: PurePosixPath) -> PurePosixPath:
    """The folder that a Kustomization applies: that of the unit, or with a chart that of its HelmRelease."""
    if resolved.format == "helm":
        return releases / unit.name
    return delivered_folder(resolved, unit, environment)
