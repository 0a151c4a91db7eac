"""Checks of the JobSet plugin against the runtime: initializers, and the jobs that overrides name.

Source: kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go @ v2.0.1, v2.1.0, v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.admission.webhooks import checks
from trainergen.admission.webhooks.overrides import targets
from trainergen.admission.webhooks.review import DATASET_INITIALIZER, MODEL_INITIALIZER, containers, named
from trainergen.api.access import list_at, names_in, text_at, value_at

if TYPE_CHECKING:
    from trainergen.admission.webhooks.review import Outcomes, Review
    from trainergen.finding import Check

INITIALIZER_VOLUME = "initializer"


class _Initializer(NamedTuple):
    """A section of ``spec.initializer`` and the checks of the job that serves it."""

    section: str
    job: str
    no_job: Check
    no_container: Check
    no_mount: Check


_INITIALIZERS = (
    _Initializer(
        "dataset",
        DATASET_INITIALIZER,
        checks.MISSING_DATASET_JOB,
        checks.MISSING_DATASET_CONTAINER,
        checks.MISSING_DATASET_MOUNT,
    ),
    _Initializer(
        "model",
        MODEL_INITIALIZER,
        checks.MISSING_MODEL_JOB,
        checks.MISSING_MODEL_CONTAINER,
        checks.MISSING_MODEL_MOUNT,
    ),
)


def check_initializers(review: Review) -> Outcomes:
    """The runtime must have the job, the container and the mount that each section of ``spec.initializer`` needs."""
    for initializer in _INITIALIZERS:
        if isinstance(value_at(review.request.job, "spec", "initializer", initializer.section), dict):
            yield from _check_initializer(review, initializer)


def _check_initializer(review: Review, initializer: _Initializer) -> Outcomes:
    name = initializer.job
    jobs = named(review.jobs, name)
    mains = [container for job in jobs for container in named(containers(job), name)]
    mounts = [mount for main in mains for mount in list_at(main, "volumeMounts")]
    if not jobs:
        lack, check = f"has no job '{name}'", initializer.no_job
    elif not mains and not any(named(containers(job, "initContainers"), name) for job in jobs):
        lack, check = f"has no container '{name}' in its job '{name}'", initializer.no_container
    elif review.request.behaviours.initializer_needs_mount and INITIALIZER_VOLUME not in names_in(mounts):
        lack = f"mounts no volume '{INITIALIZER_VOLUME}' in container '{name}' of its job '{name}'"
        check = initializer.no_mount
    else:
        return
    section = initializer.section
    yield check.at(
        ("spec", "runtimeRef", "name"),
        f"runtime '{text_at(review.runtime, 'metadata', 'name')}' {lack}, which spec.initializer.{section} needs",
        help=f"Refer to a runtime that fetches a {section}, or remove spec.initializer.{section}.",
    )


def check_targets(review: Review) -> Outcomes:
    """Overrides may name only jobs of the runtime; where the merge adds unknown ones, none is left to refuse."""
    have = {text_at(job, "name") for job in review.jobs}
    for target in targets(review.request):
        if target.job not in have:
            yield checks.UNKNOWN_TARGET_JOB.at(
                target.path,
                f"job '{target.job}' does not exist in the runtime, which has {', '.join(sorted(have)) or 'no jobs'}",
                help="Name a job of the runtime, or remove the override.",
            )
