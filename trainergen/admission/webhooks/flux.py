"""Checks of the Flux plugin.

Source: kubeflow/trainer pkg/runtime/framework/plugins/flux/flux.go @ v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.webhooks import checks
from trainergen.admission.webhooks.review import NODE, containers, named
from trainergen.api.access import integer_at

if TYPE_CHECKING:
    from trainergen.admission.webhooks.review import Outcomes, Review

INSTALLER = "flux-installer"


def check(review: Review) -> Outcomes:
    """What the Flux plugin refuses in a TrainJob."""
    policy = review.policy("Flux", "mlPolicy", "flux")
    if policy is None:
        return
    own = integer_at(review.request.trainer, "numProcPerNode")
    decides = own is not None and review.request.behaviours.flux_job_overrides_policy
    processes = own if decides else integer_at(policy, "numProcPerNode")
    if processes is not None and processes < 1:
        where = "numProcPerNode" if decides else "numProcPerNode of the runtime's Flux policy"
        yield checks.FLUX_PROCESSES.at(
            ("spec", "trainer", "numProcPerNode"),
            f"{where} is {processes}, but Flux needs at least one process a node",
            help="Set it to 1 or more.",
        )
    for job in named(review.jobs, NODE):
        for _ in named(containers(job, "initContainers"), INSTALLER):
            yield checks.RESERVED_FLUX_CONTAINER.at(
                ("spec", "trainer"),
                f"job '{NODE}' of the runtime has an init container '{INSTALLER}', which the Flux plugin adds itself",
                help="Rename the init container in the runtime or in the override that adds it.",
            )
