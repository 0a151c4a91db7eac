"""Runtimes of an environment, from what the release ships or from our recipes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, names_in, object_at, text_at
from trainergen.api.structural import API_VERSION
from trainergen.catalogue.definition import arranged
from trainergen.generate import gangs, volumes
from trainergen.generate.downloads import MOUNT, VOLUME, add_downloads
from trainergen.generate.hardening import harden
from trainergen.generate.pods import append_named, every_container, pod_templates, trainer_of
from trainergen.generate.secrets import refuse_secrets
from trainergen.generate.sizes import Resources, resources_of, scaled_count
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.generate.pods import PodTemplate
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import RuntimeSpec

_UNCHECKED = "trainer.kubeflow.org/webhook-validation"
FRAMEWORK = "trainer.kubeflow.org/framework"
_OWN_IMAGES = "ghcr.io/kubeflow/trainer/"
_SHARED_MEMORY = "16Gi"
_RESTARTS = 3
_LAUNCHED_NODES = 2
_DOWNLOAD_SECONDS = 2 * 60 * 60


@dataclass(frozen=True, slots=True)
class BuiltRuntime:
    """A runtime of an environment, and what jobs on it have to know."""

    object: JsonObject
    spec: RuntimeSpec
    nodes: int
    resources: Resources
    """What a node has here."""
    templates: tuple[PodTemplate, ...]
    queued: bool
    """Whether its jobs go to the queue of the environment."""
    least_nodes: int = 1
    """Fewer nodes are not what they say: an MPI runtime always has a node beside its launcher."""

    @property
    def kind(self) -> str:
        """TrainingRuntime or ClusterTrainingRuntime."""
        return str(self.object["kind"])

    @property
    def name(self) -> str:
        """The name of the object."""
        return text_at(self.object, "metadata", "name")

    @property
    def framework(self) -> str:
        """What it trains with, such as torch."""
        return text_at(self.object, "metadata", "labels", FRAMEWORK)

    @property
    def command(self) -> list[str]:
        """What its training container runs, or starts the arguments of a job with; often nothing."""
        return [str(word) for word in list_at(trainer_of(list(self.templates)).training_container, "command")]

    @property
    def steps(self) -> set[str]:
        """The parts of a TrainJob that it has jobs for."""
        return {template.step for template in self.templates}


def build_runtime(setting: Setting, key: str, spec: RuntimeSpec) -> BuiltRuntime | None:
    """The runtime called ``key`` in the environment; None, and a fault, when there is nothing to start from."""
    path: Path = ("runtimes", key)
    text = _base_text(spec.base, setting.facts.release)
    if text is None:
        known = _known(setting.facts.release)
        setting.faults.add(
            (*path, "from"),
            f"Trainer {setting.facts.release} has no runtime or recipe '{spec.base}'{did_you_mean(spec.base, known)}",
            f"Use one of {', '.join(known)}.",
        )
        return None
    base: JsonObject = json.loads(text)
    is_mpi = "mpi" in object_at(base, "spec", "mlPolicy")
    spec = _override(setting, spec)
    refuse_secrets(setting.faults, spec, path)
    runtime = _named(setting, key, spec, base)
    if spec.downloads is not None:
        add_downloads(setting, spec.downloads, runtime, path=path)
    templates = pod_templates(runtime)
    _complete(setting, spec, templates)
    _restart(spec, runtime, templates)
    _free_of_old_fields(runtime)
    resources = _size(setting, spec, templates)
    for template in templates:
        harden(template, spec.security, has_user=is_mpi)
    _furnish(setting, spec, templates, path)
    gangs.schedule(setting, spec, runtime, templates, path=path)
    _move_images(setting, templates)
    return BuiltRuntime(
        object=_ordered(runtime),
        spec=spec,
        nodes=_nodes(setting, spec, runtime, is_mpi=is_mpi),
        least_nodes=_LAUNCHED_NODES if is_mpi else 1,
        resources=resources,
        templates=tuple(templates),
        queued=gangs.gang_of(setting, spec) == "kueue" and setting.environment.queue is not None,
    )


@cache
def _base_text(name: str, release: str) -> str | None:
    """The object to start from as JSON, which is the fastest way to have it as often as is wanted."""
    shipped = shipped_runtimes(release).get(name)
    if shipped is None:
        from trainergen.catalogue.recipes import RECIPES

        recipe = next((each for each in RECIPES if each.name == name and release in each.releases), None)
        if recipe is None:
            return None
        shipped = arranged(recipe.runtime.to_dict())
    return json.dumps(shipped)


def _known(release: str) -> list[str]:
    from trainergen.catalogue.recipes import RECIPES

    return sorted({*shipped_runtimes(release), *(each.name for each in RECIPES if release in each.releases)})


def _override(setting: Setting, spec: RuntimeSpec) -> RuntimeSpec:
    """The runtime with what is different about it in the environment."""
    override = spec.environments.get(setting.name)
    if override is None:
        return spec
    changes = {name: getattr(override, name) for name in override.model_fields_set}
    if "env" in changes:
        changes["env"] = {**spec.env, **override.env}
    return spec.model_copy(update=changes)


def _named(setting: Setting, key: str, spec: RuntimeSpec, base: JsonObject) -> JsonObject:
    """The base under a name of the team's, without what marks Trainer's own runtimes."""
    old = object_at(base, "metadata")
    labels = {name: value for name, value in object_at(old, "labels").items() if name != _UNCHECKED}
    name = f"{setting.spec.name}-{key}" + (f"-{spec.version}" if spec.version else "")
    if labels.get(FRAMEWORK) == "torchtune":
        # NB: the controller reads the model off the last two of three parts of the name.
        _, _, model = spec.base.partition("-")
        name = f"{name.replace('-', '.')}-{model}"
    metadata: JsonObject = {"name": name}
    if spec.scope == "namespace":
        metadata["namespace"] = setting.namespace
    if labels:
        metadata["labels"] = labels
    kind = "TrainingRuntime" if spec.scope == "namespace" else "ClusterTrainingRuntime"
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": base["spec"]}


def _complete(setting: Setting, spec: RuntimeSpec, templates: list[PodTemplate]) -> None:
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


def _restart(spec: RuntimeSpec, runtime: JsonObject, templates: list[PodTemplate]) -> None:
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


def _free_of_old_fields(runtime: JsonObject) -> None:
    """Leave out what only says the default, in a field that later releases lack."""
    torch = object_at(runtime, "spec", "mlPolicy", "torch")
    if torch.get("numProcPerNode") == "auto":
        del torch["numProcPerNode"]


def _size(setting: Setting, spec: RuntimeSpec, templates: list[PodTemplate]) -> Resources:
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


def _furnish(setting: Setting, spec: RuntimeSpec, templates: list[PodTemplate], path: Path) -> None:
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


def _move_images(setting: Setting, templates: list[PodTemplate]) -> None:
    """Images from where the environment has them; a variable ``…_IMAGE`` holds one as well."""
    registries = setting.registries
    for template in templates:
        for container in every_container(template):
            container["image"] = registries.moved(text_at(container, "image"))
            for variable in list_at(container, "env"):
                if isinstance(variable, dict) and text_at(variable, "name").endswith("_IMAGE") and "value" in variable:
                    variable["value"] = registries.moved(text_at(variable, "value"))


def _nodes(setting: Setting, spec: RuntimeSpec, runtime: JsonObject, *, is_mpi: bool) -> int:
    """The nodes of a job that does not say it."""
    policy = object_at(runtime, "spec", "mlPolicy")
    written = policy.get("numNodes")
    wanted = spec.nodes or (written if isinstance(written, int) else 1)
    nodes = max(scaled_count(wanted, setting.environment.size.nodes), _LAUNCHED_NODES if is_mpi else 1)
    # NB: under MPI this would be the number of launchers.
    policy["numNodes"] = 1 if is_mpi else nodes
    return nodes


def _ordered(runtime: JsonObject) -> JsonObject:
    """The object in the order in which it is written."""
    ordered: JsonObject = arranged(runtime)
    for template in pod_templates(ordered):
        template.spec["containers"] = template.spec.pop("containers")
    return ordered
