"""From a rendered TrainJob to the plan."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at
from trainergen.errors import TrainergenError
from trainergen.generate.runplan import mpi
from trainergen.generate.runplan.plan import Missing, Node, Plan
from trainergen.generate.runplan.small import node_count, processes_of
from trainergen.generate.runplan.variables import OF_THE_CONTAINER, environment
from trainergen.render.pods.env import expand_text

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.generate.runplan.places import Places
    from trainergen.render import Rendered
    from trainergen.render.pods import ContainerView, JobPods, PodKind
    from trainergen.render.pods.model import Pod

_TRAINER = "node"
"""The container that the TrainJob is about, by the Trainer's convention."""
_INITIALIZERS = ("dataset-initializer", "model-initializer")
_FLUX = "-flux-entrypoint"


@dataclass(slots=True)
class _Drafted:
    """What the plan is being made of."""

    nodes: list[Node] = field(default_factory=list)
    missing: dict[tuple[str, str], Missing] = field(default_factory=dict)
    inherited: set[str] = field(default_factory=set)
    skipped: list[str] = field(default_factory=list)

    def miss(self, found: Missing) -> None:
        self.missing.setdefault((found.kind, found.name), found)


def plan_of(rendered: Rendered, places: Places, *, whole: JobPods) -> Plan:
    """The plan for a rendered TrainJob, the small copy of one whose Pods are ``whole``.

    TrainergenError where nothing can be started here: by Flux, or without a command.
    """
    pods = rendered.pods()
    if pods.host_file is not None and pods.host_file.object.endswith(_FLUX):
        raise TrainergenError(
            f"TrainJob {pods.namespace}/{pods.job} is run by Flux, whose brokers need the Pods of the cluster",
            hint="Plan a TrainJob of torch, JAX, XGBoost or MPI, or run the command by hand.",
        )
    draft = _Drafted()
    for kind, container, view in _to_run(rendered, pods, draft):
        _add_kind(draft, (kind, container, view), places, pods)
    if not draft.nodes:
        raise TrainergenError(
            f"nothing of TrainJob {pods.namespace}/{pods.job} can be run here: {'; '.join(draft.skipped)}",
            hint="Set spec.trainer.command, since what an image runs by itself is not known.",
        )
    return Plan(
        job=f"{pods.namespace}/{pods.job}",
        about=_about(pods, whole),
        nodes=tuple(draft.nodes),
        missing=tuple(draft.missing.values()),
        inherited=tuple(sorted(draft.inherited)),
        skipped=tuple(draft.skipped),
        notes=tuple(_notes(pods, whole)),
    )


def _about(pods: JobPods, whole: JobPods) -> str:
    nodes, all_nodes, processes, before = node_count(pods), node_count(whole), processes_of(pods), processes_of(whole)
    text = f"{nodes} of {all_nodes} node{'' if all_nodes == 1 else 's'}"
    if nodes > all_nodes:
        text = f"{nodes} nodes instead of {all_nodes}"
    if processes is not None:
        text += f", {processes} process{'' if processes == 1 else 'es'} each"
        text += f" instead of {before}" if before != processes else ""
    return text


def _notes(pods: JobPods, whole: JobPods) -> Iterator[str]:
    if pods.count > 1 and any(kind.gpus for kind in whole.kinds):
        yield "all nodes see all GPUs of this machine; give each its own by CUDA_VISIBLE_DEVICES, or run without"


def _to_run(rendered: Rendered, pods: JobPods, draft: _Drafted) -> Iterator[tuple[PodKind, JsonObject, ContainerView]]:
    """Each kind of Pod with the container to run, as rendered and as seen; the others are noted as skipped."""
    jobset = next((made for made in rendered.objects if made["kind"] == "JobSet"), {})
    by_mpi = pods.host_file is not None
    for kind, job in zip(pods.kinds, list_at(jobset, "spec", "replicatedJobs"), strict=True):
        if kind.step in _INITIALIZERS:
            draft.skipped.append(f"job {kind.name}, which fetches what the nodes find in a volume")
        elif by_mpi and kind.name != mpi.LAUNCHER:
            draft.skipped.append(f"job {kind.name}, whose processes mpirun starts here")
        else:
            raw = list_at(job, "template", "spec", "template", "spec", "containers")
            name = _TRAINER if any(box.name == _TRAINER for box in kind.containers) else kind.containers[0].name
            for box, container in zip(kind.containers, raw, strict=True):
                if box.name != name:
                    draft.skipped.append(f"container {box.name} of job {kind.name}, which runs beside the training")
                elif not box.command.words:
                    draft.skipped.append(
                        f"container {box.name} of job {kind.name}, whose image runs a command of its own"
                    )
                else:
                    yield kind, object_at(container), box


def _add_kind(
    draft: _Drafted, running: tuple[PodKind, JsonObject, ContainerView], places: Places, pods: JobPods
) -> None:
    kind, _, view = running
    for mount in view.mounts:
        source = next((volume.source for volume in kind.volumes if volume.name == mount.volume), "a volume")
        if mount.path != "/dev/shm" and not (pods.host_file and mount.volume.startswith("mpi-")):
            draft.miss(Missing("mount", mount.path, source))
    for each in view.env_from:
        draft.miss(Missing("variables", each.source, "envFrom"))
    if view.working_dir:
        draft.miss(Missing("folder", view.working_dir, "the working folder"))
    for pod in kind.pods():
        draft.nodes.append(_node(draft, running, pod, (places, pods)))


def _node(
    draft: _Drafted,
    running: tuple[PodKind, JsonObject, ContainerView],
    pod: Pod,
    around: tuple[Places, JobPods],
) -> Node:
    kind, container, view = running
    places, pods = around
    known, missing = environment(container, kind, pod)
    for each in missing:
        draft.miss(each)
    words = tuple(expand_text(word, known) for word in (*view.command.words, *view.args.words))
    draft.inherited |= OF_THE_CONTAINER & set(known)
    env = {name: places.value(name, value) for name, value in known.items() if name not in OF_THE_CONTAINER}
    command = tuple(map(places.text, words))
    if pods.host_file is not None:
        env, command = mpi.local_variables(env), mpi.local_command(command, mpi.process_count(pods))
    name = f"{kind.name}_{pod.index or 0}" if kind.replicas == 1 else f"{kind.name}_{pod.replica}_{pod.index or 0}"
    return Node(re.sub(r"\W", "_", name), kind.name, pod.index or 0, command, env)
