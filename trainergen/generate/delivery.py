"""What Argo CD and Flux have in common: names of what they make, places in the repository, annotations on objects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from trainergen.api.structural import GROUP
from trainergen.generate.layout import UNITS
from trainergen.generate.names import slug
from trainergen.rules.objects import CLUSTER_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import JsonObject
    from trainergen.generate.layout import Unit
    from trainergen.generate.resolved import Environment, Placed, Resolved

TRAINER = "trainer"
TRAINER_NAMESPACE = "kubeflow-system"
"""Where the SDK of Kubeflow looks for the Trainer."""
KEPT = frozenset({"Namespace", "PersistentVolumeClaim"})
"""Kinds that take what is in them along when they are deleted."""

_LONGEST_TREE = 40
_ARGO_OPTIONS = "argocd.argoproj.io/sync-options"
_FLUX_PRUNE = "kustomize.toolkit.fluxcd.io/prune"
_HELM_POLICY = "helm.sh/resource-policy"
_CONFIRMED = frozenset({"TrainJob", "TrainingRuntime", "ClusterTrainingRuntime", "ClusterQueue", "ResourceFlavor"})


class GroupKind(NamedTuple):
    """A kind with its API group."""

    group: str
    kind: str

    @property
    def is_cluster_scoped(self) -> bool:
        """Whether its objects are in no namespace."""
        return self.kind in CLUSTER_KINDS


def units_of(environment: Environment) -> tuple[Unit, ...]:
    """The units that have objects in an environment, in the order of delivery."""
    return tuple(unit for unit in UNITS if unit.objects(environment))


def installs(resolved: Resolved, environment: Environment) -> bool:
    """Whether the Trainer is installed with this environment: with the first of those that name the same cluster."""
    if not resolved.install or not environment.cluster:
        return resolved.install
    return next(each for each in resolved.environments if each.cluster == environment.cluster) is environment


def tree_name(resolved: Resolved, environment: Environment) -> str:
    """The name of what delivers the whole tree to an environment; teams that share the tree share it."""
    url = resolved.repository
    path = urlsplit(url).path if "://" in url else url.rpartition(":")[2]
    words = slug(f"{path.removesuffix('.git')} {resolved.directory}")
    while len(words) > _LONGEST_TREE and "-" in words:
        words = words.partition("-")[2]
    return f"{words[-_LONGEST_TREE:]}-{environment.name}"


def name_of(resolved: Resolved, environment: Environment, what: Unit | None = None) -> str:
    """The name of what delivers a unit of a team; of its project without one."""
    return "-".join((resolved.name, environment.name, *((what.name,) if what else ())))


def in_repository(resolved: Resolved, path: PurePosixPath | str) -> str:
    """A path of the tree as seen from the root of the repository."""
    return str(PurePosixPath(resolved.directory) / path)


def needs_trainer(unit: Unit, environment: Environment) -> bool:
    """Whether a unit has objects of the Trainer's kinds, which must be there before."""
    return any(kind.group == GROUP for kind in kinds_of(unit.objects(environment)))


def kinds_of(objects: Iterable[Placed]) -> list[GroupKind]:
    """The kinds of objects, each once, in order."""
    return sorted({_kind(placed.object) for placed in objects})


def _kind(obj: JsonObject) -> GroupKind:
    group, _, _ = str(obj["apiVersion"]).rpartition("/")
    return GroupKind(group, str(obj["kind"]))


def annotated(resolved: Resolved) -> Resolved:
    """``resolved`` with what the delivery has to know of single objects, as annotations on them.

    Namespaces and claims stay when their manifests go. Of runs and what they depend on Argo CD asks first; Flux and
    Helm can only delete what has gone or keep it for ever, so there the tree decides, by how many runs it keeps.
    """
    environments = tuple(
        replace(
            environment,
            objects=tuple(
                replace(placed, object=_annotate(placed.object, _annotations(resolved, placed.object)))
                for placed in environment.objects
            ),
        )
        for environment in resolved.environments
    )
    return replace(resolved, environments=environments)


def _annotations(resolved: Resolved, obj: JsonObject) -> JsonObject:
    kind = str(obj["kind"])
    out: JsonObject = {}
    if resolved.delivery == "argocd":
        if kind in KEPT:
            out[_ARGO_OPTIONS] = "Prune=false,Delete=false"
        elif kind in _CONFIRMED:
            out[_ARGO_OPTIONS] = "Prune=confirm"
    if kind in KEPT:
        if resolved.delivery == "flux":
            out[_FLUX_PRUNE] = "disabled"
        # In every form of the tree, so that the objects are the same in all of them.
        out[_HELM_POLICY] = "keep"
    return out


def _annotate(obj: JsonObject, added: JsonObject) -> JsonObject:
    if not added:
        return obj
    metadata = obj["metadata"]
    assert isinstance(metadata, dict)
    present = metadata.get("annotations")
    annotations = {**added, **present} if isinstance(present, dict) else added
    return {**obj, "metadata": {**metadata, "annotations": annotations}}
