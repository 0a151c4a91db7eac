"""The plugin for Flux: wraps the command in a script that starts a Flux cluster over the nodes.

Source: kubeflow/trainer pkg/runtime/framework/plugins/flux/flux.go @ v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, list_at, text_at
from trainergen.render.companion import framed
from trainergen.render.errors import RenderError, undefaulted
from trainergen.render.flux_scripts import INSTALL_PATH, FluxJob, entrypoint_script, init_script
from trainergen.render.model import NODE, plugin_origin
from trainergen.render.resources import gpu_count
from trainergen.render.secret import secret_data

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.render.model import Draft

INSTALLER = "flux-installer"
SCRIPTS_PATH = "/etc/flux-config"
IMAGE, DEVICE, QUEUE_POLICY = "FLUX_VIEW_IMAGE", "FLUX_NETWORK_DEVICE", "FLUX_QUEUE_POLICY"
SETTINGS = {
    IMAGE: "ghcr.io/converged-computing/flux-view-ubuntu:tag-jammy",
    DEVICE: "eth0",
    QUEUE_POLICY: "fcfs",
}
_LONGEST_VOLUME = 63


class Flux:
    """Works on the job called ``node``; the node count is left to the plain plugin."""

    name = "Flux"

    def enforce_ml_policy(self, draft: Draft) -> None:
        """Wrap the command, and add init container, volumes and mounts."""
        if draft.policy("flux") is None:
            return
        _check_nodes(draft)
        wrapped: list[JsonValue] = ["/bin/bash", f"{SCRIPTS_PATH}/entrypoint.sh", original_command(draft)]
        # Without args of its own the TrainJob leaves the runtime's, which the script then gets as further words.
        draft.command.pop("args", None)
        draft.put(draft.command, "command", wrapped, plugin_origin(self.name, "spec", "trainer", "command"))
        draft.note("the script that Flux wraps the command in succeeds whatever the command's exit status is")
        for pods in draft.pod_sets:
            if pods.name == NODE:
                for volume in _volumes(draft):
                    draft.add(pods.pod, "volumes", volume, plugin_origin(self.name))
                installer = _installer(draft)
                draft.trace.whole(installer, plugin_origin(self.name))
                pods.pod["initContainers"] = [*list_at(pods.pod, "initContainers"), installer]
                for container in pods.containers(NODE):
                    for mount in _mounts(draft):
                        draft.add(container, "volumeMounts", mount, plugin_origin(self.name))

    def build(self, draft: Draft) -> list[JsonObject]:
        """The ConfigMap with the scripts and the Secret with the certificate."""
        if draft.policy("flux") is None:
            return []
        job = flux_job(draft)
        for pods in draft.pod_sets:
            if pods.name == NODE:
                pods.processes = job.tasks
        scripts = framed(draft.job, draft.trace, self.name, kind=("v1", "ConfigMap"), name=_scripts(draft))
        scripts["data"] = {"entrypoint.sh": entrypoint_script(job), "init.sh": init_script(job)}
        name = f"{draft.job.name}-flux-curve"
        secret = framed(draft.job, draft.trace, self.name, kind=("v1", "Secret"), name=name)
        secret["data"] = secret_data(draft.secrets, name, ("curve.cert",))
        return [scripts, secret]


def _check_nodes(draft: Draft) -> None:
    if draft.job.trainer_field("numNodes") is None:
        missing = "spec.trainer.numNodes" if draft.job.trainer is not None else "spec.trainer"
        raise RenderError(
            f"the TrainJob has no {missing}, on which the controller panics for a Flux runtime",
            help="Set spec.trainer.numNodes; that of the runtime's mlPolicy does not help.",
        )


def original_command(draft: Draft) -> str:
    """The command line to run, as one text: the TrainJob's or the runtime's command, and the TrainJob's args."""
    words = draft.command.get("command")
    if words is None and draft.rendering.flux_takes_runtime_command:
        words = list_at(draft.trainer_container(), "command")
    return " ".join(str(word) for word in [*list_at(words), *list_at(draft.command, "args")]).strip()


def settings(draft: Draft) -> dict[str, str]:
    """What environment variables of the trainer can set; a variable of the TrainJob without a value sets it empty."""
    found = dict(SETTINGS)
    for entry in list_at(draft.trainer_container(), "env"):
        name = text_at(entry, "name")
        if name in found and isinstance(entry, dict) and "value" in entry:
            found[name] = text_at(entry, "value")
    for entry in list_at(draft.job.trainer, "env"):
        if text_at(entry, "name") in found:
            found[text_at(entry, "name")] = text_at(entry, "value")
    return found


def flux_job(draft: Draft) -> FluxJob:
    """What the scripts depend on."""
    given = draft.job.trainer_field("numProcPerNode")
    tasks = given if given is not None else integer_at(draft.policy("flux"), "numProcPerNode")
    nodes = draft.job.trainer_field("numNodes")
    if not isinstance(tasks, int) or not isinstance(nodes, int):
        raise undefaulted("spec.mlPolicy.flux.numProcPerNode")
    found = settings(draft)
    return FluxJob(
        name=draft.job.name,
        namespace=draft.job.namespace,
        nodes=nodes,
        tasks=tasks,
        gpus=gpu_count(draft.node_resources()),
        device=found[DEVICE],
        queue_policy=found[QUEUE_POLICY],
        resource_ranges=draft.rendering.flux_resource_ranges,
    )


def _scripts(draft: Draft) -> str:
    name = f"{draft.job.name}-flux-entrypoint"
    if len(name) > _LONGEST_VOLUME:
        draft.note(f"'{name}' is too long for the name of a volume, so no Pod can be created; shorten the TrainJob's")
    return name


def _volumes(draft: Draft) -> list[JsonObject]:
    scripts = _scripts(draft)
    volumes: list[JsonObject] = [
        {"name": "spack-install", "emptyDir": {}},
        {"name": "flux-install", "emptyDir": {}},
        {"name": scripts, "configMap": {"name": scripts, "defaultMode": 0o755}},
    ]
    if draft.rendering.flux_shared_memory:
        volumes.append({"name": "shared-memory", "emptyDir": {"medium": "Memory"}})
    secret: JsonObject = {"secretName": f"{draft.job.name}-flux-curve", "defaultMode": 0o400}
    return [*volumes, {"name": "flux-curve", "secret": secret}]


def _mounts(draft: Draft) -> list[JsonObject]:
    mounts: list[JsonObject] = [
        {"name": "flux-install", "mountPath": INSTALL_PATH},
        {"name": "spack-install", "mountPath": "/opt/software"},
        {"name": _scripts(draft), "mountPath": SCRIPTS_PATH, "readOnly": True},
        {"name": "flux-curve", "mountPath": "/curve", "readOnly": True},
    ]
    if draft.rendering.flux_shared_memory:
        mounts.append({"name": "shared-memory", "mountPath": "/dev/shm", "readOnly": True})
    return mounts


def _installer(draft: Draft) -> JsonObject:
    image = settings(draft)[IMAGE]
    made: JsonObject = {"name": INSTALLER}
    # An image emptied by the TrainJob is lost on the way through a Pod set, which the first release did not take.
    if image or not draft.rendering.init_containers_synced:
        made["image"] = image
    made["command"] = ["/bin/bash", f"{SCRIPTS_PATH}/init.sh"]
    made["volumeMounts"] = [
        {"name": "flux-install", "mountPath": INSTALL_PATH},
        {"name": _scripts(draft), "mountPath": SCRIPTS_PATH, "readOnly": True},
    ]
    return made
