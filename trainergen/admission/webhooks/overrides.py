"""Checks of the JobSet plugin on the overrides of a TrainJob, which need no runtime.

Source: kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go @ v2.0.1, v2.1.0, v2.2.1, v2.3.0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from trainergen.admission.webhooks import checks
from trainergen.admission.webhooks.review import DATASET_INITIALIZER, MODEL_INITIALIZER, NODE
from trainergen.api.access import integer_at, list_at, object_at, text_at, value_at
from trainergen.finding import Layer, NotEvaluated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.admission.webhooks.review import Outcomes, Request
    from trainergen.finding import Finding, JsonObject, JsonValue, Path

RESERVED_CONTAINERS = (NODE, DATASET_INITIALIZER, MODEL_INITIALIZER)
_JOBS = ("trainingRuntimeSpec", "template", "spec", "replicatedJobs")
_POD_SPEC = ("template", "spec", "template", "spec")
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_MANAGER_PATH = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"


class Target(NamedTuple):
    """A job that an override names, and what the override says of its Pods."""

    job: str
    path: Path
    pod_spec: JsonObject
    pod_spec_path: Path


def targets(request: Request) -> Iterator[Target]:
    """Every job that the overrides of a TrainJob name, in their order."""
    field = request.behaviours.overrides_field
    for at, override in enumerate(list_at(request.job, "spec", field)):
        path: Path = ("spec", field, at)
        if request.behaviours.overrides_have_managers:
            yield from _patched_jobs(override, path)
        else:
            within = ("spec",) if request.behaviours.overrides_target == "PodTemplateSpec" else ()
            for index, target in enumerate(list_at(override, "targetJobs")):
                place: Path = (*path, "targetJobs", index, "name")
                yield Target(text_at(target, "name"), place, object_at(override, *within), (*path, *within))


def _patched_jobs(patch: JsonValue, path: Path) -> Iterator[Target]:
    for index, job in enumerate(list_at(patch, *_JOBS)):
        place: Path = (*path, *_JOBS, index)
        yield Target(text_at(job, "name"), (*place, "name"), object_at(job, *_POD_SPEC), (*place, *_POD_SPEC))


def check(request: Request) -> Outcomes:
    """What is refused in the overrides themselves."""
    yield from _changes(request)
    if request.behaviours.overrides_have_managers:
        yield from _managers(request)
    if request.behaviours.overrides_target_jobs_once:
        yield from _repeated_targets(request)
    yield from _reserved_env(request)


def _changes(request: Request) -> Outcomes:
    """Overrides may change only while the TrainJob is suspended and its JobSet has no active jobs."""
    if request.old is None or not _changed(request):
        return
    field = request.behaviours.overrides_field
    suspended = value_at(request.job, "spec", "suspend") is True
    if request.behaviours.overrides_change_while_old_suspended:
        suspended = suspended or value_at(request.old, "spec", "suspend") is True
    if not suspended:
        when = "before or after" if request.behaviours.overrides_change_while_old_suspended else "after"
        yield checks.OVERRIDES_CHANGED_RUNNING.at(
            ("spec", field),
            f"{field} changes, but the TrainJob is not suspended {when} the update",
            help="Set spec.suspend to true in the same change, and resume the TrainJob later.",
        )
        return
    yield from _active_jobs(request, field)


def _active_jobs(request: Request, field: str) -> Outcomes:
    name = text_at(request.job, "metadata", "name")
    namespace = text_at(request.job, "metadata", "namespace")
    job_set = request.cluster.find("jobset.x-k8s.io", "JobSet", name, namespace=namespace)
    if job_set is None and not request.cluster.complete:
        reason = f"{field} changes, which the JobSet '{name}' may forbid, and that is not among the given objects"
        yield NotEvaluated(checks.OVERRIDES_CHANGED_ACTIVE.id, reason, Layer.WEBHOOK, ("spec", field))
    for status in list_at(job_set, "status", "replicatedJobsStatus"):
        active = integer_at(status, "active") or 0
        if active > 0:
            yield checks.OVERRIDES_CHANGED_ACTIVE.at(
                ("spec", field),
                f"{field} changes, but job '{text_at(status, 'name')}' of the JobSet still has {active} active",
                help="Suspend the TrainJob first and wait until its Pods are gone.",
            )


def _changed(request: Request) -> bool:
    old, new = (list_at(job, "spec", request.behaviours.overrides_field) for job in (request.old, request.job))
    return old != new and _as_encoded(request, old) != _as_encoded(request, new)


def _as_encoded(request: Request, overrides: list[JsonValue]) -> JsonValue:
    from trainergen.api.encoding import encoded

    spec = request.schemas.resolve(request.schemas.kinds["TrainJob"].schema)["properties"]["spec"]
    node = request.schemas.resolve(spec)["properties"][request.behaviours.overrides_field]
    return encoded(overrides, node, request.schemas)


def _managers(request: Request) -> Iterator[Finding]:
    field = request.behaviours.overrides_field
    for at, patch in enumerate(list_at(request.job, "spec", field)):
        manager = text_at(patch, "manager")
        fault = manager_fault(manager)
        if fault:
            # The server reports spec.runtimePatches.manager, without an index.
            yield checks.INVALID_PATCH_MANAGER.at(
                ("spec", field),
                f"manager of {field}[{at}] is '{manager}', but {fault}",
                help="Write a domain, a slash and a name, as in example.org/platform.",
            )


def manager_fault(manager: str) -> str:
    """What is wrong with the manager of a patch, empty if nothing is.

    kubernetes/apimachinery pkg/util/validation/validation.go IsDomainPrefixedPath @ v0.36.2.
    """
    domain, slash, path = manager.partition("/")
    if not (domain and slash and path):
        return "it must be a domain and a path with a slash between them"
    if len(domain) > 253 or not re.fullmatch(_SUBDOMAIN, domain):
        return f"'{domain}' is no DNS-1123 subdomain"
    if not re.fullmatch(_MANAGER_PATH, path):
        return f"'{path}' has a character that no path may have"
    return ""


def _repeated_targets(request: Request) -> Iterator[Finding]:
    seen: set[str] = set()
    for target in targets(request):
        if target.job in seen:
            yield checks.REPEATED_TARGET_JOB.at(
                target.path,
                f"job '{target.job}' is targeted a second time, but each job may be targeted once",
                help="Put everything for the job into one override.",
            )
        seen.add(target.job)


def _reserved_env(request: Request) -> Iterator[Finding]:
    seen: set[Path] = set()
    for target in targets(request):
        for at, container in enumerate(list_at(target.pod_spec, "containers")):
            name = text_at(container, "name")
            path: Path = (*target.pod_spec_path, "containers", at, "env")
            if name in RESERVED_CONTAINERS and list_at(container, "env") and path not in seen:
                seen.add(path)
                section = "trainer" if name == NODE else f"initializer.{name.removesuffix('-initializer')}"
                yield checks.RESERVED_CONTAINER_ENV.at(
                    path,
                    f"env of container '{name}' cannot be overridden",
                    help=f"Set the variables in spec.{section}.env.",
                )
