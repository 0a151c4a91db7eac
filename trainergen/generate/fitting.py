"""Making a runtime of the catalogue fit for a team: images, sizes, restarts, volumes and variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, names_in, object_at, text_at
from trainergen.generate import volumes
from trainergen.generate.downloads import MOUNT, VOLUME
from trainergen.generate.pods import append_named, every_container, trainer_of
from trainergen.generate.sizes import Resources, resources_of

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.generate.pods import PodTemplate
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import RuntimeSpec

_OWN_IMAGES = "ghcr.io/kubeflow/trainer/"
_SHARED_MEMORY = "16Gi"
_RESTARTS = 3
_DOWNLOAD_SECONDS = 2 * 60 * 60


def complete(setting: Setting, spec: RuntimeSpec, templates: list[PodTemplate]) -> None:
    """Spell out the defaults of list items, which some tools show as differences, and set the images."""
    for template in templates:
        if setting.facts.has_groups:
            template.job.setdefault("groupName", "default")
        template.job.setdefault("replicas", 1)
    training = [each.training_container for each in templates if each.training_container is not None]
    for container in training:
        if spec.image is not None:
            container["image"] = spec.image
    for template in templates:
        for container in every_container(template):
            image = text_at(container, "image")
            if image.startswith(_OWN_IMAGES) and ":" not in image:
                container["image"] = f"{image}:{setting.facts.tag}"
        if template.step.endswith("-initializer"):
            _mount_initializer(template)
            # The one of the data cache waits for it without end.
            object_at(template.job, "template", "spec").setdefault("activeDeadlineSeconds", _DOWNLOAD_SECONDS)


def _mount_initializer(template: PodTemplate) -> None:
    """A volume of the name without which releases since 2.3 refuse jobs, even where nothing is written to it."""
    for container in template.containers:
        if VOLUME not in names_in(list_at(container, "volumeMounts")):
            append_named(template.spec, "volumes", [{"name": VOLUME, "emptyDir": {"sizeLimit": "1Gi"}}])
            append_named(container, "volumeMounts", [{"name": VOLUME, "mountPath": MOUNT}])


def restart(spec: RuntimeSpec, runtime: JsonObject, templates: list[PodTemplate]) -> None:
    """Let a training start over when a Job fails, which only JobSet can do for all nodes together."""
    jobset = object_at(runtime, "spec", "template", "spec")
    policy = object_at(jobset, "failurePolicy")
    is_said = "maxRestarts" in policy
    if spec.restarts is not None or not is_said:
        restarts = _RESTARTS if spec.restarts is None else spec.restarts
        jobset["failurePolicy"] = {**policy, "maxRestarts": restarts}
    for template in templates:
        if template.trains and not is_said:
            # A node that starts again by itself finds the others gone.
            template.spec.setdefault("restartPolicy", "Never")
            object_at(template.job, "template", "spec").setdefault("backoffLimit", 0)


def drop_old_fields(runtime: JsonObject) -> None:
    """Leave out what only says the default, in a field that later releases lack."""
    torch = object_at(runtime, "spec", "mlPolicy", "torch")
    if torch.get("numProcPerNode") == "auto":
        del torch["numProcPerNode"]


def size_nodes(setting: Setting, spec: RuntimeSpec, templates: list[PodTemplate]) -> Resources:
    """Write what a node has into all jobs that train, and give it back."""
    size, gpu = setting.environment.size, spec.gpu_resource
    trainer = trainer_of(templates).training_container
    assert trainer is not None
    resources = resources_of(object_at(trainer, "resources")).resized(size, gpu=gpu).changed(spec, size, gpu=gpu)
    if resources.amounts:
        for template in templates:
            if template.training_container is not None:
                template.training_container["resources"] = resources.written()
    return resources


def furnish(setting: Setting, spec: RuntimeSpec, templates: list[PodTemplate], path: Path) -> None:
    """Variables, volumes, shared memory, credentials of registries and the nodes to run on."""
    storage = volumes.usable(setting, spec.storage, path)
    pool = volumes.placement(setting.pool(spec.node_pool, (*path, "node-pool")))
    secrets: list[JsonObject] = [{"name": name} for name in spec.pull_secrets]
    for template in templates:
        append_named(template.spec, "imagePullSecrets", secrets)
        container = template.training_container
        if container is None:
            continue
        append_named(container, "env", volumes.variables(spec.env))
        append_named(template.spec, "volumes", [volumes.volume(name, each) for name, each in storage])
        append_named(container, "volumeMounts", [volumes.mount(name, each) for name, each in storage])
        _share_memory(spec, template, container)
        template.spec.update(pool)


def _share_memory(spec: RuntimeSpec, template: PodTemplate, container: JsonObject) -> None:
    has_one = any(text_at(each, "mountPath") == "/dev/shm" for each in list_at(container, "volumeMounts"))
    gpus = resources_of(object_at(container, "resources")).amounts.get(spec.gpu_resource, "0")
    size = spec.shared_memory or (_SHARED_MEMORY if int(gpus) > 1 and not has_one else None)
    if size is None:
        return
    append_named(
        template.spec, "volumes", [{"name": "shared-memory", "emptyDir": {"medium": "Memory", "sizeLimit": size}}]
    )
    if not has_one:
        append_named(container, "volumeMounts", [{"name": "shared-memory", "mountPath": "/dev/shm"}])


def move_images(setting: Setting, templates: list[PodTemplate]) -> None:
    """Images from where the environment has them; a variable ``…_IMAGE`` holds one as well."""
    registries = setting.registries
    for template in templates:
        for container in every_container(template):
            container["image"] = registries.moved(text_at(container, "image"))
            for variable in list_at(container, "env"):
                if isinstance(variable, dict) and text_at(variable, "name").endswith("_IMAGE") and "value" in variable:
                    variable["value"] = registries.moved(text_at(variable, "value"))
