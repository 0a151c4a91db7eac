"""Remarks on overrides that miss their aim: jobs and containers that the runtime does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from trainergen.api.access import list_at, object_at, text_at
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.releases import Behaviours
    from trainergen.render.rendered import Rendered

_POD_SPEC: Path = ("template", "spec", "template", "spec")
_LISTS = {"containers": "container", "initContainers": "init container"}
Target: TypeAlias = "tuple[str, str, JsonObject]"
"""Whose override, the job it names, and what it says about the Pod's spec."""


def override_remarks(job: JsonObject, rendered: Rendered, behaviours: Behaviours) -> Iterator[str]:
    """What to tell about the overrides of ``job``, which was ``rendered``; nothing where its JobSet is left alone."""
    jobset = next((made for made in rendered.objects if made["kind"] == "JobSet"), None)
    if jobset is None:
        return
    known = _known(rendered, jobset, ("spec", "replicatedJobs"))
    for who, name, pod in _targets(job, behaviours):
        if name not in known:
            yield f"{who} is for job '{name}', which the runtime does not have{did_you_mean(name, known)}"
            continue
        for key, what in _LISTS.items():
            containers = _known(rendered, jobset, ("spec", "replicatedJobs", known[name], *_POD_SPEC, key))
            for item in list_at(pod, key):
                container = text_at(item, "name")
                if container not in containers:
                    near = did_you_mean(container, containers)
                    yield f"{who} is for {what} '{container}' of job '{name}', which the runtime does not have{near}"


def _known(rendered: Rendered, jobset: JsonObject, path: Path) -> dict[str, int]:
    """The items by name, with their numbers, that no patch brought in."""
    items: JsonValue = jobset
    for step in path:
        items = items[step] if isinstance(items, list) and isinstance(step, int) else object_at(items).get(str(step))
    return {
        text_at(item, "name"): number
        for number, item in enumerate(items if isinstance(items, list) else [])
        if rendered.origin(jobset, (*path, number)).kind != "patch"
    }


def _targets(job: JsonObject, behaviours: Behaviours) -> Iterator[Target]:
    field = behaviours.overrides_field
    for number, override in enumerate(list_at(job, "spec", field)):
        who = f"{field}[{number}]"
        if behaviours.overrides_have_managers:
            for patched in list_at(override, "trainingRuntimeSpec", "template", "spec", "replicatedJobs"):
                yield who, text_at(patched, "name"), object_at(patched, *map(str, _POD_SPEC))
        else:
            pod = object_at(override) if behaviours.overrides_target == "PodSpec" else object_at(override, "spec")
            for target in list_at(override, "targetJobs"):
                yield who, text_at(target, "name"), pod
