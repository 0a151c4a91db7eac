"""``podTemplateOverrides`` and the labels and annotations of the spec become one entry of ``runtimePatches``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import object_at, text_at
from trainergen.api.merge import MergeError
from trainergen.api.overriding import overridden
from trainergen.api.structural import load
from trainergen.upgrade.checks import NOT_EDITED, OVERRIDE_METADATA_DROPPED
from trainergen.upgrade.draft import as_part, entries, items, plain
from trainergen.upgrade.work import JOB, Work

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject
    from trainergen.upgrade.draft import Part

OLD, NEW = "podTemplateOverrides", "runtimePatches"
_METADATA = ("labels", "annotations")
_KNOWN = frozenset({"targetJobs", "metadata", "spec"})
_LONGEST_MANAGER = 253


def runtime_patches(work: Work) -> None:
    """Fan the overrides out by job, as kubeflow/trainer pkg/runtime/core/trainingruntime.go @ v2.2.1 reads patches."""
    draft = work.draft
    arrives = work.new.behaviours.overrides_field == NEW and work.old.behaviours.overrides_field != NEW
    if work.document.kind != JOB or not arrives:
        return
    found = [key for key in (OLD, *_METADATA) if draft.has("spec", key)]
    if not found:
        return
    template = _template(work)
    if template is None:
        return
    there = items(draft.part("spec", NEW))
    patches: list[Part] = [*there]
    if template:
        manager = _manager(work.around.manager, [text_at(plain(one), "manager") for one in there])
        patches.append({"manager": manager, "trainingRuntimeSpec": {"template": template}})
        work.note(f"{_words(found)} moved to spec.{NEW}, under the manager {manager}")
    else:
        work.note(f"{_words(found)} did nothing and went")
    if patches:
        draft.put(("spec", NEW), patches, instead=found[0])
    for key in found:
        draft.drop(("spec", key))


def _words(found: list[str]) -> str:
    return " and ".join(f"spec.{key}" for key in found)


def _template(work: Work) -> dict[str, Part] | None:
    """The template of the patch; empty when nothing is left of it, None when it cannot be made."""
    draft = work.draft
    metadata: dict[str, Part] = {
        key: draft.part("spec", key) for key in _METADATA if object_at(draft.value, "spec").get(key)
    }
    jobs = _jobs(work)
    if jobs is None:
        return None
    template: dict[str, Part] = {"metadata": metadata} if metadata else {}
    if jobs:
        template["spec"] = {"replicatedJobs": jobs}
    return template


def _jobs(work: Work) -> list[Part] | None:
    by_job: dict[str, list[Part]] = {}
    for at, entry in enumerate(items(work.draft.part("spec", OLD))):
        if not isinstance(plain(entry), dict) or not _KNOWN.issuperset(entries(entry)):
            work.lose(_unknown(work, at, entry))
            return None
        _metadata_dropped(work, at, entry)
        targets = [text_at(plain(target), "name") for target in items(entries(entry).get("targetJobs"))]
        if not targets:
            work.note(f"an override that names no job, number {at + 1}, did nothing and went")
        for name in dict.fromkeys(targets):
            by_job.setdefault(name, []).append(entry)
    jobs: list[Part] = []
    for name, found in by_job.items():
        pod = _pod(found[0]) if len(found) == 1 else _merged(work, name, found)
        if pod is None:
            return None
        if pod:
            jobs.append({"name": name, "template": {"spec": {"template": pod}}})
    return jobs


def _pod(entry: Part) -> dict[str, Part]:
    """What an override says of a Pod template."""
    fields = entries(entry)
    given = entries(fields.get("metadata"))
    metadata = {key: given[key] for key in given if key in _METADATA and plain(given[key])}
    pod: dict[str, Part] = {"metadata": metadata} if metadata else {}
    if plain(fields.get("spec")):
        pod["spec"] = fields["spec"]
    return pod


def _merged(work: Work, name: str, found: list[Part]) -> dict[str, Part] | None:
    """Several overrides for one job as one, merged in their order as the controller did."""
    work.note(f"{len(found)} overrides of job {name} are merged into one, the later ones winning")
    schemas = load(work.old.name)
    bare: JsonObject = {"replicatedJobs": [{"name": name, "template": {"spec": {"template": {}}}}]}
    overrides: list[JsonObject] = [{**object_at(plain(entry)), "targetJobs": [{"name": name}]} for entry in found]
    try:
        merged = overridden(bare, overrides, "PodTemplateSpec", schemas)
    except MergeError as error:
        work.lose(
            NOT_EDITED.at(
                work.spot("spec", OLD),
                f"the overrides of job '{name}' cannot be merged: {error}",
                help="Make one entry of them by hand.",
            )
        )
        return None
    jobs = merged["replicatedJobs"]
    assert isinstance(jobs, list)
    pod = object_at(jobs[0], "template", "spec", "template")
    return {key: _with_text(key, object_at(value), found) for key, value in pod.items() if value}


def _with_text(section: str, merged: JsonObject, found: list[Part]) -> Part:
    """What several overrides say in ``spec`` or ``metadata``; what one of them says alone keeps its text."""
    sections = [entries(entries(entry).get(section)) for entry in found]
    parts: dict[str, Part] = {}
    for key, value in merged.items():
        own = [fields[key] for fields in sections if key in fields]
        parts[key] = own[0] if len(own) == 1 else as_part(value)
    return parts


def _metadata_dropped(work: Work, at: int, entry: Part) -> None:
    ignored = [key for key in entries(entries(entry).get("metadata")) if key not in _METADATA]
    if ignored:
        work.lose(
            OVERRIDE_METADATA_DROPPED.at(
                work.spot("spec", OLD, at, "metadata", ignored[0]),
                f"metadata '{', '.join(ignored)}' of an override is left out: {work.old.name} ignored it, and "
                f"{work.new.name} would apply it",
                help="Write it below the Pod template of the patch if it is to count.",
                on_key=True,
            )
        )


def _unknown(work: Work, at: int, entry: Part) -> Finding:
    unknown = sorted(set(entries(entry)) - _KNOWN)
    message = f"the override has '{unknown[0]}', which no release knows" if unknown else "the override is no mapping"
    return NOT_EDITED.at(work.spot("spec", OLD, at, *unknown[:1]), message, help="Correct it, then upgrade again.")


def _manager(wanted: str, taken: list[str]) -> str:
    """The name of our patch: the wanted one, with a number when there is a patch of that name."""
    name, number = wanted, 2
    while name in taken:
        name = f"{wanted[: _LONGEST_MANAGER - 3]}-{number}"
        number += 1
    return name
