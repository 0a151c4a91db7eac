"""Checks of the MPI plugin.

Source: kubeflow/trainer pkg/runtime/framework/plugins/mpi/mpi.go @ v2.0.1, v2.1.0, v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.webhooks import checks
from trainergen.admission.webhooks.env import reserved_variables
from trainergen.admission.webhooks.review import LAUNCHER, NODE, named
from trainergen.api.access import integer_at

if TYPE_CHECKING:
    from trainergen.admission.webhooks.review import Outcomes, Review

RESERVED_ENV = frozenset(
    {
        "OMPI_MCA_orte_default_hostfile",
        "OMPI_MCA_plm_rsh_args",
        "OMPI_MCA_orte_keep_fqdn_hostnames",
        "OMPI_MCA_orte_set_default_slots",
    }
)


def check(review: Review) -> Outcomes:
    """What the MPI plugin refuses in a TrainJob."""
    policy = review.policy("MPI", "mlPolicy", "mpi")
    trainer = review.request.trainer
    if policy is None or trainer is None:
        return
    behaviours = review.request.behaviours
    processes = trainer.get("numProcPerNode")
    if behaviours.num_proc_per_node_words and isinstance(processes, str):
        yield checks.MPI_PROCESS_WORD.at(
            ("spec", "trainer", "numProcPerNode"),
            f"numProcPerNode is the string '{processes}', but MPI takes only an integer",
            help="Write the number of processes without quotes.",
        )
    nodes = integer_at(trainer, "numNodes")
    missing = [name for name in (LAUNCHER, NODE) if not named(review.jobs, name)]
    if nodes is not None and nodes >= 2 and policy.get("runLauncherAsNode") is True and missing:
        yield checks.MPI_MISSING_JOB.at(
            ("spec", "trainer", "numNodes"),
            f"numNodes is {nodes} and the launcher counts as a node, but the runtime has no job '{missing[0]}'",
            help="Set numNodes to 1, or refer to a runtime with the jobs launcher and node.",
        )
    if behaviours.mpi_reserves_env:
        yield from reserved_variables(trainer, RESERVED_ENV, checks.RESERVED_MPI_ENV, owner="the MPI plugin")
