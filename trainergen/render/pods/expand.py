"""From rendered objects to the Pods that would run.

Source: kubernetes-sigs/jobset pkg/controllers/jobset_controller.go constructJob, pkg/webhooks/jobset_webhook.go Default
@ v0.12.0; kubernetes/kubernetes pkg/apis/batch/v1/defaults.go, pkg/apis/core/v1/defaults.go @ v1.35.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, list_at, object_at, text_at, value_at
from trainergen.render.flux_scripts import host_list
from trainergen.render.model import ANCESTOR_LABEL
from trainergen.render.mpi import HOSTFILE
from trainergen.render.pods.containers import ContainerView, container_view, with_defaults
from trainergen.render.pods.labels import pod_annotations, pod_labels
from trainergen.render.pods.limits import limits_of, restarts, success
from trainergen.render.pods.model import Gang, HostFile, JobPods, PodKind, VolumeView
from trainergen.render.pods.parts import part
from trainergen.render.pods.readable import volume_source
from trainergen.render.pods.scheduling import scheduling_of
from trainergen.render.pods.warnings import warnings_about
from trainergen.render.resources import pod_limits, pod_requests

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.render.model import PodSet
    from trainergen.render.rendered import Rendered

MPI_SUFFIX, FLUX_SUFFIX = "-mpi-hostfile", "-flux-entrypoint"


def expand(rendered: Rendered) -> JobPods:
    """All Pods of a rendered TrainJob, also of one whose JobSet the controller would leave alone."""
    jobset = next((made for made in rendered.objects if made["kind"] == "JobSet"), None)
    if jobset is None:
        jobset = {"metadata": {}, "spec": {"replicatedJobs": [pods.job for pods in rendered.pod_sets]}}
    spec = object_at(jobset, "spec")
    kinds = tuple(
        _kind(rendered, jobset, number, rendered.pod_sets[number])
        for number in range(len(list_at(spec, "replicatedJobs")))
    )
    found = JobPods(
        job=rendered.job.name,
        namespace=rendered.job.namespace,
        suspended=rendered.job.suspended,
        kinds=kinds,
        restarts=restarts(spec),
        success=success(spec),
        deadline_seconds=integer_at(rendered.job.spec, "activeDeadlineSeconds"),
        service=_service(rendered, spec),
        host_file=_host_file(rendered),
        gang=_gang(rendered),
    )
    return warnings_about(found, spec)


def _service(rendered: Rendered, spec: JsonObject) -> str:
    """The headless Service, which there is unless the runtime switches host names off."""
    return "" if value_at(spec, "network", "enableDNSHostnames") is False else rendered.subdomain


def _kind(rendered: Rendered, jobset: JsonObject, number: int, pods: PodSet) -> PodKind:
    spec = object_at(jobset, "spec")
    job = object_at(list_at(spec, "replicatedJobs")[number])
    job_spec = object_at(job, "template", "spec")
    template, pod = object_at(job_spec, "template"), object_at(job_spec, "template", "spec")
    indexed = text_at(job_spec, "completionMode") in ("", "Indexed")
    replicas = integer_at(job, "replicas")
    replicas = 1 if replicas is None else replicas
    way: Path = ("spec", "replicatedJobs", number, "template", "spec", "template", "spec")
    labels = pod_labels(rendered, spec, job, template)
    annotations = pod_annotations(object_at(jobset, "metadata", "annotations"), job, template)
    fields = _known_fields(rendered, labels, annotations)
    effective = _with_default_requests(pod)
    return PodKind(
        name=pods.name,
        step=text_at(job, "template", "metadata", "labels", ANCESTOR_LABEL),
        jobset=rendered.job.name,
        namespace=rendered.job.namespace,
        replicas=replicas,
        pods_per_job=_pods_per_job(job_spec),
        indexed=indexed,
        subdomain=_service(rendered, spec) or text_at(pod, "subdomain"),
        processes=pods.processes,
        waits_for=tuple(_dependency(item) for item in list_at(job, "dependsOn")),
        labels=labels,
        annotations=annotations,
        limits=limits_of(job_spec),
        scheduling=scheduling_of(rendered, jobset, job),
        init_containers=_containers(rendered, jobset, (*way, "initContainers"), indexed=indexed, fields=fields),
        containers=_containers(rendered, jobset, (*way, "containers"), indexed=indexed, fields=fields),
        volumes=_volumes(rendered, spec, pod),
        requests=pod_requests(effective, hugepages=True),
        bounds=pod_limits(pod),
    )


def _pods_per_job(job_spec: JsonObject) -> int:
    """Pods that run at once: the parallelism, but no more than there are completions."""
    parallelism, completions = integer_at(job_spec, "parallelism"), integer_at(job_spec, "completions")
    at_once = 1 if parallelism is None else parallelism
    return at_once if completions is None else min(at_once, completions)


def _dependency(item: JsonValue) -> str:
    return f"{text_at(item, 'name')} is {text_at(item, 'status')}"


def _with_default_requests(pod: JsonObject) -> JsonObject:
    filled = {**pod}
    for key in ("initContainers", "containers"):
        filled[key] = [
            {**object_at(item), "resources": with_defaults(object_at(item, "resources"))} for item in list_at(pod, key)
        ]
    return filled


def _known_fields(rendered: Rendered, labels: dict[str, str], annotations: dict[str, str]) -> dict[str, str]:
    """What variables can take from fields of the Pod, by path, where it is the same in all Pods of a kind."""
    fields = {"metadata.namespace": rendered.job.namespace}
    for holder, found in (("labels", labels), ("annotations", annotations)):
        fields |= {f"metadata.{holder}['{key}']": value for key, value in found.items() if "<" not in value}
    return fields


def _containers(
    rendered: Rendered, jobset: JsonObject, way: Path, *, indexed: bool, fields: dict[str, str]
) -> tuple[ContainerView, ...]:
    items = part(jobset, way)
    count = len(items) if isinstance(items, list) else 0
    return tuple(
        container_view(rendered, jobset, (*way, number), indexed=indexed, fields=fields) for number in range(count)
    )


def _volumes(rendered: Rendered, spec: JsonObject, pod: JsonObject) -> tuple[VolumeView, ...]:
    found = [VolumeView(text_at(item, "name"), volume_source(object_at(item))) for item in list_at(pod, "volumes")]
    mounted = {
        text_at(mount, "name")
        for key in ("containers", "initContainers")
        for container in list_at(pod, key)
        for mount in list_at(container, "volumeMounts")
    }
    for policy in list_at(spec, "volumeClaimPolicies"):
        for template in list_at(policy, "templates"):
            name = text_at(template, "metadata", "name")
            if name in mounted:
                claim = f"PersistentVolumeClaim {name}-{rendered.job.name}, which the JobSet makes"
                found.append(VolumeView(name, claim))
    return tuple(found)


def _host_file(rendered: Rendered) -> HostFile | None:
    name = rendered.job.name
    for made in rendered.objects:
        found = text_at(made, "metadata", "name")
        if made["kind"] == "ConfigMap" and found == f"{name}{MPI_SUFFIX}":
            lines = tuple(text_at(made, "data", HOSTFILE).splitlines())
            return HostFile("MPI host file", found, lines, len(lines))
        nodes = rendered.job.trainer_field("numNodes")
        if made["kind"] == "ConfigMap" and found == f"{name}{FLUX_SUFFIX}" and isinstance(nodes, int):
            return HostFile("Flux host list", found, (host_list(name, nodes),), nodes)
    return None


def _gang(rendered: Rendered) -> Gang | None:
    for made in rendered.objects:
        if made["kind"] == "PodGroup":
            volcano = text_at(made, "apiVersion").startswith("scheduling.volcano.sh/")
            spec = object_at(made, "spec")
            return Gang(
                scheduler="Volcano" if volcano else "the coscheduling plugin",
                name=text_at(made, "metadata", "name"),
                min_member=integer_at(spec, "minMember") or 0,
                min_resources={name: str(value) for name, value in object_at(spec, "minResources").items()},
                queue=text_at(spec, "queue"),
            )
    return None
