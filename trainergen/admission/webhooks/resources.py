"""How many GPUs a node of a TrainJob has, as the plugins count them.

Source: kubeflow/trainer pkg/runtime/runtime.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.webhooks.review import NODE, TRAINER_ANCESTOR, ancestor, containers, named
from trainergen.api.access import object_at, value_at
from trainergen.api.quantity import QuantityError, parse_quantity

if TYPE_CHECKING:
    from trainergen.admission.webhooks.review import Review
    from trainergen.finding import JsonObject


def gpus_per_node(review: Review) -> int:
    """The GPUs of ``spec.trainer.resourcesPerNode`` if set, else of the runtime's container; requests come first."""
    resources = value_at(review.request.job, "spec", "trainer", "resourcesPerNode")
    if not isinstance(resources, dict):
        resources = _runtime_resources(review)
    return _gpus(object_at(resources, "requests")) or max(_gpus(object_at(resources, "limits")), 0)


def _runtime_resources(review: Review) -> JsonObject:
    for job in review.jobs:
        if job.get("name") == NODE or ancestor(job) == TRAINER_ANCESTOR:
            for container in named(containers(job), NODE):
                return object_at(container, "resources")
    return {}


def _gpus(resources: JsonObject) -> int:
    # NB: with several resources named after GPUs the real one takes any of them; here it is the first by name.
    for name in sorted(resources):
        if "gpu" in name.lower():
            try:
                return parse_quantity(resources[name]).ceil()
            except QuantityError:
                return 0
    return 0
