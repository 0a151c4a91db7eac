"""How many Pods each job gets.

Source: kubeflow/trainer pkg/runtime/core/trainingruntime.go, pkg/runtime/framework/plugins/jobset/jobset.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, object_at
from trainergen.render.model import TRAINER
from trainergen.render.provenance import Origin

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import Draft

ONE_NODE = Origin("controller", (), "at least one node")


def initial_count(draft: Draft, job: JsonObject, ancestor: str) -> tuple[int, Origin]:
    """The count of a job before any plugin, never below one: the policy's for the trainer, else its parallelism."""
    if ancestor == TRAINER and draft.ml_policy is not None:
        nodes = integer_at(draft.ml_policy, "numNodes")
        origin = draft.from_runtime("mlPolicy", "numNodes")
    else:
        nodes = integer_at(job, "template", "spec", "parallelism")
        origin = draft.trace.find(job, ("template", "spec", "parallelism"))
    return (1, ONE_NODE) if nodes is None or nodes < 1 else (nodes, origin)


def count_nodes(draft: Draft) -> None:
    """Give the trainer's Pods the TrainJob's node count; it is taken as it is, even zero."""
    nodes = draft.job.trainer_field("numNodes")
    pods = draft.trainer_set()
    if isinstance(nodes, int) and pods is not None:
        pods.count = nodes
        pods.count_origin = draft.from_job("trainer", "numNodes")


def sync_counts(draft: Draft) -> None:
    """Write the counts to parallelism and completions of the jobs, whatever those were."""
    first = draft.trainer_set()
    for pods in draft.pod_sets:
        target = pods
        if draft.rendering.counts_by_name:
            # NB: of two jobs with one name the first gets the count of the second, which keeps its own parallelism.
            target = draft.named_set(pods.name) or pods
        source = first if draft.rendering.count_for_every_trainer and pods.ancestor == TRAINER and first else pods
        job_spec = object_at(target.job, "template", "spec")
        for field in ("parallelism", "completions"):
            draft.put(job_spec, field, source.count, source.count_origin)
