"""A small world for the webhook tests: one TrainJob, one runtime, and what the webhook says of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import trainergen
from trainergen.admission.cluster import Cluster
from trainergen.finding import Layer, Severity

GROUP = "trainer.kubeflow.org"
ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"
OVERRIDES = {"2.0": "podSpecOverrides", "2.1": "podTemplateOverrides", "2.2": "runtimePatches", "2.3": "runtimePatches"}


def job(name="node", *, ancestor="trainer", containers=None, init=None, **more) -> dict[str, Any]:
    """A replicated job with one container called ``node``, labelled as the trainer."""
    pod = {"containers": containers if containers is not None else [{"name": "node", "image": "train:1"}]}
    if init is not None:
        pod["initContainers"] = init
    labels = {"metadata": {"labels": {ANCESTOR: ancestor}}} if ancestor else {}
    return {
        "name": name,
        "template": {**labels, "spec": {"template": {"spec": {**pod, **more.pop("pod", {})}}}},
        **more,
    }


def runtime(
    ml=None, *, jobs=None, name="rt", kind="ClusterTrainingRuntime", labels=None, namespace=None, **spec
) -> dict[str, Any]:
    """A runtime with the given ML policy and jobs."""
    metadata = {"name": name, "labels": labels or {}} | ({"namespace": namespace} if namespace else {})
    policy = {} if ml is None else {"mlPolicy": ml}
    template = {"template": {"metadata": spec.pop("metadata", {}), "spec": {"replicatedJobs": jobs or [job()]}}}
    return {
        "apiVersion": f"{GROUP}/v1alpha1",
        "kind": kind,
        "metadata": metadata,
        "spec": {**policy, **template, **spec},
    }


def train_job(spec=None, *, name="job-a", ref="rt") -> dict[str, Any]:
    """A TrainJob on the runtime ``rt``."""
    return {
        "apiVersion": f"{GROUP}/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": name, "namespace": "team-a"},
        "spec": {"runtimeRef": {"name": ref} if isinstance(ref, str) else ref, **(spec or {})},
    }


def override(release: str, job_name: str, pod=None, *, metadata=None, manager="acme.io/a") -> dict[str, Any]:
    """One override of the Pods of a job, as each release writes it."""
    pod = pod or {}
    if release == "2.0":
        return {"targetJobs": [{"name": job_name}], **pod}
    if release == "2.1":
        return {"targetJobs": [{"name": job_name}], "spec": pod}
    template = {"metadata": metadata} if metadata else {}
    jobs = [{"name": job_name, "template": {"spec": {"template": {"spec": pod}}}}]
    return {"manager": manager, "trainingRuntimeSpec": {"template": {**template, "spec": {"replicatedJobs": jobs}}}}


def said_by(releases: tuple[str, ...], said: list[str]) -> dict[str, list[str]]:
    """The same of each release."""
    return {release: list(said) for release in releases}


@dataclass
class Case:
    """One line of a table."""

    release: str
    said: list[str]
    spec: Any = None
    old: Any = None
    runtime: Any = None
    objects: Any = field(default_factory=list)
    known: bool = True
    undecided: list[str] | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def admit(self) -> Any:
        """The verdict on the case."""
        specs = (self.spec, self.old)
        new, old = (spec(self.release) if callable(spec) else spec for spec in specs)
        new = new if new and "kind" in new else train_job(new, **self.more)
        old = old if old is None or "kind" in old else train_job(old, **self.more)
        objects = [*self.objects, *([] if self.runtime is None else [self.runtime])]
        return trainergen.admit(new, release=self.release, old=old, objects=Cluster(objects, complete=self.known))


def says(admission) -> list[str]:
    """The findings of the webhook, as ``<check> <path>``; warnings begin with ``(warning)``."""
    out = []
    for finding in admission.findings:
        assert finding.layer is Layer.WEBHOOK, finding
        assert finding.message == finding.message.rstrip("."), finding
        assert finding.help.endswith("."), finding
        mark = "(warning) " if finding.severity is Severity.WARNING else ""
        out.append(f"{mark}{finding.name} {finding.path}".strip())
    return out
