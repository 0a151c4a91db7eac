"""The audit of one cluster, part by part; what cannot be read is left out with its reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.errors import TrainergenError
from trainergen.finding import Severity
from trainergen.releases.companions import COMPANIONS
from trainergen.upgrade.live import checks
from trainergen.upgrade.live.controllers import read_controllers, read_helm_releases, running_release
from trainergen.upgrade.live.definitions import compare_releases, demand_adoption, read_definitions
from trainergen.upgrade.live.look import Look
from trainergen.upgrade.live.objects import FINISHED, demand_runtimes, listed, plain, read_jobs, read_runtimes
from trainergen.upgrade.live.reader import LEGACY, TRAIN_JOBS, ReadError
from trainergen.upgrade.live.report import LegacyCount, LiveAudit, LiveCompanion, LiveObjects
from trainergen.upgrade.live.webhooks import read_webhooks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import Finding
    from trainergen.releases import Release
    from trainergen.releases.companions import Companion
    from trainergen.upgrade.live.reader import ClusterReader
    from trainergen.upgrade.live.report import Controller

_KUBERNETES = "Kubernetes"
"""What no step of a plan upgrades."""


def read_cluster(reader: ClusterReader, *, old: Release, new: Release) -> tuple[LiveAudit, LiveObjects | None]:
    """What a cluster says by itself, and its runtimes and TrainJobs; None when either could not be read.

    Raises TrainergenError when nothing can be read at all.
    """
    look = Look(reader, old, new)
    definitions = read_definitions(look)
    controllers = read_controllers(look)
    running = running_release(controllers)
    compare_releases(look, definitions, running)
    demand_adoption(look, definitions, next((one.helm for one in controllers if one.component == "Trainer"), ("", "")))
    helm_releases = read_helm_releases(look, controllers)
    webhooks = read_webhooks(look)
    companions = _companions(look, controllers)
    runtimes, own = read_runtimes(look)
    phases, jobs = read_jobs(look)
    legacy = _legacy(look)
    if not look.answered:
        raise TrainergenError(
            f"nothing of the cluster of '{reader.context}' can be read; {look.not_evaluated[0].reason}",
            hint="Give the user of the context the rights that docs/upgrade.md lists.",
        )
    if own is not None and jobs is not None:
        demand_runtimes(look, runtimes, (job for phase, job in jobs if phase not in FINISHED))
    audit = LiveAudit(
        context=reader.context,
        definitions=definitions,
        controllers=controllers,
        helm_releases=helm_releases,
        webhooks=webhooks,
        companions=companions,
        runtimes=runtimes,
        phases=phases,
        legacy=legacy,
        findings=tuple(look.findings),
        not_evaluated=tuple(look.not_evaluated),
    )
    if own is None or jobs is None:
        return audit, None
    return audit, LiveObjects(own, tuple((phase, plain(job, TRAIN_JOBS)) for phase, job in jobs))


def _companions(look: Look, controllers: Iterable[Controller]) -> tuple[LiveCompanion, ...]:
    versions = {one.component: one.version for one in controllers}
    try:
        versions[_KUBERNETES] = look.reader.version()
    except ReadError as error:
        look.skip("the version of Kubernetes", str(error))
    before = {one.name: one for one in COMPANIONS[look.old.name]}
    found = []
    for after in COMPANIONS[look.new.name]:
        version = versions.get(after.name)
        if version is None:
            continue
        known = before.get(after.name)
        one = LiveCompanion(
            name=after.name,
            version=version,
            fits_old=True if known is None else known.fits(version),
            fits_new=after.fits(version),
            wanted=after.range,
        )
        found.append(one)
        if known is not None and look.old is not look.new and one.fits_old is False:
            remedy = "It is that way already; see whether TrainJobs suffer from it before the upgrade."
            look.say(_unfit(one, look.old, known, remedy))
        if one.fits_new is False:
            look.say(_unfit_for_target(one, look.new, after))
    return tuple(found)


def _unfit_for_target(one: LiveCompanion, release: Release, wanted: Companion) -> Finding:
    if one.name == _KUBERNETES:
        finding = _unfit(one, release, wanted, f"Upgrade the cluster first, to {wanted.version} for example.")
        return replace(finding, severity=Severity.ERROR)
    return _unfit(one, release, wanted, f"{one.name} {wanted.version} goes with it; see the plan for the order.")


def _unfit(one: LiveCompanion, release: Release, wanted: Companion, remedy: str) -> Finding:
    return checks.COMPANION.at(
        (),
        f"{one.name} {one.version} does not go with Trainer {release.name} ({wanted.range} does): {wanted.why}",
        help=remedy,
    )


def _legacy(look: Look) -> tuple[LegacyCount, ...]:
    found = []
    for resource in LEGACY:
        part = f"the {resource.kind}s of {resource.api_version}"
        objects = look.served(part, resource, metadata_only=True)
        spaces = Counter(checks.name_of(obj)[0] for obj in objects or ())
        if spaces:
            count = LegacyCount(resource.api_version, resource.kind, spaces.total(), tuple(sorted(spaces)))
            found.append(count)
            finding = checks.LEGACY_LEFT.at(
                (),
                f"{count.count} of {resource.api_version} {resource.kind} left, in "
                f"{listed([space or 'no namespace' for space in count.namespaces])}",
                help="trainergen migrate makes TrainJobs of them; let those that run come to their end.",
            )
            look.say(finding)
    return tuple(found)
