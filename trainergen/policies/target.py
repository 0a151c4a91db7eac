"""What a policy is asked about: an object, and the request that would bring it to the API server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen.api.access import object_at, text_at

if TYPE_CHECKING:
    from trainergen.finding import JsonObject


class Resource(NamedTuple):
    """A kind as requests name it."""

    group: str
    version: str
    plural: str
    namespaced: bool = True


TRAINER = "trainer.kubeflow.org"
RESOURCES: dict[tuple[str, str], Resource] = {
    (resource.group, kind): resource
    for kind, resource in (
        ("TrainJob", Resource(TRAINER, "v1alpha1", "trainjobs")),
        ("TrainingRuntime", Resource(TRAINER, "v1alpha1", "trainingruntimes")),
        ("ClusterTrainingRuntime", Resource(TRAINER, "v1alpha1", "clustertrainingruntimes", namespaced=False)),
        ("JobSet", Resource("jobset.x-k8s.io", "v1alpha2", "jobsets")),
        ("Job", Resource("batch", "v1", "jobs")),
        ("Pod", Resource("", "v1", "pods")),
        ("ConfigMap", Resource("", "v1", "configmaps")),
        ("Secret", Resource("", "v1", "secrets")),
        ("PodGroup", Resource("scheduling.x-k8s.io", "v1alpha1", "podgroups")),
        ("PodGroup", Resource("scheduling.volcano.sh", "v1beta1", "podgroups")),
    )
}
"""The resources of the kinds that Trainer objects are, and that they become."""

DEFAULT_NAMESPACE = "default"


@dataclass(frozen=True, slots=True)
class Target:
    """An object as it is admitted. ``rendered`` ones lack what only their own admission would fill in."""

    object: JsonObject
    resource: Resource
    file: str
    old: JsonObject | None = None
    rendered: bool = False

    @property
    def kind(self) -> str:
        """The object's kind."""
        return text_at(self.object, "kind")

    @property
    def name(self) -> str:
        """The object's name; empty while the server has yet to generate one."""
        return text_at(self.object, "metadata", "name")

    @property
    def namespace(self) -> str:
        """The namespace of the request, empty for kinds outside of namespaces."""
        if not self.resource.namespaced:
            return ""
        return text_at(self.object, "metadata", "namespace") or DEFAULT_NAMESPACE

    @property
    def operation(self) -> str:
        """CREATE, or UPDATE where there is an old object."""
        return "CREATE" if self.old is None else "UPDATE"

    @property
    def title(self) -> str:
        """``JobSet 'mnist'``."""
        return f"{self.kind} '{self.name}'"

    def seen(self) -> JsonObject:
        """The object with the namespace that the server puts into it."""
        return _placed(self.object, self.namespace)

    def seen_old(self) -> JsonObject | None:
        """The old object, likewise."""
        return None if self.old is None else _placed(self.old, self.namespace)

    def request(self) -> dict[str, Any]:
        """The variable ``request``, without what is not known before somebody makes one."""
        group, version, plural, _ = self.resource
        kind = {"group": group, "version": version, "kind": self.kind}
        resource = {"group": group, "version": version, "resource": plural}
        return {
            "kind": kind,
            "resource": resource,
            "subResource": "",
            "requestKind": kind,
            "requestResource": resource,
            "requestSubResource": "",
            "name": self.name,
            "namespace": self.namespace,
            "operation": self.operation,
            "dryRun": False,
        }


def target_of(obj: JsonObject, *, file: str, old: JsonObject | None = None, rendered: bool = False) -> Target | None:
    """The target that an object is; None for a kind that is none of RESOURCES."""
    group = text_at(obj, "apiVersion").rpartition("/")[0]
    resource = RESOURCES.get((group, text_at(obj, "kind")))
    if resource is None:
        return None
    version = text_at(obj, "apiVersion").rpartition("/")[2]
    return Target(obj, resource._replace(version=version), file=file, old=old, rendered=rendered)


def _placed(obj: JsonObject, namespace: str) -> JsonObject:
    if not namespace or text_at(obj, "metadata", "namespace"):
        return obj
    return {**obj, "metadata": {**object_at(obj, "metadata"), "namespace": namespace}}
