"""Status of a TrainJob: what the controllers report, never part of a manifest in Git."""

from typing import Annotated

from trainergen.api.fields import (
    LIST_ATOMIC,
    Int32,
    Rule,
    Time,
    lasts,
    list_map,
    max_items,
    max_length,
    maximum,
    merge_key,
    min_length,
    minimum,
)
from trainergen.api.kubernetes import Condition
from trainergen.api.model import Model


class JobStatus(Model):
    """How many Jobs of one replicated job are in which state."""

    name: Annotated[str, min_length(1, since="2.1"), max_length(253, since="2.2")]
    """Name of the replicated job."""
    ready: Annotated[Int32, minimum(0, since="2.1")]
    """Jobs whose pods are all ready or done."""
    succeeded: Annotated[Int32, minimum(0, since="2.1")]
    """Jobs that completed."""
    failed: Annotated[Int32, minimum(0, since="2.1")]
    """Jobs that failed."""
    active: Annotated[Int32, minimum(0, since="2.1")]
    """Jobs with at least one pod that is pending or running."""
    suspended: Annotated[Int32, minimum(0, since="2.1")]
    """Jobs that are suspended."""


class Metric(Model):
    """One number that the training code reported, as text."""

    name: Annotated[str, min_length(1), max_length(64)]
    """Name of the metric, such as ``loss``."""
    value: Annotated[str, min_length(1), max_length(64)]
    """Value of the metric, written as a string."""


class TrainerStatus(Model):
    """What the training code last reported about its own progress."""

    progress_percentage: Annotated[Int32 | None, minimum(0), maximum(100)] = None
    """How much of the training is done, in percent."""
    estimated_remaining_seconds: Annotated[Int32 | None, minimum(0)] = None
    """How long the training is expected to take from now."""
    metrics: Annotated[list[Metric] | None, LIST_ATOMIC, max_items(256)] = None
    """The metrics of the last report."""
    last_updated_time: Time | None = None
    """When the last report arrived; present in every report."""


class TrainJobStatus(Model):
    """Observed state of a TrainJob."""

    conditions: Annotated[
        list[Condition] | None, list_map("type"), merge_key("type", until="2.0"), max_items(8, since="2.2")
    ] = None
    """``Suspended``, ``Complete`` and ``Failed``, as far as they have been true or false."""
    jobs_status: Annotated[list[JobStatus] | None, list_map("name"), max_items(100, since="2.2")] = None
    """State of the Jobs, by replicated job. Release 2.0 never fills it."""
    trainer_status: Annotated[
        TrainerStatus | None,
        Rule("has(self.lastUpdatedTime)", "lastUpdatedTime is required when trainerStatus is present"),
        lasts(since="2.2"),
    ] = None
    """Progress reported by the training code; filled only with the ``TrainJobStatus`` feature gate."""
