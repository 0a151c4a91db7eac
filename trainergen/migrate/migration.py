"""From a legacy object to a TrainJob, and a runtime where it needs one."""

from __future__ import annotations

from copy import deepcopy
from importlib import import_module
from typing import TYPE_CHECKING, Final

from trainergen.admission import checks as admission_checks
from trainergen.admission.admit import admit
from trainergen.admission.cluster import Cluster
from trainergen.admission.legacy import admit_legacy
from trainergen.api.access import text_at
from trainergen.errors import TrainergenError
from trainergen.finding import Severity, format_path
from trainergen.migrate import catalogue as c
from trainergen.migrate import katib
from trainergen.migrate.environment_check import say_environment
from trainergen.migrate.ledger import Ledger
from trainergen.migrate.legacy import read_job
from trainergen.migrate.notes import notes_of
from trainergen.migrate.options import Choices
from trainergen.migrate.preview import is_preview, migrate_preview
from trainergen.migrate.result import Migration
from trainergen.migrate.target import target_of
from trainergen.migrate.work import Say, Work
from trainergen.releases import get_release

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.migrate.legacy import LegacyJob
    from trainergen.migrate.target import Target

TARGETS: Final = ("2.1", "2.2", "2.3")
_FRAMEWORKS = {
    "PyTorchJob": "torch",
    "XGBoostJob": "boosting",
    "JAXJob": "jax",
    "PaddleJob": "paddle",
    "TFJob": "tensorflow",
    "MPIJob": "mpi",
}
_LISTING = ("TFJob", "XGBoostJob")
_MOST_LISTED = 2000


def can_migrate(obj: JsonObject) -> bool:
    """True for an object that ``migrate`` takes: one of a legacy kind, or of the preview of the API."""
    return is_preview(obj) or read_job(obj) is not None or katib.holds_legacy_trials(obj)


def migrate(obj: JsonObject, *, target: str = "2.3", choices: Choices | None = None) -> Migration:
    """What ``obj``, a job of a legacy kind, becomes in Trainer ``target``; ``obj`` is not changed.

    Source of what the Training Operator did: kubeflow/training-operator pkg/controller.v1 @ v1.9.2 and
    kubeflow/mpi-operator pkg/controller @ v0.8.0. Raises TrainergenError for another object and another release.
    """
    name = get_release(target).name
    if name not in TARGETS:
        raise TrainergenError(
            f"Trainer {name} is no target of a migration", hint=f"Choose one of {', '.join(TARGETS)}."
        )
    chosen = target_of(name)
    if is_preview(obj):
        say = Say(chosen, Ledger(obj))
        objects = migrate_preview(say, obj)
        return _finish(say, obj, objects, ())
    if katib.holds_legacy_trials(obj):
        return katib.around(obj, chosen, _migrate_job(katib.trial(obj), chosen, choices or Choices()))
    return _migrate_job(obj, chosen, choices or Choices())


def _migrate_job(obj: JsonObject, target: Target, choices: Choices) -> Migration:
    ledger = Ledger(obj)
    first = Say(target, ledger)
    known = _judge(first, obj)
    job = read_job(known)
    if job is None:
        raise TrainergenError(
            f"'{text_at(obj, 'apiVersion')} {text_at(obj, 'kind')}' is no legacy kind",
            hint="Migrate jobs of the Training Operator and of the MPI Operator.",
        )
    work = Work(target, ledger, first.findings, job=job, choices=choices)
    objects = _objects(work, job)
    notes = notes_of(work, objects)
    return _finish(work, obj, objects, (*notes, *say_environment(work, objects)))


def _judge(say: Say, obj: JsonObject) -> JsonObject:
    """The object without fields that the API server dropped; says so, and what the operator would have refused."""
    known = deepcopy(obj)
    unknown = []
    for finding in admit_legacy(_named(obj)).findings:
        if finding.rule == admission_checks.UNKNOWN_FIELD.id:
            unknown.append(finding.at)
            message = f"{format_path(finding.at)} is unknown to the kind: the API server dropped it, and so does this"
            say.say(c.UNKNOWN_FIELD, finding.at, message, remedy=finding.help)
        elif finding.severity is Severity.ERROR:
            message = f"the legacy job would be refused: {finding.message}"
            say.say(c.LEGACY_REFUSED, finding.at, message, remedy=finding.help)
    for path in sorted(unknown, key=len, reverse=True):
        _delete(known, path)
    return known


def _named(obj: JsonObject) -> JsonObject:
    """The object with a name: trials get theirs from Katib."""
    metadata = obj.get("metadata", {})
    if not isinstance(metadata, dict) or {"name", "generateName"} & metadata.keys():
        return obj
    return {**obj, "metadata": {**metadata, "name": "trial"}}


def _delete(obj: JsonValue, path: Path) -> None:
    for step in path[:-1]:
        obj = obj[step]  # type: ignore[index]
    assert isinstance(obj, dict)
    obj.pop(str(path[-1]), None)


def _objects(work: Work, job: LegacyJob) -> list[JsonObject]:
    for key in ("apiVersion", "kind"):
        work.ledger.default((key,))
    for role in job.empty:
        work.ledger.default(role.path)
    if job.kind.kind == "MXJob":
        work.say(
            c.MXNET,
            ("kind",),
            "MXJob has no counterpart: MXNet is archived",
            remedy="Write a plain runtime with a job for scheduler, servers and workers, and the DMLC variables.",
        )
        return []
    if not job.roles:
        work.say(c.LEGACY_REFUSED, ("spec",), "the job has no role with a Pod", remedy="Give it replicas.")
        return []
    for role in job.roles:
        if not isinstance(role.spec.get("template"), dict):
            work.say(c.LEGACY_REFUSED, role.path, f"{role.name} has no Pod template", remedy="Write its template.")
            return []
    if job.kind.kind in _LISTING and job.total > _MOST_LISTED:
        work.say(
            c.COUNTS,
            ("spec", job.kind.replicas_key),
            f"{job.total} Pods are too many: a variable lists their addresses, and has room for {_MOST_LISTED}",
            remedy="Correct the number of replicas.",
            severity=Severity.ERROR,
        )
        return []
    module = import_module(f"trainergen.migrate.{_FRAMEWORKS[job.kind.kind]}")
    found: list[JsonObject] = module.migrate(work)
    return found


def _finish(say: Say, obj: JsonObject, objects: list[JsonObject], notes: tuple[str, ...]) -> Migration:
    if objects:
        for path in say.ledger.left():
            say.say(
                c.NOT_CARRIED,
                path,
                f"{format_path(path)} is not carried over",
                remedy="Put what it meant into the runtime or the TrainJob by hand.",
            )
        _admit(say, objects)
    else:
        for key in obj:
            say.ledger.reported((key,), c.NOT_CARRIED.id)
    return Migration(obj, tuple(objects), tuple(say.findings), notes, say.ledger.entries(), say.ledger.marks)


def _admit(say: Say, objects: list[JsonObject]) -> None:
    """Let the target judge the outcome: what it would refuse is a loss that the user must mend."""
    for each in objects:
        others = Cluster([other for other in objects if other is not each], complete=False)
        for finding in admit(_named(each), release=say.target.release, objects=others).findings:
            if finding.refuses:
                place = format_path(finding.at)
                say.say(
                    c.REFUSED,
                    (),
                    f"Trainer {say.target.release} would refuse {text_at(each, 'kind')} at {place}: {finding.message}",
                    remedy=finding.help,
                )
