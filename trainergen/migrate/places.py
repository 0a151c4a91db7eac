"""Where the Pods of a legacy job are among those of the migrated one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import list_at, text_at
from trainergen.migrate.legacy import read_job
from trainergen.migrate.pods import NODE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import JsonObject
    from trainergen.migrate.legacy import LegacyJob
    from trainergen.migrate.result import Migration


class Place(NamedTuple):
    """Pod ``i`` of a role is the Pod with the completion index ``first + i`` of a replicated job."""

    job: str
    first: int


def places_of(migration: Migration) -> dict[str, Place]:
    """For each role in lower case, where its Pods are; empty for what is no legacy job or became nothing."""
    job = read_job(migration.source)
    return places_in(job, migration.objects) if job is not None and migration.objects else {}


def places_in(job: LegacyJob, objects: Iterable[JsonObject]) -> dict[str, Place]:
    """For each role in lower case, where its Pods are in what the job became."""
    names = replicated_jobs(objects) or [NODE]
    found: dict[str, Place] = {}
    count = 0
    for role in job.roles:
        name = role.name.lower()
        if len(names) == 1:
            found[name] = Place(names[0], count)
            count += role.replicas
        else:
            found[name] = Place(name if name in names else NODE, 0)
    return found


def replicated_jobs(objects: Iterable[JsonObject]) -> list[str]:
    """The names of the jobs of a generated runtime; none without one."""
    runtime = next((each for each in objects if text_at(each, "kind") == "TrainingRuntime"), None)
    return [text_at(each, "name") for each in list_at(runtime, "spec", "template", "spec", "replicatedJobs")]
