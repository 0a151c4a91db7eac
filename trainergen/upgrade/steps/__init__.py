"""The steps of an upgrade, in the order in which they are taken in every hop; each looks whether it applies.

A step goes by the fields that an object has, so that half-migrated manifests are taken from where they are.
"""

from __future__ import annotations

from collections.abc import Callable

from trainergen.upgrade.steps.elastic_policy import elastic_policy
from trainergen.upgrade.steps.initializer_mount import initializer_mount
from trainergen.upgrade.steps.job_processes import job_processes
from trainergen.upgrade.steps.pod_template_overrides import pod_template_overrides
from trainergen.upgrade.steps.runtime_gone import runtime_gone
from trainergen.upgrade.steps.runtime_patches import runtime_patches
from trainergen.upgrade.steps.runtime_processes import runtime_processes
from trainergen.upgrade.steps.storage_uri import storage_uri
from trainergen.upgrade.work import Work

Step = Callable[[Work], None]

STEPS: tuple[Step, ...] = (
    runtime_gone,
    pod_template_overrides,
    runtime_patches,
    job_processes,
    runtime_processes,
    elastic_policy,
    storage_uri,
    initializer_mount,
)

__all__ = ["STEPS", "Step"]
