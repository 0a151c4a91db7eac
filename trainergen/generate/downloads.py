"""Jobs that download data and model before the training, for runtimes that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at
from trainergen.generate.pods import STEP, append_named, pod_templates

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import Downloads

STEPS = {"data": "dataset-initializer", "model": "model-initializer"}
VOLUME, MOUNT = "initializer", "/workspace"
"""The volume has to be called so since 2.3; the programs write to this place."""
_IMAGES = "ghcr.io/kubeflow/trainer"
_RETRIES, _SECONDS = 3, 2 * 60 * 60
_RESOURCES = {"cpu": "2", "memory": "8Gi"}


def add_downloads(setting: Setting, spec: Downloads, runtime: JsonObject, *, path: Path) -> None:
    """Put the downloads before the jobs of a runtime, one after the other, and their volume into all that train."""
    jobset = object_at(runtime, "spec", "template", "spec")
    present = {template.step for template in pod_templates(runtime)}
    wanted = [STEPS[part] for part in dict.fromkeys(spec.of) if STEPS[part] not in present]
    if not wanted:
        return
    if not _has_volume(runtime) and not _add_volume(setting, spec, jobset, path):
        return
    trained = [template for template in pod_templates(runtime) if template.trains]
    jobs: list[JsonValue] = []
    for index, step in enumerate(wanted):
        jobs.append(_download(setting, spec, step, after=wanted[index - 1] if index else ""))
    first = trained[0].job
    first["dependsOn"] = [*list_at(first, "dependsOn"), {"name": wanted[-1], "status": "Complete"}]
    for template in trained:
        container = template.training_container
        assert container is not None
        append_named(container, "volumeMounts", [{"name": VOLUME, "mountPath": MOUNT}])
        append_named(template.spec, "volumes", _volumes(spec))
    jobset["replicatedJobs"] = [*jobs, *list_at(jobset, "replicatedJobs")]


def _has_volume(runtime: JsonObject) -> bool:
    policies = list_at(runtime, "spec", "template", "spec", "volumeClaimPolicies")
    return any(
        object_at(each, "metadata").get("name") == VOLUME
        for policy in policies
        for each in list_at(policy, "templates")
    )


def _add_volume(setting: Setting, spec: Downloads, jobset: JsonObject, path: Path) -> bool:
    """The claim that JobSet makes for each run; with a claim of the team's own there is nothing to add."""
    if spec.claim is not None:
        return True
    if not setting.facts.has_claim_policies:
        setting.faults.add(
            (*path, "downloads"),
            f"Trainer {setting.facts.release} makes no claims for runs, and the downloads name none",
            "Set downloads.claim to a PersistentVolumeClaim that several nodes can mount.",
        )
        return False
    claim: JsonObject = {
        "accessModes": ["ReadWriteMany"],
        "resources": {"requests": {"storage": spec.size}},
    }
    if spec.storage_class is not None:
        claim["storageClassName"] = spec.storage_class
    template: JsonObject = {"metadata": {"name": VOLUME}, "spec": claim}
    policy: JsonObject = {"templates": [template], "retentionPolicy": {"whenDeleted": "Delete"}}
    jobset["volumeClaimPolicies"] = [*list_at(jobset, "volumeClaimPolicies"), policy]
    return True


def _volumes(spec: Downloads) -> list[JsonObject]:
    if spec.claim is None:
        return []
    return [{"name": VOLUME, "persistentVolumeClaim": {"claimName": spec.claim}}]


def _download(setting: Setting, spec: Downloads, step: str, *, after: str) -> JsonObject:
    container: JsonObject = {
        "name": step,
        "image": f"{_IMAGES}/{step}:{setting.facts.tag}",
        # The program is found from there.
        "workingDir": "/app",
        "volumeMounts": [{"name": VOLUME, "mountPath": MOUNT}],
        "resources": {"requests": dict(_RESOURCES), "limits": dict(_RESOURCES)},
    }
    pod: JsonObject = {"restartPolicy": "Never", "containers": [container]}
    if spec.claim is not None:
        pod["volumes"] = [*_volumes(spec)]
    job: JsonObject = {"name": step}
    if after:
        job["dependsOn"] = [{"name": after, "status": "Complete"}]
    job["template"] = {
        "metadata": {"labels": {STEP: step}},
        "spec": {
            "backoffLimit": _RETRIES,
            "activeDeadlineSeconds": _SECONDS,
            # The proxy of a service mesh never ends.
            "template": {"metadata": {"labels": {"sidecar.istio.io/inject": "false"}}, "spec": pod},
        },
    }
    return job


def unsaid(runtime: JsonObject, step: str) -> bool:
    """Whether a runtime downloads something without knowing what, so that each job has to say it."""
    for template in pod_templates(runtime):
        if template.step == step:
            variables = [each for container in template.containers for each in list_at(container, "env")]
            return not any(isinstance(each, dict) and each.get("name") == "STORAGE_URI" for each in variables)
    return False
