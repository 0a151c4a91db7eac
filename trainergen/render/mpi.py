"""The plugin for MPI: SSH keys on all hosts, a host file and Open MPI's settings on the launcher.

Source: kubeflow/trainer pkg/runtime/framework/plugins/mpi/mpi.go @ v2.0.1, v2.1.0, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, text_at
from trainergen.render.companion import framed
from trainergen.render.env import literal
from trainergen.render.errors import RenderError, undefaulted
from trainergen.render.model import LAUNCHER, NODE, plugin_origin
from trainergen.render.resources import gpu_count
from trainergen.render.secret import secret_data
from trainergen.render.trainer import add_env

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.render.model import Draft, PodSet

KEY_VOLUME = "mpi-ssh-auth"
HOSTFILE_VOLUME = "mpi-hostfile"
HOSTFILE_DIR = "/etc/mpi"
HOSTFILE = "hostfile"
PRIVATE_KEY, PUBLIC_KEY = "ssh-privatekey", "ssh-publickey"
OPEN_MPI = "OpenMPI"
LARGEST_CONFIG_MAP = 1 << 20
_KEY_FILES = ((PRIVATE_KEY, "id_rsa", 0o640), (PUBLIC_KEY, "id_rsa.pub", 0o644), (PUBLIC_KEY, "authorized_keys", 0o644))


class MPI:
    """Works on the jobs called ``launcher`` and ``node``, whatever their labels."""

    name = "MPI"

    def enforce_ml_policy(self, draft: Draft) -> None:
        """Set counts, volumes, mounts and Open MPI's environment."""
        policy = draft.policy("mpi")
        if policy is None:
            return
        for field in ("mpiImplementation", "numProcPerNode", "sshAuthMountPath"):
            if policy.get(field) is None:
                raise undefaulted(f"spec.mlPolicy.mpi.{field}")
        _count(draft)
        for pods in draft.pod_sets:
            if pods.name not in (NODE, LAUNCHER):
                continue
            draft.add(pods.pod, "volumes", self._key_volume(draft), plugin_origin(self.name))
            if pods.name == LAUNCHER:
                draft.add(pods.pod, "volumes", _hostfile_volume(draft), plugin_origin(self.name))
            for container in pods.containers(NODE):
                self._mount(draft, pods, container, text_at(policy, "sshAuthMountPath"))

    def _mount(self, draft: Draft, pods: PodSet, container: JsonObject, key_path: str) -> None:
        made = plugin_origin(self.name)
        draft.add(container, "volumeMounts", {"name": KEY_VOLUME, "mountPath": key_path}, made)
        if pods.name != LAUNCHER:
            return
        draft.add(container, "volumeMounts", {"name": HOSTFILE_VOLUME, "mountPath": HOSTFILE_DIR}, made)
        implementation = text_at(draft.policy("mpi"), "mpiImplementation")
        if implementation != OPEN_MPI:
            raise RenderError(
                f"mpiImplementation is '{implementation}', but the controller knows only '{OPEN_MPI}'",
                help=f"Set spec.mlPolicy.mpi.mpiImplementation of the runtime to {OPEN_MPI} or leave it out.",
            )
        entries = [
            literal("OMPI_MCA_orte_default_hostfile", f"{HOSTFILE_DIR}/{HOSTFILE}"),
            literal("OMPI_MCA_orte_keep_fqdn_hostnames", "true"),
            literal("OMPI_MCA_orte_set_default_slots", slots_per_node(draft)),
            literal("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10"),
        ]
        add_env(draft, container, entries, self.name)

    def _key_volume(self, draft: Draft) -> JsonObject:
        secret: JsonObject = {"secretName": f"{draft.job.name}-mpi-ssh-auth"}
        if draft.rendering.mpi_key_modes:
            secret["defaultMode"] = 0o400
        items: list[JsonValue] = []
        for key, path, mode in _KEY_FILES:
            modes: JsonObject = {"mode": mode} if draft.rendering.mpi_key_modes else {}
            items.append({"key": key, "path": path, **modes})
        secret["items"] = items
        return {"name": KEY_VOLUME, "secret": secret}

    def build(self, draft: Draft) -> list[JsonObject]:
        """The Secret with the keys, unless there is one already, and the host file."""
        if draft.policy("mpi") is None:
            return []
        objects = [self._hostfile(draft)]
        name = f"{draft.job.name}-mpi-ssh-auth"
        if draft.cluster.get("", "Secret", name, draft.job.namespace) is None:
            secret = framed(draft.job, draft.trace, self.name, kind=("v1", "Secret"), name=name)
            secret["type"] = "kubernetes.io/ssh-auth"
            secret["immutable"] = True
            secret["data"] = secret_data(draft.secrets, name, (PRIVATE_KEY, PUBLIC_KEY))
            objects.insert(0, secret)
        return objects

    def _hostfile(self, draft: Draft) -> JsonObject:
        listed = (NODE, LAUNCHER) if draft.launcher_is_node else (NODE,)
        lines = ""
        if text_at(draft.policy("mpi"), "mpiImplementation") == OPEN_MPI:
            slots = slots_per_node(draft)
            hosts = [pods for pods in draft.pod_sets if pods.name in listed]
            for pods in hosts:
                pods.processes = slots
            lines = _host_lines(draft, hosts, slots)
        name = f"{draft.job.name}-mpi-hostfile"
        made = framed(draft.job, draft.trace, self.name, kind=("v1", "ConfigMap"), name=name)
        made["data"] = {HOSTFILE: lines}
        return made


def _host_lines(draft: Draft, hosts: list[PodSet], slots: int) -> str:
    lines: list[str] = []
    size = 0
    for pods in hosts:
        for host in pods.endpoints(draft.job, draft.subdomain):
            lines.append(f"{host} slots={slots}\n")
            size += len(lines[-1])
            if size > LARGEST_CONFIG_MAP:
                raise RenderError(
                    f"the host file of {sum(each.replicas * each.count for each in hosts)} hosts is larger than the "
                    f"{LARGEST_CONFIG_MAP} bytes that a ConfigMap can hold, so the API server refuses it",
                    help="Lower spec.trainer.numNodes.",
                )
    return "".join(lines)


def _hostfile_volume(draft: Draft) -> JsonObject:
    item: JsonObject = {"key": HOSTFILE, "path": HOSTFILE, "mode": 0o444}
    return {"name": HOSTFILE_VOLUME, "configMap": {"name": f"{draft.job.name}-mpi-hostfile", "items": [item]}}


def _count(draft: Draft) -> None:
    nodes = draft.job.trainer_field("numNodes")
    workers = draft.named_set(NODE)
    if isinstance(nodes, int) and workers is not None:
        # NB: one node still means one worker beside the launcher.
        workers.count = max(nodes - 1, 1) if draft.launcher_is_node else nodes
        same = workers.count == nodes
        source = ("trainer", "numNodes")
        workers.count_origin = draft.from_job(*source) if same else plugin_origin("MPI", "spec", *source)


def slots_per_node(draft: Draft) -> int:
    """The processes on each host: the TrainJob's number, else the policy's, else one for each GPU."""
    given = draft.job.trainer_field("numProcPerNode")
    if given is not None:
        return _number(given)
    slots = integer_at(draft.policy("mpi"), "numProcPerNode") or 0
    if slots == 1 and draft.rendering.mpi_slots_from_gpus:
        return max(gpu_count(draft.node_resources()), 1)
    return slots


def _number(value: JsonValue) -> int:
    """A number of processes, which could be written as text up to 2.1; a word counts as none."""
    if isinstance(value, int):
        return value
    try:
        return int(str(value))
    except ValueError:
        return 0
