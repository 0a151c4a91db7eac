"""The stories that can be told: what people do at what second, and how the training goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trainergen.api.access import object_at, text_at
from trainergen.api.structural import load
from trainergen.errors import TrainergenError
from trainergen.releases import get_release
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, JOB_SET, TRAIN_JOB, TRAINING_RUNTIME
from trainergen_controller.simulate.job_sets import Script

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object

Deed: TypeAlias = "Callable[[Client, Object, str], None]"
"""What somebody does with a client, about a TrainJob, in a release."""
GOOD = Script()
NEVER = float("inf")
DEADLINE = 30
OWN_NODES = {"example.com/pool": "simulation"}


class Step(NamedTuple):
    """Something done at a second of the story."""

    seconds: float
    who: str
    do: Deed


@dataclass(frozen=True, slots=True)
class Scenario:
    """One story."""

    name: str
    summary: str
    script: Script = GOOD
    steps: tuple[Step, ...] = ()
    needs_deadline: bool = False

    def prepared(self, job: Object, release: str) -> tuple[Object, tuple[str, ...]]:
        """The TrainJob as the story needs it, with a note on what was changed for that.

        TrainergenError where the release has no such story.
        """
        if not self.needs_deadline or "activeDeadlineSeconds" in object_at(job, "spec"):
            return job, ()
        if not get_release(release).reconciling.active_deadline:
            raise TrainergenError(
                f"release {release} knows no deadline", hint="Choose release 2.2 or a later one for this scenario."
            )
        note = f"spec.activeDeadlineSeconds is set to {DEADLINE} for this scenario, the manifest has none"
        return {**job, "spec": {**job["spec"], "activeDeadlineSeconds": DEADLINE}}, (note,)


def _suspend(client: Client, job: Object, _release: str, *, value: bool = True) -> None:
    metadata = job["metadata"]
    client.merge_patch(TRAIN_JOB, metadata["name"], metadata["namespace"], {"spec": {"suspend": value}})


def resume(client: Client, job: Object, release: str) -> None:
    """Lets a suspended TrainJob run."""
    _suspend(client, job, release, value=False)


def _delete(client: Client, job: Object, _release: str) -> None:
    client.delete(TRAIN_JOB, job["metadata"]["name"], job["metadata"]["namespace"])


def _delete_job_set(client: Client, job: Object, _release: str) -> None:
    client.delete(JOB_SET, job["metadata"]["name"], job["metadata"]["namespace"])


def _edit_runtime(client: Client, job: Object, _release: str) -> None:
    reference = client.get(TRAIN_JOB, job["metadata"]["name"], job["metadata"]["namespace"])["spec"]["runtimeRef"]
    is_cluster = reference["kind"] == CLUSTER_TRAINING_RUNTIME.kind
    kind = CLUSTER_TRAINING_RUNTIME if is_cluster else TRAINING_RUNTIME
    namespace = "" if is_cluster else job["metadata"]["namespace"]
    patch = {"spec": {"template": {"metadata": {"labels": {"edited": "yes"}}}}}
    client.merge_patch(kind, reference["name"], namespace, patch)


def _select_nodes(client: Client, job: Object, release: str) -> None:
    _patch_pods(client, job, release, {"nodeSelector": OWN_NODES})


def _change_account(client: Client, job: Object, release: str) -> None:
    _patch_pods(client, job, release, {"nodeSelector": OWN_NODES, "serviceAccountName": "trainer"})


def _patch_pods(client: Client, job: Object, release: str, fields: Object) -> None:
    """Puts ``fields`` into the Pods of the last job by a patch of our own, in the words of the release."""
    place = job["metadata"]["name"], job["metadata"]["namespace"]
    target = text_at(client.get(JOB_SET, *place)["spec"]["replicatedJobs"][-1], "name")
    pods = {"spec": {"template": {"spec": fields}}}
    spec = {"replicatedJobs": [{"name": target, "template": pods}]}
    written: Object = {
        "runtimePatches": {"manager": "example.com/simulation", "trainingRuntimeSpec": {"template": {"spec": spec}}},
        "podTemplateOverrides": {"targetJobs": [{"name": target}], "spec": fields},
        "podSpecOverrides": {"targetJobs": [{"name": target}], **fields},
    }
    known = load(release).definitions["TrainJobSpec"]["properties"]
    name = next(name for name in written if name in known)
    there = client.get(TRAIN_JOB, *place)["spec"].get(name) or []
    others = [one for one in there if str(OWN_NODES) not in str(one)]
    client.merge_patch(TRAIN_JOB, *place, {"spec": {name: [*others, written[name]]}})


SCENARIOS: dict[str, Scenario] = {
    scenario.name: scenario
    for scenario in (
        Scenario("complete", "the training succeeds"),
        Scenario("fail", "the training fails, as often as the runtime restarts it", Script(fails=True)),
        Scenario(
            "suspend-resume",
            "the TrainJob is suspended while it runs, and resumed",
            steps=(Step(15, "you", _suspend), Step(45, "you", resume)),
        ),
        Scenario(
            "deadline",
            "the training goes on for longer than activeDeadlineSeconds",
            Script(train=NEVER),
            needs_deadline=True,
        ),
        Scenario("delete", "the TrainJob is deleted while it runs", steps=(Step(15, "you", _delete),)),
        Scenario(
            "job-set-deleted",
            "somebody deletes the JobSet while it runs",
            steps=(Step(15, "somebody", _delete_job_set),),
        ),
        Scenario(
            "patch-suspended",
            "while it is suspended its Pods are patched, with what JobSet lets change and with what it does not",
            steps=(
                Step(15, "you", _suspend),
                Step(20, "you", _select_nodes),
                Step(25, "you", _change_account),
                Step(45, "you", resume),
            ),
        ),
        Scenario(
            "runtime-edit",
            "the runtime gets another label while the TrainJob is suspended",
            steps=(Step(15, "you", _suspend), Step(20, "somebody", _edit_runtime), Step(45, "you", resume)),
        ),
    )
}
