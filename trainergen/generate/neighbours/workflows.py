"""Argo Workflows: a WorkflowTemplate that creates a TrainJob, waits for its end, and packs the result.

A condition of Argo is a selector over paths, with which no item of a list of conditions can be chosen by its type. So
the end of the training is read off the JobSet, which says it in one field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, object_at
from trainergen.generate.emitting import manifest
from trainergen.generate.neighbours.containers import KUBECTL, kubectl, pod_security, rights
from trainergen.generate.neighbours.kitops import container, volumes

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.resolved import ResolvedJob
    from trainergen.generate.spec import Package, WorkflowStep

_DAY = 24 * 60 * 60
_JOB = "{{inputs.parameters.job}}"
_OF_STEP = "{{steps.create.outputs.parameters.job}}"


def account(spec: WorkflowStep, namespace: str) -> list[JsonObject]:
    """The account of the workflow, with the rights that its steps need."""
    return rights(
        spec.service_account,
        namespace,
        [
            {"apiGroups": ["trainer.kubeflow.org"], "resources": ["trainjobs"], "verbs": ["create", "get"]},
            {"apiGroups": ["jobset.x-k8s.io"], "resources": ["jobsets"], "verbs": ["get", "list", "watch"]},
            {"apiGroups": ["argoproj.io"], "resources": ["workflowtaskresults"], "verbs": ["create", "patch"]},
        ],
    )


def template(
    spec: WorkflowStep, job: ResolvedJob, package: Package | None, *, move: Callable[[str], str]
) -> JsonObject:
    """The WorkflowTemplate; ``argo submit --from workflowtemplate/NAME`` starts a run."""
    longest = integer_at(job.train_job, "spec", "activeDeadlineSeconds") or _DAY
    steps: list[JsonValue] = [
        [{"name": "create", "template": "create"}],
        [_step("started")],
        [_step("ended")],
    ]
    templates: list[JsonValue] = [
        {"name": "main", "steps": steps},
        _create(job),
        _started(job, move),
        _ended(job, longest),
    ]
    whole: JsonObject = {
        "entrypoint": "main",
        "serviceAccountName": spec.service_account,
        "automountServiceAccountToken": True,
        "securityContext": pod_security(),
        "templates": templates,
    }
    if package is not None:
        steps.append([{"name": "package", "template": "package"}])
        templates.append({"name": "package", "container": _unnamed(container_of(package, job, move))})
        whole["volumes"] = volumes(package)
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "WorkflowTemplate",
        "metadata": {"name": job.key, "namespace": job.namespace},
        "spec": whole,
    }


def container_of(package: Package, job: ResolvedJob, move: Callable[[str], str]) -> JsonObject:
    """The container that packs the result."""
    return container(package, name=job.key, image=move(package.image))


def _step(name: str) -> JsonObject:
    arguments: JsonObject = {"parameters": [{"name": "job", "value": _OF_STEP}]}
    return {"name": name, "template": name, "arguments": arguments}


def _create(job: ResolvedJob) -> JsonObject:
    metadata: JsonObject = {"generateName": f"{job.key}-"}
    labels = object_at(job.train_job, "metadata", "labels")
    if labels:
        metadata["labels"] = dict(labels)
    train_job: JsonObject = {
        "apiVersion": job.train_job["apiVersion"],
        "kind": job.train_job["kind"],
        "metadata": metadata,
        "spec": job.train_job["spec"],
    }
    return {
        "name": "create",
        "resource": {"action": "create", "setOwnerReference": True, "manifest": manifest(train_job)},
        "outputs": {"parameters": [{"name": "job", "valueFrom": {"jsonPath": "{.metadata.name}"}}]},
    }


def _started(job: ResolvedJob, move: Callable[[str], str]) -> JsonObject:
    """The JobSet has the name of the TrainJob, and comes a little later."""
    arguments: list[JsonValue] = [
        "wait",
        "--for=create",
        f"jobsets.jobset.x-k8s.io/{_JOB}",
        f"--namespace={job.namespace}",
        "--timeout=10m",
    ]
    return {
        "name": "started",
        "inputs": {"parameters": [{"name": "job"}]},
        "container": _unnamed(kubectl("started", arguments, image=move(KUBECTL))),
    }


def _ended(job: ResolvedJob, longest: int) -> JsonObject:
    job_set: JsonObject = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": _JOB, "namespace": job.namespace},
    }
    return {
        "name": "ended",
        "inputs": {"parameters": [{"name": "job"}]},
        "activeDeadlineSeconds": longest,
        "resource": {
            "action": "get",
            "successCondition": "status.terminalState == Completed",
            "failureCondition": "status.terminalState == Failed",
            "manifest": manifest(job_set),
        },
    }


def _unnamed(made: JsonObject) -> JsonObject:
    """Argo names the container of a template itself."""
    return {key: value for key, value in made.items() if key != "name"}
