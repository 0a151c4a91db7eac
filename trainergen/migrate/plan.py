"""The plan of a migration, in order: installation, decisions, runtimes, jobs, and the end of the old operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.migrate import catalogue as c
from trainergen.releases import get_release
from trainergen.source.classify import LEGACY_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.migrate.report import MigrateReport
    from trainergen.releases import Release

_RUNTIMES = ("TrainingRuntime", "ClusterTrainingRuntime")


def plan(report: MigrateReport) -> tuple[str, ...]:
    """What to do, in order; nothing when there is nothing to migrate."""
    return tuple(_steps(report)) if report.objects else ()


def _steps(report: MigrateReport) -> Iterator[str]:
    release = get_release(report.target)
    yield (
        f"Install JobSet {release.jobset} (built for Kubernetes {release.kubernetes}) and Trainer {release.tag} beside "
        "the old operator, whose API group is another one: CRDs first and on the server side, since client-side apply "
        "cannot keep them, then controllers, then the shipped runtimes."
    )
    yield from _neighbours(report, release)
    yield from _decisions(report)
    yield (
        "Let legacy jobs finish, or delete them: no controller takes over a running one. Where Argo CD or Flux prunes, "
        "the commit that replaces a legacy job in Git ends it in the cluster, running or not."
    )
    runtimes = sorted({name for file in report.files for one in file.objects for name in _runtimes(one.becomes)})
    if runtimes:
        yield (
            f"Apply the generated runtimes before their TrainJobs, in Argo CD by an earlier sync wave: "
            f"{', '.join(runtimes)}."
        )
    yield (
        "Run one TrainJob of each runtime, and see in its log that all nodes meet: a script that does not find its "
        "variables trains alone on every node, and succeeds. Then apply the others."
    )
    yield (
        "Change what watches the jobs, as the notes of each job say: scripts, dashboards, alerts, quotas, roles and "
        "network policies."
    )
    yield from _removal(report)


def _neighbours(report: MigrateReport, release: Release) -> Iterator[str]:
    """What must know TrainJobs before the first one comes."""
    found = {finding.rule for finding in report.warnings}
    if c.KUEUE.id in found:
        newer = release.behaviours.overrides_field == "runtimePatches"
        yield (
            f"Enable the integration trainer.kubeflow.org/trainjob in Kueue, in a version "
            f"{'from 0.17 on' if newer else 'before 0.17'}, or the queue of a TrainJob has no effect."
        )
    if c.KATIB.id in found:
        yield (
            "Let Katib, 0.19 or newer, create TrainJobs: list them in the trialResources of its configuration, and "
            "give its controller the right to."
        )


def _decisions(report: MigrateReport) -> Iterator[str]:
    losses = ",".join(sorted({loss.name for file in report.files for loss in file.losses}))
    if losses:
        yield f"Decide on what is lost, and then write those files too: trainergen migrate --write --accept {losses}"
    held = {file.name for file in report.files if file.findings and file.new is None}
    left = sorted(held | {finding.file for finding in report.findings})
    if left:
        yield f"See by hand to what was found in {', '.join(left)}."


def _removal(report: MigrateReport) -> Iterator[str]:
    kinds = sorted({one.document.kind for file in report.files for one in file.objects} & LEGACY_KINDS)
    if kinds:
        resources = ",".join(f"{kind.lower()}s.kubeflow.org" for kind in kinds)
        yield (
            f"Remove the old operator when kubectl get {resources} -A finds nothing, nor of its other kinds: deleting "
            "a CRD deletes every job of the kind."
        )


def _runtimes(becomes: tuple[tuple[str, str], ...]) -> list[str]:
    return [name for kind, name in becomes if kind in _RUNTIMES]
