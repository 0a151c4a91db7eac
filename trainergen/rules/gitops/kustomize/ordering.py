"""The order of a runtime's replicated jobs: JobSet wants each behind those that it depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.rules.gitops.kustomize.merging import found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonObject

JOBS = ("spec", "template", "spec", "replicatedJobs")


class Misplaced(NamedTuple):
    """A dependency that is not on an earlier job; ``place`` and ``dependency`` are the indexes that lead to it."""

    job: str
    needs: str
    known: bool
    """Whether there is a job of that name at all."""
    place: int
    dependency: int


def misplaced(runtime: JsonObject) -> Iterator[Misplaced]:
    """The dependencies that JobSet refuses.

    kubernetes-sigs/jobset pkg/webhooks/jobset_webhook.go @ v0.8.2 to v0.12.0.
    """
    jobs = found(runtime, *JOBS)
    names = [found(job, "name") for job in jobs] if isinstance(jobs, list) else []
    for index, job in enumerate(jobs if isinstance(jobs, list) else ()):
        listed = found(job, "dependsOn")
        for at, dependency in enumerate(listed if isinstance(listed, list) else ()):
            needs = found(dependency, "name")
            if isinstance(needs, str) and needs not in names[:index]:
                yield Misplaced(str(names[index]), needs, needs in names, index, at)
