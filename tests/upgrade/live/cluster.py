"""A cluster in memory, which is read like one behind an API server."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from trainergen.releases.catalogue import shipped_runtimes
from trainergen.upgrade.live.reader import (
    CLUSTER_RUNTIMES,
    CRDS,
    DEPLOYMENTS,
    LEGACY,
    MUTATING,
    RUNTIMES,
    SECRETS,
    TRAIN_JOBS,
    VALIDATING,
    NotFoundError,
    ReadError,
    Resource,
)

if TYPE_CHECKING:
    from trainergen.finding import JsonObject

ROOT = Path(__file__).parents[3]
_ALWAYS = (CRDS, DEPLOYMENTS, SECRETS, VALIDATING, MUTATING, CLUSTER_RUNTIMES, RUNTIMES, TRAIN_JOBS)
_REFUSED = 'not allowed: {} is forbidden: User "reader" cannot list resource "{}"'


class InMemoryCluster:
    """Implements ``ClusterReader``; ``forbidden`` are plurals that are refused, ``asked`` what was read."""

    context = "own"

    def __init__(self, *, kubernetes: str = "v1.34.1") -> None:
        self.kubernetes = kubernetes
        self.forbidden: set[str] = set()
        self.asked: list[tuple[str, str, str, bool]] = []
        self._objects: dict[Resource, list[JsonObject]] = {one: [] for one in _ALWAYS}

    def add(self, resource: Resource, *objects: Any) -> InMemoryCluster:
        self._objects.setdefault(resource, []).extend(objects)
        return self

    def forbid_all(self) -> None:
        """Nothing may be read but the version."""
        self.forbidden = {one.plural for one in (*self._objects, *LEGACY)}

    def drop(self, resource: Resource) -> None:
        """The kind is no longer served."""
        del self._objects[resource]

    def version(self) -> str:
        self._check("version")
        return self.kubernetes

    def get(self, resource: Resource, name: str, namespace: str = "") -> JsonObject:
        self._check(resource.plural)
        for obj in self._objects.get(resource, ()):
            if key_of(obj) == (namespace, name):
                return obj
        raise NotFoundError(f'{resource.plural} "{name}" not found')

    def list(
        self, resource: Resource, *, namespace: str = "", selector: str = "", metadata_only: bool = False
    ) -> list[JsonObject]:
        self._check(resource.plural)
        self.asked.append((resource.plural, namespace, selector, metadata_only))
        if resource not in self._objects:
            raise NotFoundError("the server could not find the requested resource")
        found = [obj for obj in self._objects[resource] if namespace in ("", key_of(obj)[0]) and _fits(obj, selector)]
        return [{"metadata": obj["metadata"]} for obj in found] if metadata_only else found

    def _check(self, plural: str) -> None:
        if plural in self.forbidden:
            raise ReadError(_REFUSED.format(plural, plural))


def key_of(obj: Any) -> tuple[str, str]:
    metadata = obj["metadata"]
    return metadata.get("namespace", ""), metadata["name"]


def _fits(obj: Any, selector: str) -> bool:
    wanted = dict(part.split("=") for part in selector.split(",") if part)
    return wanted.items() <= obj["metadata"].get("labels", {}).items()


@cache
def _crds(release: str) -> str:
    files = sorted((ROOT / "schemas" / release / "crds").glob("*.yaml"))
    crds = [yaml.load(file.read_bytes(), yaml.CSafeLoader) for file in files]
    recorded = json.loads(lzma.decompress((ROOT / "tests" / "oracle" / "crds" / "jobsets.json.xz").read_bytes()))
    return json.dumps([*crds, recorded[release]])


def crds(release: str, **annotations: str) -> list[Any]:
    """The CRDs of a release and of its JobSet as an API server has them; names of annotations with ``_`` for ``/``."""
    found: list[Any] = json.loads(_crds(release))
    for crd in found:
        crd["metadata"]["annotations"] = {key.replace("_", "/", 1): value for key, value in annotations.items()}
        crd["metadata"]["managedFields"] = [{"manager": "helm"}, {"manager": "apiserver", "subresource": "status"}]
        crd["status"] = {
            "storedVersions": [version["name"] for version in crd["spec"]["versions"]],
            "conditions": [{"type": "Established", "status": "True"}, {"type": "NamesAccepted", "status": "True"}],
        }
    return found


def deployment(
    image: str, *args: str, name: str = "manager", namespace: str = "kubeflow-system", helm: str = ""
) -> Any:
    metadata: dict[str, Any] = {"name": name, "namespace": namespace}
    if helm:
        metadata["annotations"] = {"meta.helm.sh/release-name": helm, "meta.helm.sh/release-namespace": namespace}
        metadata["labels"] = {"app.kubernetes.io/managed-by": "Helm", "helm.sh/chart": "kubeflow-trainer-2.1.0"}
    container = {"name": "manager", "image": image, "command": ["/manager"], "args": list(args)}
    return {"metadata": metadata, "spec": {"template": {"spec": {"containers": [container]}}}}


def helm_secret(name: str, revision: int, status: str, namespace: str = "kubeflow-system") -> Any:
    labels = {"owner": "helm", "name": name, "version": str(revision), "status": status}
    metadata = {"name": f"sh.helm.release.v1.{name}.v{revision}", "namespace": namespace, "labels": labels}
    return {"metadata": metadata, "data": {"release": "secret"}}


def webhooks(name: str, *, ca: str = "Q0E=", group: str = "trainer.kubeflow.org") -> Any:
    client = {"service": {"namespace": "kubeflow-system", "name": "trainer"}, "caBundle": ca}
    hook = {"name": f"one.{name}", "clientConfig": client, "rules": [{"apiGroups": [group]}], "failurePolicy": "Fail"}
    return {"metadata": {"name": name}, "webhooks": [hook]}


def runtime(shipped: str, release: str, **metadata: Any) -> Any:
    """A runtime that a release ships, as a cluster has it."""
    found = json.loads(json.dumps(shipped_runtimes(release)[shipped]))
    found["metadata"] |= {"uid": "u", "resourceVersion": "7", **metadata}
    return found


def job(name: str, spec: Any = None, *, phase: str = "Running", namespace: str = "team-a") -> Any:
    """A TrainJob in one of the phases."""
    status: dict[str, Any] = {"jobsStatus": [{"name": "node", "active": 1}]} if phase == "Running" else {}
    if phase in ("Complete", "Failed", "Suspended"):
        status["conditions"] = [{"type": phase, "status": "True"}]
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": name, "namespace": namespace, "uid": "u", "managedFields": [{"manager": "kubectl"}]},
        "spec": {"runtimeRef": {"name": "torch-distributed"}, "suspend": phase == "Suspended", **(spec or {})},
        "status": status,
    }


OVERRIDES = {"podTemplateOverrides": [{"targetJobs": [{"name": "node"}], "spec": {"nodeSelector": {"pool": "a100"}}}]}
TRAINER_IMAGE = "ghcr.io/kubeflow/trainer/trainer-controller-manager"


def healthy(release: str = "2.1", version: str = "v2.1.0") -> InMemoryCluster:
    """A cluster in which a release runs, with its CRDs, webhooks, runtimes, and what is beside it."""
    found = InMemoryCluster()
    found.add(CRDS, *crds(release)).add(DEPLOYMENTS, deployment(f"{TRAINER_IMAGE}:{version}", "--config=/c.yaml"))
    found.add(DEPLOYMENTS, deployment("registry.k8s.io/jobset/jobset:v0.10.1", name="jobset"))
    found.add(VALIDATING, webhooks("validator.trainer.kubeflow.org"))
    return found.add(CLUSTER_RUNTIMES, *(runtime(name, release) for name in shipped_runtimes(release)))
