"""What Pods refer to in their namespace: ConfigMaps, Secrets, claims, service accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.rules import Container, Job, Part, Pods

_IN_ENV = {"configMapKeyRef": "ConfigMap", "secretKeyRef": "Secret"}
_IN_ENV_FROM = {"configMapRef": "ConfigMap", "secretRef": "Secret"}
_IN_VOLUMES = {"configMap": ("ConfigMap", "name"), "secret": ("Secret", "secretName")}


class Reference(NamedTuple):
    """A reference to an object of the Pod's namespace."""

    kind: str
    name: str
    where: Part
    """The mapping that refers."""
    field: str
    """The field of it that holds the name."""
    keys: tuple[str, ...] = ()
    """The keys of the object that are needed."""


def references(job: Job) -> tuple[Reference, ...]:
    """All that the Pods of a job cannot start without; what is optional is left out."""
    return job.once(_references)


def _references(job: Job) -> tuple[Reference, ...]:
    return tuple(_found(job))


def _found(job: Job) -> Iterator[Reference]:
    for pods in job.pods:
        for container in pods.all_containers:
            yield from _of_container(container)
        yield from _of_volumes(pods)
        for secret in pods.spec.parts("imagePullSecrets"):
            yield Reference("Secret", secret.text("name"), secret, "name")
        account = pods.spec.text("serviceAccountName")
        if account and account != "default":
            yield Reference("ServiceAccount", account, pods.spec, "serviceAccountName")


def _of_container(container: Container) -> Iterator[Reference]:
    for entry in container.env.values():
        sources = entry.mapping("valueFrom")
        for field, kind in _IN_ENV.items() if sources else ():
            if not sources.get(field):
                continue
            source = entry.part("valueFrom", field)
            if source.get("optional") is not True:
                yield Reference(kind, source.text("name"), source, "name", (source.text("key"),))
    for entry in container.parts("envFrom"):
        for field, kind in _IN_ENV_FROM.items():
            source = entry.part(field)
            if source.value and source.get("optional") is not True:
                yield Reference(kind, source.text("name"), source, "name")


def _of_volumes(pods: Pods) -> Iterator[Reference]:
    for volume in pods.spec.parts("volumes"):
        for field, (kind, name) in _IN_VOLUMES.items():
            source = volume.part(field)
            if source.value and source.get("optional") is not True:
                keys = tuple(item.text("key") for item in source.parts("items"))
                yield Reference(kind, source.text(name), source, name, keys)
        claim = volume.part("persistentVolumeClaim")
        if claim.value:
            yield Reference("PersistentVolumeClaim", claim.text("claimName"), claim, "claimName")
