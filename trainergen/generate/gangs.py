"""How the Pods of a runtime are scheduled: together, and near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import object_at

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.generate.pods import PodTemplate
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import RuntimeSpec, Topology

_SCHEDULERS = {"volcano": "volcano", "coscheduling": "scheduler-plugins-scheduler"}
_REQUIRED = "kueue.x-k8s.io/podset-required-topology"
_PREFERRED = "kueue.x-k8s.io/podset-preferred-topology"
_JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name"
_REPLICATED_JOB = "jobset.sigs.k8s.io/replicatedjob-name"


def gang_of(setting: Setting, spec: RuntimeSpec) -> str:
    """What starts the Pods of a runtime together here."""
    return spec.gang or ("kueue" if setting.environment.queue else "none")


def schedule(
    setting: Setting, spec: RuntimeSpec, runtime: JsonObject, templates: list[PodTemplate], *, path: Path
) -> None:
    """Write gang and topology into a runtime."""
    gang = gang_of(setting, spec)
    if gang == "kueue" and setting.environment.queue is None:
        setting.faults.add(
            (*path, "gang"),
            f"Kueue is to start the Pods, but the environment '{setting.name}' has no queue",
            f"Name one in environments.{setting.name}.queue.",
        )
    if gang in _SCHEDULERS:
        _group(setting, gang, runtime, templates, path=path)
    if spec.topology is not None:
        _near(setting, (gang, spec.topology), runtime, templates, path=path)


def _group(setting: Setting, gang: str, runtime: JsonObject, templates: list[PodTemplate], *, path: Path) -> None:
    if gang not in setting.facts.gangs:
        setting.faults.add(
            (*path, "gang"),
            f"Trainer {setting.facts.release} knows no gang scheduling by {gang}",
            f"Use one of {', '.join(sorted(setting.facts.gangs))}, kueue or none.",
        )
        return
    if any("dependsOn" in template.job for template in templates):
        setting.faults.add(
            (*path, "gang"),
            f"{gang} waits for all Pods of a job, but this runtime makes some only after others have run",
            "Use kueue, or a runtime without downloads and launcher.",
        )
    policy: JsonObject = {} if gang == "volcano" else {"scheduleTimeoutSeconds": 120}
    runtime_spec = object_at(runtime, "spec")
    rest = {key: runtime_spec.pop(key) for key in list(runtime_spec) if key == "template"}
    runtime_spec["podGroupPolicy"] = {gang: policy}
    runtime_spec.update(rest)
    for template in templates:
        template.spec["schedulerName"] = _SCHEDULERS[gang]


def _near(
    setting: Setting, wanted: tuple[str, Topology], runtime: JsonObject, templates: list[PodTemplate], *, path: Path
) -> None:
    gang, topology = wanted
    training = [template for template in templates if template.trains]
    if gang == "volcano":
        if not topology.level.isdigit():
            setting.faults.add(
                (*path, "topology"),
                f"Volcano is told the highest tier that a job may span, but the level is '{topology.level}'",
                "Write the number of the tier.",
            )
            return
        mode = "hard" if topology.required else "soft"
        object_at(runtime, "spec", "podGroupPolicy", "volcano")["networkTopology"] = {
            "mode": mode,
            "highestTierAllowed": int(topology.level),
        }
    elif gang == "kueue":
        for template in training:
            key = _REQUIRED if topology.required else _PREFERRED
            metadata = template.template.setdefault("metadata", {})
            assert isinstance(metadata, dict)
            annotations = metadata.setdefault("annotations", {})
            assert isinstance(annotations, dict)
            annotations[key] = topology.level
    else:
        for template in training:
            template.spec["affinity"] = _affinity(template, topology)


def _affinity(template: PodTemplate, topology: Topology) -> JsonObject:
    """Pods of one replicated job of one run, told by the labels that JobSet gives them."""
    term: JsonObject = {
        "labelSelector": {"matchLabels": {_REPLICATED_JOB: template.name}},
        "matchLabelKeys": [_JOBSET_NAME],
        "topologyKey": topology.level,
    }
    if topology.required:
        return {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    weighted: JsonObject = {"weight": 100, "podAffinityTerm": term}
    return {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [weighted]}}
