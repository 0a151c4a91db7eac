"""Experiments of Katib whose trials are legacy jobs."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Final

from trainergen.api.access import object_at, text_at
from trainergen.finding import Severity
from trainergen.migrate import catalogue as c
from trainergen.migrate.ledger import Ledger, leaves
from trainergen.migrate.legacy import read_job
from trainergen.migrate.placing import JOB
from trainergen.migrate.pods import NODE
from trainergen.migrate.result import Migration
from trainergen.migrate.work import Say

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.migrate.ledger import Mapped
    from trainergen.migrate.target import Target

KIND: Final = "Experiment"
_TEMPLATE: Path = ("spec", "trialTemplate")
_TRIAL: Path = (*_TEMPLATE, "trialSpec")
_LEADER: JsonObject = {
    "jobset.sigs.k8s.io/replicatedjob-name": NODE,
    "batch.kubernetes.io/job-completion-index": "0",
}
_LONGEST = 39


def holds_legacy_trials(obj: JsonObject) -> bool:
    """True for an Experiment whose trials are jobs of a legacy kind."""
    return text_at(obj, "kind") == KIND and read_job(trial(obj)) is not None


def trial(obj: JsonObject) -> JsonObject:
    """The object that Katib makes for each trial."""
    return object_at(obj, "spec", "trialTemplate", "trialSpec")


def around(obj: JsonObject, target: Target, inner: Migration) -> Migration:
    """The Experiment with the migrated trial in it; a runtime that trials need stands before it."""
    if not inner.objects:
        warnings = tuple(each.under(_TRIAL) for each in inner.warnings)
        ledger = Ledger(obj)
        for key in obj:
            ledger.reported((key,), c.NOT_CARRIED.id)
        return Migration(obj, (), warnings, (), ledger.entries(), ledger.marks)
    say = Say(target, Ledger(obj), [each.under(_TRIAL) if each.at else each for each in inner.warnings])
    out = deepcopy(obj)
    template = object_at(out, "spec", "trialTemplate")
    runtimes = _runtimes(obj, inner)
    job = deepcopy(inner.objects[-1])
    if not job["metadata"]:
        del job["metadata"]
    for each in runtimes:
        object_at(job, "spec", "runtimeRef")["name"] = text_at(each, "metadata", "name")
    template["trialSpec"] = job
    _watching(say, template)
    _say(say, obj)
    objects = (*runtimes, out)
    return Migration(obj, objects, tuple(say.findings), inner.notes, _mapping(obj, inner), _marks(obj, inner))


def _runtimes(obj: JsonObject, inner: Migration) -> list[JsonObject]:
    """Runtimes are shared by all trials, so they are named after the Experiment and live in its namespace."""
    made = []
    for each in inner.objects[:-1]:
        runtime = deepcopy(each)
        metadata = object_at(runtime, "metadata")
        metadata["name"] = f"{text_at(obj, 'metadata', 'name') or 'experiment'}-runtime"
        if text_at(obj, "metadata", "namespace"):
            metadata["namespace"] = text_at(obj, "metadata", "namespace")
        made.append(runtime)
    return made


def _watching(say: Say, template: JsonObject) -> None:
    """How Katib finds the metrics and the end of a trial."""
    if "primaryContainerName" in template:
        old = template["primaryContainerName"]
        template["primaryContainerName"] = NODE
        _changed(say, "primaryContainerName", f"primaryContainerName '{old}' becomes '{NODE}'")
    if "primaryPodLabels" in template:
        template["primaryPodLabels"] = dict(_LEADER)
        _changed(say, "primaryPodLabels", "primaryPodLabels are those of the first node")
    for key in ("successCondition", "failureCondition"):
        old_text = text_at(template, key)
        if "Succeeded" in old_text:
            template[key] = old_text.replace("Succeeded", "Complete")
            _changed(say, key, f"{key} asks for the condition Complete, which was Succeeded")


def _changed(say: Say, key: str, message: str) -> None:
    say.say(c.KATIB, (*_TEMPLATE, key), message, remedy="Check that Katib finds the metrics of a trial.")


def _say(say: Say, obj: JsonObject) -> None:
    say.say(
        c.KATIB,
        _TRIAL,
        "trials are TrainJobs, which Katib knows from 0.19 on if its configuration lists them",
        remedy="Add TrainJob.v1alpha1.trainer.kubeflow.org to trialResources, and let Katib create TrainJobs.",
    )
    name = text_at(obj, "metadata", "name")
    if len(name) > _LONGEST:
        say.say(
            c.NAME,
            ("metadata", "name"),
            f"the name has {len(name)} characters, but Pods of trials leave room for {_LONGEST}",
            remedy="Choose a shorter name before you migrate.",
        )
    else:
        say.say(
            c.NAME,
            ("metadata", "name"),
            f"the name has {len(name)} characters, and Pods of trials leave room for {_LONGEST}",
            remedy="Mind it when you rename the Experiment.",
            severity=Severity.INFO,
        )


def _mapping(obj: JsonObject, inner: Migration) -> tuple[Mapped, ...]:
    return _moved(obj, inner.mapping, [path for path in leaves(obj) if path[: len(_TRIAL)] != _TRIAL])


def _marks(obj: JsonObject, inner: Migration) -> tuple[Mapped, ...]:
    heads: list[Path] = [(key,) for key in obj]
    return _moved(obj, inner.marks, heads)


def _moved(obj: JsonObject, marks: tuple[Mapped, ...], own: list[Path]) -> tuple[Mapped, ...]:
    ledger = Ledger(obj)
    for path in own:
        ledger.mapped(path, KIND, path)
    moved = []
    for mark in marks:
        in_trial = mark.kind == JOB and bool(mark.target)
        kind = KIND if in_trial else mark.kind
        moved.append(
            mark._replace(
                source=(*_TRIAL, *mark.source), kind=kind, target=(*_TRIAL, *mark.target) if in_trial else mark.target
            )
        )
    return (*ledger.marks, *moved)
