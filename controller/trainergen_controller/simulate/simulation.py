"""One TrainJob's life in a cluster of its own: who acts when, until nothing more happens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.api.access import object_at, text_at
from trainergen.render import Cluster
from trainergen.render.cluster import DEFAULT_NAMESPACE
from trainergen_controller.applier import Applier
from trainergen_controller.errors import ApiError
from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, TRAIN_JOB, TRAINING_RUNTIME, kind_of
from trainergen_controller.passes.secret_values import SecretValues
from trainergen_controller.passes.train_job import creation_failed, reconcile
from trainergen_controller.passes.training_runtime import reconcile_runtime
from trainergen_controller.simulate.job_sets import JobSetPart
from trainergen_controller.simulate.scenarios import Step, resume
from trainergen_controller.simulate.timeline import Moment, Timeline
from trainergen_controller.simulate.virtual import Uids, VirtualClock

if TYPE_CHECKING:
    from trainergen_controller.client import Object
    from trainergen_controller.passes.actions import Occurrence
    from trainergen_controller.simulate.scenarios import Scenario

LIMIT = 366 * 24 * 3600.0
ROUNDS = 50
TRIES = 4
RESUMED_AFTER = 10.0
CONTROLLER, JOB_SET_CONTROLLER, YOU, COLLECTOR = "controller", "JobSet", "you", "garbage collector"


@dataclass(slots=True)
class Simulation:
    """What was simulated, and what came of it."""

    release: str
    scenario: Scenario
    job: Object
    timeline: Timeline
    objects: list[Object] = field(default_factory=list)
    """What is left in the end, but for the runtimes and namespaces."""
    refusal: str = ""
    """Why the API server did not take the TrainJob; then nothing else happened."""


def simulate(job: Object, objects: Iterable[Object], scenario: Scenario, *, release: str) -> Simulation:
    """Lets a TrainJob live through a scenario in a cluster that holds ``objects``, its runtime among them.

    TrainergenError if the release has no such story. The same arguments give the same result.
    """
    metadata = {"namespace": DEFAULT_NAMESPACE, **object_at(job, "metadata")}
    prepared, notes = scenario.prepared({**job, "metadata": metadata}, release)
    done = Simulation(release, scenario, prepared, Timeline(notes=list(notes)))
    world = _World(done)
    world.place(objects)
    try:
        world.create()
    except ApiError as error:
        done.refusal = str(error.message)
        return done
    world.live()
    done.objects = world.left()
    return done


class _World:
    """The cluster and all who act in it."""

    def __init__(self, done: Simulation) -> None:
        self._done = done
        self._clock = VirtualClock()
        self._server = InProcessServer(done.release, clock=self._clock.now, new_uid=Uids(), webhooks=True)
        self._applier = Applier(self._server.client("trainer"), {})
        self._job_sets = JobSetPart(self._server.client("jobset-controller"), self._clock, done.scenario.script)
        self._steps = list(done.scenario.steps)
        self._seen = 0
        self._again: float | None = None
        self._tries = 0
        self._said: set[tuple[str, str]] = set()

    def place(self, objects: Iterable[Object]) -> None:
        """Puts the objects there that the story begins with."""
        client = self._server.client("kubectl")
        for found in objects:
            client.create(kind_of(found["apiVersion"], found["kind"]), found)
        self._seen = self._server.storage.version

    def create(self) -> None:
        """Creates the TrainJob; ApiError if it is refused."""
        job = self._done.job
        self._server.client("kubectl").create(TRAIN_JOB, job, job["metadata"]["namespace"])
        self._tell(YOU)
        if object_at(job, "spec").get("suspend") is True:
            self._steps.append(Step(RESUMED_AFTER, YOU, resume))

    def live(self) -> None:
        """Goes on until nothing is left to happen."""
        self._settle()
        while (following := self._following()) is not None and following <= LIMIT:
            self._clock.seconds = following
            if self._again is not None and self._again <= following:
                self._again = None
            due = [step for step in self._steps if step.seconds <= following]
            self._steps = [step for step in self._steps if step.seconds > following]
            for step in due:
                self._act(step)
            self._settle()

    def left(self) -> list[Object]:
        """The objects of the TrainJob's namespace in the end."""
        namespace = self._done.job["metadata"]["namespace"]
        runtimes = (TRAINING_RUNTIME.kind, CLUSTER_TRAINING_RUNTIME.kind)
        every = [found for _, found in self._server.storage.every()]
        return [one for one in every if one["metadata"].get("namespace") == namespace and one["kind"] not in runtimes]

    def _following(self) -> float | None:
        times = [step.seconds for step in self._steps]
        times += [at for at in (self._again, self._job_sets.next_due()) if at is not None]
        return min(times, default=None)

    def _act(self, step: Step) -> None:
        try:
            step.do(self._server.client(step.who), self._done.job, self._done.release)
        except ApiError as error:
            job = self._done.job["metadata"]["name"]
            text = f"is refused what was asked: {error.message}"
            self._done.timeline.moments.append(Moment(self._clock.seconds, step.who, TRAIN_JOB.kind, job, text))
        self._tell(step.who)

    def _settle(self) -> None:
        """Everybody acts until nobody changes anything any more."""
        for _ in range(ROUNDS):
            before = self._server.storage.version
            self._pass()
            self._tell(CONTROLLER)
            self._job_sets.step()
            self._tell(JOB_SET_CONTROLLER)
            if self._server.storage.version == before:
                return

    def _pass(self) -> None:
        """One pass of the controller over everything."""
        objects = [found for _, found in self._server.storage.every()]
        jobs = [found for found in objects if found["kind"] == TRAIN_JOB.kind]
        for job in jobs:
            self._pass_job(job, objects)
        for found in objects:
            if found["kind"] in (TRAINING_RUNTIME.kind, CLUSTER_TRAINING_RUNTIME.kind):
                self._applier.carry_out(found, reconcile_runtime(found, jobs, release=self._done.release))

    def _pass_job(self, job: Object, objects: list[Object]) -> None:
        metadata, release = job["metadata"], self._done.release
        secrets = SecretValues(metadata["name"], metadata["uid"], lambda: ("private key", "public key"))
        cluster = Cluster(objects, complete=True)
        actions = reconcile(job, cluster, now=self._clock.now(), release=release, secrets=secrets)
        failures = self._applier.carry_out(job, actions)
        for occurrence in (
            *actions.events,
            *(creation_failed(one.message, release) for one in failures if one.creating),
        ):
            self._say(metadata["name"], occurrence)
        waits = [self._clock.seconds + actions.requeue_after] if actions.requeue_after is not None else []
        if actions.error or failures:
            self._tries += 1
            waits += [self._clock.seconds + 2.0**self._tries] if self._tries <= TRIES else []
        else:
            self._tries = 0
        self._again = min(waits, default=None)

    def _say(self, name: str, occurrence: Occurrence) -> None:
        """An Event; one that is repeated is told once."""
        if (occurrence.reason, occurrence.note) not in self._said:
            self._said.add((occurrence.reason, occurrence.note))
            text = f"{occurrence.type} {occurrence.reason}: {occurrence.note}"
            self._done.timeline.moments.append(Moment(self._clock.seconds, CONTROLLER, "Event", name, text))

    def _tell(self, who: str) -> None:
        for change in self._server.storage.log(self._seen):
            self._done.timeline.tell(self._clock.seconds, self._doer(who, change.type, change.object), change)
        self._seen = self._server.storage.version

    def _doer(self, who: str, kind: str, obj: Object) -> str:
        """The garbage collector, if an object went because its owner did."""
        owners = {text_at(one, "uid") for one in obj["metadata"].get("ownerReferences") or ()}
        if kind != "DELETED" or not owners:
            return who
        alive = {found["metadata"]["uid"] for _, found in self._server.storage.every()}
        return who if owners & alive else COLLECTOR
