"""``numProcPerNode`` goes from the torch policy of a runtime; the TrainJobs that use it say it instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.upgrade.checks import USED_ELSEWHERE
from trainergen.upgrade.work import RUNTIMES, Work

if TYPE_CHECKING:
    from trainergen.finding import Path

_PLACE: Path = ("spec", "mlPolicy", "torch", "numProcPerNode")


def runtime_processes(work: Work) -> None:
    """As kubeflow/trainer pkg/apis/trainer/v1alpha1/trainingruntime_types.go dropped it with v2.2.0."""
    draft = work.draft
    leaves = work.old.rendering.torch_policy_has_processes and not work.new.rendering.torch_policy_has_processes
    if work.document.kind not in RUNTIMES or not leaves or not draft.has(*_PLACE):
        return
    word = draft.get(*_PLACE)
    draft.drop(_PLACE)
    if word in (None, "auto"):
        work.note(f"numProcPerNode of the torch policy went: 'auto' is what {work.new.name} does")
        return
    users = [job.name for job in work.around.users_of(work.document)]
    here = f"; those here are seen to: {', '.join(users)}" if users else ""
    work.note(f"numProcPerNode of the torch policy went, '{word}'{here}")
    work.lose(
        USED_ELSEWHERE.at(
            _PLACE,
            f"the runtime no longer says numProcPerNode '{word}', and TrainJobs elsewhere may rely on it{here}",
            help="Write spec.trainer.numProcPerNode into TrainJobs that use this runtime and are not in this tree.",
            on_key=True,
        )
    )
