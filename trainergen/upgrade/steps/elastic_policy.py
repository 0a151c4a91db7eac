"""``elasticPolicy`` goes from the torch policy of a runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at
from trainergen.upgrade.checks import ELASTIC_POLICY_DROPPED
from trainergen.upgrade.work import RUNTIMES, Work

if TYPE_CHECKING:
    from trainergen.finding import Path

_POLICY: Path = ("spec", "mlPolicy")
_PLACE: Path = (*_POLICY, "torch", "elasticPolicy")
_NODES: Path = (*_POLICY, "numNodes")


def elastic_policy(work: Work) -> None:
    """No release read it: kubeflow/trainer pkg/runtime/framework/plugins/torch/torch.go @ v2.0.1 and v2.1.0.

    A runtime with it could not say ``numNodes`` and so had one node, which is written down.
    """
    draft = work.draft
    leaves = work.old.rendering.torch_policy_has_processes and not work.new.rendering.torch_policy_has_processes
    if work.document.kind not in RUNTIMES or not leaves or not draft.has(*_PLACE):
        return
    policy = draft.get(*_PLACE)
    draft.drop(_PLACE)
    if not draft.has(*_NODES):
        draft.put(_NODES, 1)
    work.note("elasticPolicy of the torch policy went; no release ever acted on it")
    restarts = integer_at(policy, "maxRestarts")
    budget = f" For a budget of restarts write template.spec.failurePolicy.maxRestarts: {restarts}." if restarts else ""
    work.lose(
        ELASTIC_POLICY_DROPPED.at(
            _PLACE,
            "elasticPolicy is taken out: no release ever acted on it, so the jobs ran with the nodes they asked for",
            help=f"Set numNodes of the policy, or of the TrainJobs, to the nodes that are wanted.{budget}",
            on_key=True,
        )
    )
