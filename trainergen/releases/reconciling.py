"""The named behaviours of a Trainer release that decide how its controller keeps a TrainJob."""

from __future__ import annotations

from typing import Literal, NamedTuple

Finished = Literal["left alone", "reconciled", "not rendered"]


class Reconciling(NamedTuple):
    """What the controller asks instead of comparing version numbers.

    Source of every value: kubeflow/trainer at the release's tag and, for what a release changed, at the one before.
    """

    finished: Finished
    """What happens to a TrainJob that is complete or failed: nothing at all, all that happens to any other, or only
    what keeps its status. kubeflow/trainer pkg/controller/trainjob_controller.go @ v2.0.1, v2.1.0, v2.2.1."""
    failed_derived_anew: bool
    """A failure of the JobSet is forgotten at every pass and taken from the JobSet again, so that a job whose JobSet is
    gone runs once more. kubeflow/trainer pkg/controller/trainjob_controller.go @ v2.1.0. On purpose not so from 2.2 on,
    where the original still did it although it counted such jobs as finished: its next release ends that."""
    jobs_status: bool
    """``status.jobsStatus`` mirrors the jobs of the JobSet, and both its terminal conditions count; before, only the
    first of them. kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go @ v2.0.1 and v2.1.0."""
    finished_outlives_job_set: bool
    """The JobSet of a finished TrainJob may be gone. kubeflow/trainer
    pkg/runtime/framework/plugins/jobset/jobset.go @ v2.1.0 and v2.2.1."""
    active_deadline: bool
    """``spec.activeDeadlineSeconds`` ends a job.
    kubeflow/trainer pkg/controller/trainjob_controller.go @ v2.1.0 and v2.2.1."""
    runtime_held: bool
    """A runtime that TrainJobs refer to gets a finalizer and cannot be deleted; later it is taken off again.
    kubeflow/trainer pkg/controller/trainingruntime_controller.go @ v2.2.1 and v2.3.0."""
    events_name_action: bool
    """Events are those of ``events.k8s.io``, which say what was being done.
    kubeflow/trainer pkg/controller/trainjob_controller.go @ v2.1.0 and v2.2.1."""
    bearer_read_loosely: bool
    """The status server takes the scheme of an Authorization header in any case and with any spaces.
    kubeflow/trainer pkg/statusserver/auth.go @ v2.2.1 and v2.3.0."""


V2_0 = Reconciling(
    finished="left alone",
    failed_derived_anew=False,
    jobs_status=False,
    finished_outlives_job_set=False,
    active_deadline=False,
    runtime_held=True,
    events_name_action=False,
    bearer_read_loosely=False,
)
V2_1 = V2_0._replace(finished="reconciled", failed_derived_anew=True, jobs_status=True)
V2_2 = V2_1._replace(
    finished="not rendered",
    failed_derived_anew=False,
    finished_outlives_job_set=True,
    active_deadline=True,
    events_name_action=True,
)
V2_3 = V2_2._replace(runtime_held=False, bearer_read_loosely=True)
