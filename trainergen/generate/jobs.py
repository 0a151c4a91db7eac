"""The TrainJobs of an environment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.api.structural import API_VERSION, GROUP
from trainergen.generate import scripts, volumes
from trainergen.generate.downloads import unsaid
from trainergen.generate.names import DIGITS, KEY_LABEL, longest_job_name
from trainergen.generate.patching import pod_changes
from trainergen.generate.pods import NODE
from trainergen.generate.secrets import refuse_secrets
from trainergen.generate.sizes import scaled_count
from trainergen.generate.sweeps import Member, count, members
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.generate.images import Registries
    from trainergen.generate.runtimes import BuiltRuntime
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import JobSpec, NodePool, Source

QUEUE = "kueue.x-k8s.io/queue-name"
PRIORITY = "kueue.x-k8s.io/priority-class"
JOB_LABEL = "trainergen.io/job"
PARAMETERS = "trainergen.io/parameters"
_MANAGED_BY = "trainer.kubeflow.org/trainjob-controller"
_INITIALIZERS = {"data": ("dataset", "dataset-initializer"), "model": ("model", "model-initializer")}


@dataclass(frozen=True, slots=True)
class BuiltJob:
    """A TrainJob, still called like its key, with what belongs to it."""

    key: str
    name: str
    """The name in the specification, which all jobs of a sweep share."""
    spec: JobSpec
    runtime: BuiltRuntime
    object: JsonObject
    config_map: JsonObject | None
    nodes: int
    gpus: int
    """GPUs over all nodes."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """What all jobs of a sweep have in common in one environment."""

    spec: JobSpec
    runtime: BuiltRuntime
    program: scripts.Program | None
    pool: NodePool | None
    nodes: int
    registries: Registries
    path: Path


def build_jobs(setting: Setting, name: str, spec: JobSpec, runtime: BuiltRuntime) -> Iterator[BuiltJob]:
    """The jobs that ``name`` of the specification makes in the environment."""
    path: Path = ("jobs", name)
    if spec.sweep is not None and not count(spec.sweep):
        empty = next(key for key, values in spec.sweep.parameters.items() if not values)
        setting.faults.add(
            (*path, "sweep"),
            f"the sweep makes no job, for '{empty}' has no values",
            "Give it one, or remove the sweep.",
        )
        return
    if spec.sweep is not None and count(spec.sweep) > spec.sweep.limit:
        setting.faults.add(
            (*path, "sweep"),
            f"the sweep makes {count(spec.sweep)} jobs, but its limit is {spec.sweep.limit}",
            "Give it fewer values, or set sweep.limit together with sweep.parameters.",
        )
        return
    spec = setting.overridden(spec)
    refuse_secrets(setting.faults, spec, path)
    program = None
    if spec.script is not None:
        program = scripts.program(setting, name, spec.script, runtime, path=(*path, "script"))
    draft = _Draft(
        spec=spec,
        runtime=runtime,
        program=program,
        pool=setting.pool(spec.node_pool, (*path, "node-pool")) if spec.node_pool else None,
        nodes=_nodes(setting, spec, runtime),
        registries=setting.registries,
        path=path,
    )
    _check(setting, draft)
    for member in members(name, spec.sweep):
        yield _job(setting, draft, name, member)


def find_runtime(setting: Setting, name: str, runtimes: dict[str, BuiltRuntime | None]) -> BuiltRuntime | None:
    """The runtime of the job ``name``; a fault when the specification has none."""
    wanted = setting.spec.jobs[name].runtime
    if wanted not in runtimes:
        setting.faults.add(
            ("jobs", name, "runtime"),
            f"there is no runtime '{wanted}'{did_you_mean(wanted, runtimes)}",
            f"The runtimes are {', '.join(runtimes)}." if runtimes else "Add it to runtimes.",
        )
    return runtimes.get(wanted)


def _nodes(setting: Setting, spec: JobSpec, runtime: BuiltRuntime) -> int:
    if spec.nodes is None:
        return runtime.nodes
    # A smaller environment does not make less of a job than the runtime can be; who writes less is taken at their word.
    return max(scaled_count(spec.nodes, setting.environment.size.nodes), min(spec.nodes, runtime.least_nodes))


def _check(setting: Setting, draft: _Draft) -> None:
    spec, path = draft.spec, draft.path
    runs = (spec.entrypoint, spec.script, spec.args, spec.image, draft.runtime.spec.image, draft.runtime.command)
    if not any(runs):
        setting.faults.add(
            path,
            f"nothing says what the job runs, and the runtime '{spec.runtime}' does not either",
            "Give it an entrypoint, a script, or an image that has one.",
        )
    if spec.deadline is not None and not setting.facts.has_deadline:
        setting.faults.add(
            (*path, "deadline"),
            f"TrainJobs of Trainer {setting.facts.release} have no deadline",
            "Leave it out, or upgrade the Trainer to 2.2.",
        )
    for name in spec.env.keys() & spec.secrets.keys():
        setting.faults.add(
            (*path, "secrets", name), f"the variable '{name}' is among env as well", "Keep one of the two."
        )
    for field, (part, step) in _INITIALIZERS.items():
        if getattr(spec, field) is not None and step not in draft.runtime.steps:
            setting.faults.add(
                (*path, field),
                f"the runtime '{spec.runtime}' has no job '{step}' that would download it",
                f"Set runtimes.{spec.runtime}.downloads, or mount a claim that has it.",
            )
        elif getattr(spec, field) is None and unsaid(draft.runtime.object, step):
            setting.faults.add(
                path,
                f"the runtime '{spec.runtime}' downloads a {part}, and the job does not say which",
                f"Set {field} to its address.",
            )
    if spec.priority is not None and not draft.runtime.queued:
        setting.faults.add(
            (*path, "priority"),
            f"a priority is for jobs in a queue of Kueue, and this one is in none in '{setting.name}'",
            f"Name a queue in environments.{setting.name}.queue.",
        )


def _job(setting: Setting, draft: _Draft, name: str, member: Member) -> BuiltJob:
    runtime = draft.runtime
    longest = longest_job_name([each.name for each in runtime.templates], draft.nodes) - DIGITS - 1
    if len(member.key) > longest:
        setting.faults.add(
            draft.path,
            f"'{member.key}' has {len(member.key)} characters, but at most {longest} leave room for the names of Pods",
            "Shorten the name of the job.",
        )
    resources = runtime.resources.changed(draft.spec, setting.environment.size, gpu=runtime.spec.gpu_resource)
    spec: JsonObject = {
        "runtimeRef": {"name": runtime.name, "apiGroup": GROUP, "kind": runtime.kind},
        **_initializer(draft.spec),
        "trainer": _trainer(setting, draft, member),
        **_changes(setting, draft),
        "managedBy": _MANAGED_BY,
    }
    if draft.spec.deadline is not None and setting.facts.has_deadline:
        spec["activeDeadlineSeconds"] = draft.spec.deadline
    return BuiltJob(
        key=member.key,
        name=name,
        spec=draft.spec,
        runtime=runtime,
        object={
            "apiVersion": API_VERSION,
            "kind": "TrainJob",
            "metadata": _metadata(setting, draft, name, member),
            "spec": spec,
        },
        config_map=draft.program.config_map if draft.program is not None else None,
        nodes=draft.nodes,
        gpus=draft.nodes * int(resources.amounts.get(runtime.spec.gpu_resource, "0")),
    )


def _metadata(setting: Setting, draft: _Draft, name: str, member: Member) -> JsonObject:
    labels: JsonObject = {JOB_LABEL: name, KEY_LABEL: member.key}
    if draft.runtime.queued and setting.environment.queue is not None:
        labels[QUEUE] = setting.environment.queue.name
    if draft.spec.priority is not None:
        labels[PRIORITY] = draft.spec.priority
    labels |= {key: value for key, value in draft.spec.labels.items() if key not in labels}
    annotations: JsonObject = dict(draft.spec.annotations)
    if member.parameters:
        annotations[PARAMETERS] = " ".join(f"{key}={value}" for key, value in member.parameters.items())
    metadata: JsonObject = {"name": member.key, "namespace": setting.namespace, "labels": labels}
    if annotations:
        metadata["annotations"] = annotations
    return metadata


def _trainer(setting: Setting, draft: _Draft, member: Member) -> JsonObject:
    spec, program = draft.spec, draft.program
    out: JsonObject = {}
    if spec.image is not None:
        out["image"] = draft.registries.moved(spec.image)
    command = list(spec.entrypoint) if spec.entrypoint is not None else program.command if program else []
    if command:
        out["command"] = [member.fill(word) for word in command]
    before = program.args if program is not None else []
    args: list[JsonValue] = [*before, *(member.fill(word) for word in spec.args or ())]
    if args:
        out["args"] = args
    variables = {name: member.fill(value) for name, value in spec.env.items()}
    env: list[JsonValue] = [*volumes.variables(variables, spec.secrets)]
    if env:
        out["env"] = env
    out["numNodes"] = draft.nodes
    if spec.processes is not None:
        out["numProcPerNode"] = spec.processes
    if {"gpus", "cpu", "memory"} & spec.model_fields_set:
        gpu = draft.runtime.spec.gpu_resource
        out["resourcesPerNode"] = draft.runtime.resources.changed(spec, setting.environment.size, gpu=gpu).written()
    return out


def _initializer(spec: JobSpec) -> JsonObject:
    parts: JsonObject = {}
    for field, (part, _) in _INITIALIZERS.items():
        source: Source | None = getattr(spec, field)
        if source is None:
            continue
        entry: JsonObject = {"storageUri": source.uri}
        if source.env:
            entry["env"] = [*volumes.variables(source.env)]
        if source.secret is not None:
            entry["secretRef"] = {"name": source.secret}
        parts[part] = entry
    return {"initializer": parts} if parts else {}


def _changes(setting: Setting, draft: _Draft) -> JsonObject:
    """What the job changes in the Pods of its runtime."""
    storage = volumes.usable(setting, draft.spec.storage, draft.path)
    config_map = draft.program.config_map if draft.program is not None else None
    changes: dict[str, JsonObject] = {}
    for template in draft.runtime.templates:
        if not template.trains:
            continue
        pod: JsonObject = volumes.placement(draft.pool)
        added: list[JsonValue] = [volumes.volume(name, each) for name, each in storage]
        mounts: list[JsonValue] = [volumes.mount(name, each) for name, each in storage]
        if config_map is not None:
            volume, mount = scripts.mounted(config_map, template)
            added.append(volume)
            mounts.append(mount)
        if added:
            pod["volumes"] = added
            pod["containers"] = [{"name": NODE, "volumeMounts": mounts}]
        changes[template.name] = pod
    return pod_changes(setting.facts, changes)


def run_content(job: BuiltJob) -> tuple[JsonValue, ...]:
    """All that a run consists of; when it changes, it is another run. The name of a script holds what is in it.

    The queue counts, for Kueue lets nobody move a job that runs.
    """
    queue = text_at(job.object, "metadata", "labels", QUEUE)
    return (job.object["spec"], job.runtime.object["spec"], queue)
