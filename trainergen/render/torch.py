"""The plugin for PyTorch: what torchrun reads from its environment.

Source: kubeflow/trainer pkg/runtime/framework/plugins/torch/torch.go @ v2.0.1, v2.1.0, v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.render.counts import count_nodes
from trainergen.render.env import completion_index, literal
from trainergen.render.errors import RenderError
from trainergen.render.model import TRAINER_PORT, plugin_origin
from trainergen.render.resources import cpu_count, cpus, gpu_count
from trainergen.render.trainer import add_env, add_trainer_env, add_trainer_port, framework_container
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.render.model import Draft, PodSet

AUTO = "auto"
TUNE: list[JsonValue] = ["tune", "run"]
"""The command that torchtune takes the place of."""


class Torch:
    """Node count, processes, rank and rendezvous."""

    name = "Torch"

    def enforce_ml_policy(self, draft: Draft) -> None:
        """Set up the trainer's container and the targets of environment injection."""
        if draft.policy("torch") is None:
            return
        count_nodes(draft)
        processes = processes_per_node(draft)
        nodes = _nodes(draft)
        container = framework_container(draft, self.name)
        if container is not None:
            _note_processes(draft, processes)
            add_trainer_env(draft, container)
            add_env(draft, container, _node_env(nodes, processes), self.name)
            if draft.command.get("command") == TUNE:
                from trainergen.render.torchtune import tune_command

                command = tune_command(draft, nodes=nodes, processes=processes)
                draft.put(draft.command, "command", command, plugin_origin(self.name, "spec", "trainer", "command"))
            else:
                add_env(draft, container, _master_env(draft), self.name)
            add_trainer_port(draft, container, self.name)
        if draft.behaviours.torch_env_injection:
            for target in list_at(draft.policy("torch"), "envInjection", "targets"):
                for name in list_at(target, "containerNames"):
                    injected = _target(draft, text_at(target, "jobName"), str(name))
                    # Master variables are injected for torchtune too, whose own container does without them.
                    add_env(draft, injected, [*_node_env(nodes, processes), *_master_env(draft)], self.name)


def _note_processes(draft: Draft, processes: int | str) -> None:
    pods = draft.trainer_set()
    if pods is not None:
        pods.processes = processes


def _nodes(draft: Draft) -> int:
    pods = draft.trainer_set()
    return pods.count if pods else 1


def _node_env(nodes: int, processes: int | str) -> list[JsonObject]:
    return [
        literal("PET_NNODES", nodes),
        literal("PET_NPROC_PER_NODE", processes),
        completion_index("PET_NODE_RANK"),
    ]


def _master_env(draft: Draft) -> list[JsonObject]:
    return [literal("PET_MASTER_ADDR", draft.job.host), literal("PET_MASTER_PORT", TRAINER_PORT)]


def _target(draft: Draft, job: str, name: str) -> JsonObject:
    pods = draft.named_set(job)
    found = pods.container(name) if pods else None
    if found is not None:
        return found
    near = _near(draft, pods, job, name)
    raise RenderError(
        f"envInjection names container '{name}' of job '{job}', which the runtime does not have{near}",
        help="Correct spec.mlPolicy.torch.envInjection of the runtime; until then the controller creates nothing.",
    )


def _near(draft: Draft, pods: PodSet | None, job: str, name: str) -> str:
    if pods is None:
        return did_you_mean(job, [known.name for known in draft.pod_sets])
    known = [*pods.containers(), *pods.containers(init=True)]
    return did_you_mean(name, [text_at(container, "name") for container in known])


def processes_per_node(draft: Draft) -> int | str:
    """``PET_NPROC_PER_NODE``: a number, or a word that torchrun resolves in the Pod."""
    wanted: JsonValue = None
    if draft.rendering.torch_policy_has_processes:
        wanted = (draft.policy("torch") or {}).get("numProcPerNode")
    given = draft.job.trainer_field("numProcPerNode")
    start = given if isinstance(given, int | str) else wanted if isinstance(wanted, int | str) else AUTO
    if draft.rendering.torch_asks_requests_last:
        return _limits_then_requests(draft, start)
    resources = draft.node_resources()
    if start == "cpu" or (start == AUTO and gpu_count(resources) == 0):
        return max(1, cpu_count(resources))
    return start


def _limits_then_requests(draft: Draft, start: int | str) -> int | str:
    """The first release's way: the answer for limits counts only if it came from the CPU, else that for requests."""
    resources = draft.job.trainer_field("resourcesPerNode")
    if not isinstance(resources, dict):
        return start
    count, from_cpu = _by_amounts(start, resources.get("limits"))
    return count if from_cpu else _by_amounts(start, resources.get("requests"))[0]


def _by_amounts(start: int | str, amounts: JsonValue) -> tuple[int | str, bool]:
    """The processes by one list of resources, and whether its CPU decided. Without a list the answer is one."""
    if not isinstance(amounts, dict):
        return 1, False
    gpu = any("gpu" in name.lower() for name in amounts)
    if (start == AUTO and not gpu) or (start == "cpu" and "cpu" in amounts):
        return max(1, cpus(object_at(amounts)).ceil()), True
    return (1 if start == "cpu" else start), False
