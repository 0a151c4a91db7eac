"""The audit of a cluster in a run: its objects go through the upgrade like files, and are compared with Git's."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.api.access import object_at, text_at
from trainergen.finding import ObjectRef, Severity
from trainergen.source.files import SourceFile
from trainergen.upgrade.checks import USED_ELSEWHERE
from trainergen.upgrade.live import read_cluster
from trainergen.upgrade.live.checks import JOB_TOUCHED, RUNTIME_TOUCHED, name_of, place
from trainergen.upgrade.live.objects import FINISHED
from trainergen.upgrade.live.reader import CLUSTER_RUNTIMES, OWN, TRAIN_JOBS
from trainergen.upgrade.live.report import Drift, LiveJob, NotRead

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject
    from trainergen.releases import Release
    from trainergen.upgrade.live import ClusterReader, LiveAudit
    from trainergen.upgrade.live.report import LiveObjects
    from trainergen.upgrade.report import UpgradeReport

Active = Mapping[str, tuple[str, "JsonObject"]]
"""The TrainJobs that are not finished, with their phases, by place."""
Upgrade = Callable[[list[SourceFile]], "UpgradeReport"]
_NOT_IN_YAML = "[\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
"""Characters that JSON may hold as they are and YAML may not; Kubernetes' objects have both."""
_WAITING = ("Suspended", "Created")
_DRAIN = {
    True: "Delete it, and apply the upgraded one once the new CRDs are there: what they do not know is dropped before "
    "it ever runs.",
    False: "Let it come to its end before the CRDs are applied, or delete it and apply the upgraded one: its Pods stay "
    "as they are, but what the new CRDs do not know is dropped with the next write.",
}


def audit_cluster(
    reader: ClusterReader, releases: tuple[Release, Release], *, in_git: Iterable[JsonObject], upgrade: Upgrade
) -> LiveAudit:
    """The audit of a cluster; ``upgrade`` is what is done to files, ``in_git`` are the objects of the tree."""
    old, new = releases
    audit, objects = read_cluster(reader, old=old, new=new)
    if objects is None:
        reason = "the runtimes or the TrainJobs could not be read"
        parts = ("what the upgrade does to TrainJobs in the cluster", "the drift between Git and the cluster")
        skipped = (*audit.not_evaluated, *(NotRead(part, reason) for part in parts))
        return replace(audit, not_evaluated=skipped, findings=_in_order(audit.findings))
    active = {place(reader.context, _ref(job)): (phase, job) for phase, job in objects.jobs if phase not in FINISHED}
    report = upgrade(list(_sources(reader.context, objects)))
    # All TrainJobs of the cluster are here, so there are no others that a runtime may be used by.
    said = [_unplaced(one) for one in report.findings if one.rule != USED_ELSEWHERE.id]
    unproved = [NotRead(f"the Pods of {one.file}", one.reason) for one in report.unproved]
    findings = [*audit.findings, *said, *_touched(report, active, new)]
    return replace(
        audit,
        jobs=tuple(_jobs(report, active)),
        drift=tuple(_drift(list(in_git), audit, objects)),
        not_evaluated=(*audit.not_evaluated, *unproved),
        findings=_in_order(findings),
    )


def _sources(context: str, objects: LiveObjects) -> Iterator[SourceFile]:
    """A file for each object; one that stands in two pages of a list is one object."""
    jobs = (job for phase, job in objects.jobs if phase not in FINISHED)
    for name, obj in {place(context, _ref(obj)): obj for obj in (*objects.runtimes, *jobs)}.items():
        text = json.dumps(obj, indent=1, ensure_ascii=False)
        data = re.sub(_NOT_IN_YAML, lambda match: f"\\u{ord(match[0]):04x}", text).encode()
        yield SourceFile(name, explicit=True, data=data)


def _ref(obj: JsonObject) -> ObjectRef:
    return ObjectRef(text_at(obj, "apiVersion"), text_at(obj, "kind"), *name_of(obj))


def _unplaced(finding: Finding) -> Finding:
    """A finding on an object of the cluster, which has no lines."""
    return replace(finding, line=0, column=0, end_line=0, end_column=0)


def _notes(report: UpgradeReport) -> Mapping[str, tuple[str, ...]]:
    return {file.name: tuple(note for one in file.objects for note in one.notes) for file in report.files}


def _touched(report: UpgradeReport, active: Active, new: Release) -> Iterator[Finding]:
    for file in report.files:
        if not file.objects:
            continue
        ref = file.objects[0].ref
        done = "; ".join(note for one in file.objects for note in one.notes)
        if ref.kind != TRAIN_JOBS.kind:
            finding = RUNTIME_TOUCHED.at(
                (),
                f"the {ref.kind} has to become another one for Trainer {new.name}: {done}",
                help="Apply the upgraded one after the CRDs and the controller, before its TrainJobs.",
            )
        else:
            phase, _ = active[file.name]
            finding = JOB_TOUCHED.at(
                (),
                f"the TrainJob is {phase} and has to become another one for Trainer {new.name}: {done}",
                help=_DRAIN[phase in _WAITING],
            )
            if phase not in _WAITING:
                finding = replace(finding, severity=Severity.WARNING)
        yield replace(finding, file=file.name, object=ref)


def _jobs(report: UpgradeReport, active: Active) -> Iterator[LiveJob]:
    notes = _notes(report)
    reasons = {proof.changes.file: tuple(dict.fromkeys(proof.reasons)) for proof in report.proofs}
    for name in sorted(active):
        if name in notes or name in reasons:
            phase, job = active[name]
            yield LiveJob(*name_of(job), phase, notes.get(name, ()), reasons.get(name, ()))


def _drift(in_git: list[JsonObject], audit: LiveAudit, objects: LiveObjects) -> Iterator[Drift]:
    """What is only on one side; shipped runtimes need not be in Git, and manifests may leave their namespace open."""
    jobs = {name_of(job) for _, job in objects.jobs}
    for resource in OWN:
        runtimes = [one for one in audit.runtimes if one.kind == resource.kind]
        there = jobs if resource is TRAIN_JOBS else {(one.namespace, one.name) for one in runtimes}
        shipped = {(one.namespace, one.name) for one in runtimes if one.shipped and not one.changed}
        here = {_key(obj, resource is CLUSTER_RUNTIMES) for obj in in_git if text_at(obj, "kind") == resource.kind}
        anywhere = {name for namespace, name in here if not namespace}
        names = {name for _, name in there}
        missing = {one for one in here - there if one[0] or one[1] not in names}
        extra = {one for one in there - here - shipped if one[1] not in anywhere}
        if missing or extra:
            yield Drift(resource.kind, _listed(missing), _listed(extra))


def _key(obj: JsonObject, cluster_wide: bool) -> tuple[str, str]:
    namespace, name = name_of(obj)
    return "" if cluster_wide else namespace, name or text_at(object_at(obj, "metadata"), "generateName")


def _listed(found: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple("/".join(part for part in one if part) for one in sorted(found))


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    order = list(Severity)
    key = lambda one: (order.index(one.severity), one.file, one.rule, one.name, one.message)  # noqa: E731
    return tuple(sorted(findings, key=key))
