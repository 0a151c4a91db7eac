"""The audit of the installation: what pins the Trainer, what its chart no longer takes, and the plan in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.releases import RELEASES, get_release
from trainergen.releases.companions import COMPANIONS
from trainergen.rules.gitops.helm.chart_facts import chart_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.finding import Finding
    from trainergen.releases import Release
    from trainergen.releases.companions import Companion, CompanionPin
    from trainergen.releases.pins import Pin
    from trainergen.upgrade.crds import CrdRelease

_SIZE_LIMIT = 262_144


@dataclass(frozen=True, slots=True)
class PinAudit:
    """A place that fixes a version of the Trainer, and what to write there."""

    file: str
    line: int
    what: str
    version: str
    write: str


@dataclass(frozen=True, slots=True)
class CompanionAudit:
    """A component beside the Trainer: what goes with the old release and with the new one, and where it is fixed.

    ``write`` is empty for a place whose version goes with the new release, or cannot be told.
    """

    name: str
    before: str
    after: str
    version: str
    why: str
    pins: tuple[PinAudit, ...] = ()


@dataclass(frozen=True, slots=True)
class CrdAudit:
    """A CRD in the tree, the release that it is of, and the one to apply, empty when it is that."""

    file: str
    line: int
    crd: CrdRelease
    write: str


@dataclass(frozen=True, slots=True)
class Audit:
    """What the tree says about the installation, and the steps in order; ``findings`` are those of the rules."""

    pins: tuple[PinAudit, ...] = ()
    companions: tuple[CompanionAudit, ...] = ()
    crds: tuple[CrdAudit, ...] = ()
    values: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True)
class Installed:
    """What files say of the installation: versions of the Trainer and of what is beside it, and CRDs with places."""

    pins: list[Pin] = field(default_factory=list)
    companions: list[CompanionPin] = field(default_factory=list)
    crds: list[tuple[str, int, CrdRelease]] = field(default_factory=list)


def audit(installed: Installed, findings: Iterable[Finding], *, old: Release, new: Release) -> Audit:
    """The audit for going from ``old`` to ``new``."""
    found = installed.pins
    charts = any("chart" in pin.what for pin in found)
    return Audit(
        pins=tuple(_pin(pin, new) for pin in found if pin.minor is not None and _is_older(pin.minor, new)),
        companions=tuple(_companions(installed.companions, old, new)) if old is not new else (),
        crds=tuple(_crd(file, line, crd, new) for file, line, crd in installed.crds),
        values=tuple(_values(old, new)) if charts else (),
        steps=tuple(_steps(old, new)) if old is not new else (),
        findings=tuple(findings),
    )


def _is_older(minor: tuple[int, int], new: Release) -> bool:
    names = [release.name for release in RELEASES]
    name = f"{minor[0]}.{minor[1]}"
    return name in names and names.index(name) < names.index(new.name)


def _pin(pin: Pin, new: Release) -> PinAudit:
    write = new.tag if pin.version.startswith("v") else new.tag.removeprefix("v")
    return PinAudit(pin.file, pin.line, pin.what, pin.version, write)


def _companions(pins: Iterable[CompanionPin], old: Release, new: Release) -> Iterator[CompanionAudit]:
    found = list(pins)
    before = {one.name: one for one in COMPANIONS[old.name]}
    for after in COMPANIONS[new.name]:
        known = before.get(after.name)
        places = tuple(
            PinAudit(pin.file, pin.line, pin.name, pin.version, _companion_write(after, pin.version))
            for pin in found
            if pin.name == after.name
        )
        yield CompanionAudit(
            after.name, "none" if known is None else known.range, after.range, after.version, after.why, places
        )


def _companion_write(companion: Companion, version: str) -> str:
    if companion.fits(version) is not False:
        return ""
    return f"v{companion.version}" if version.startswith("v") else companion.version


def _crd(file: str, line: int, crd: CrdRelease, new: Release) -> CrdAudit:
    wanted = new.jobset if crd.of == "JobSet" else new.name
    return CrdAudit(file, line, crd, "" if crd.release == wanted and not crd.differing else wanted)


def _values(old: Release, new: Release) -> list[str]:
    """The chart's values that come, go or are dead, in words."""
    before, after = chart_facts(old.name), chart_facts(new.name)
    if before is None or after is None or old is new:
        return []
    gone = [path for path in before.values if not after.knows(path)]
    dead = [path for path in after.dead if after.knows(path)]
    found = [f"{path} is no value of the chart any more" for path in gone]
    return found + [f"{path} is read by no template" for path in dead]


def _steps(old: Release, new: Release) -> list[str]:
    """The plan: definitions, controllers, runtimes, then TrainJobs."""
    path = RELEASES[RELEASES.index(old) : RELEASES.index(new) + 1]
    before, after = chart_facts(old.name), chart_facts(new.name)
    steps = ["Finish, or delete, the TrainJobs whose fields the new CRDs drop; convert suspended ones first."]
    if old.behaviours.num_proc_per_node_words and not new.behaviours.num_proc_per_node_words:
        steps.append(
            "Look for stored TrainJobs with a text in spec.trainer.numProcPerNode and delete them: the new controller "
            "cannot decode them, and the field cannot be changed in place afterwards."
        )
    steps.append(
        f"Apply the CRDs of JobSet {new.jobset} and of Trainer {new.name} on the server side: they are over the "
        f"{_SIZE_LIMIT:,} bytes that client-side apply can keep. kubectl apply --server-side --force-conflicts -f …"
    )
    if before is not None and after is not None and not before.crds_in_templates and after.crds_in_templates:
        steps += _adoption(new)
    steps.append(
        f"Upgrade JobSet to {new.jobset} (built for Kubernetes {new.kubernetes}), then the Trainer to {new.tag}."
    )
    if any(release.behaviours.mutates_train_jobs for release in path) and not old.behaviours.mutates_train_jobs:
        steps.append(
            "Expect a mutating webhook, defaulter.trainer.kubeflow.org: let drift detection ignore the time of "
            "patches. Kueue 0.17 or later goes with it, and not with what was before."
        )
    steps.append(f"Upgrade the runtimes to those of {new.name}; delete and recreate those whose update is refused.")
    if after is not None and after.installer and not (before is not None and before.installer):
        steps.append(
            "The chart applies runtimes by a hook Job that fetches kubectl from the network, and removes them by a "
            "hook on deletion: mirror its image, or set runtimes.defaultEnabled to false and keep runtimes in Git."
        )
    steps.append("Apply the upgraded TrainJobs; those that exist keep spec.trainer, so give changed ones a new name.")
    return steps


def _adoption(new: Release) -> list[str]:
    names = ("trainjobs", "trainingruntimes", "clustertrainingruntimes")
    crds = " ".join(f"{name}.trainer.kubeflow.org" for name in names)
    stop = get_release(new.name).name
    stopped = (
        f"Stop at {stop}: no release before it may go past it, for only {stop} takes the finalizer resource-in-use off "
        "runtimes. Go on when no runtime has it: kubectl get clustertrainingruntimes,trainingruntimes -A "
        "-o jsonpath='{.items[*].metadata.finalizers}'"
    )
    helm = (
        "Helm before 3.17 adopts the CRDs that become part of the release by labels: kubectl label crd "
        f"{crds} app.kubernetes.io/managed-by=Helm; kubectl annotate crd {crds} "
        "meta.helm.sh/release-name=RELEASE meta.helm.sh/release-namespace=NAMESPACE. "
        "From 3.17 on: helm upgrade --take-ownership."
    )
    others = (
        "Flux from 2.5 on takes ownership by itself unless disableTakeOwnership is set; Argo CD applies without "
        "asking, and skipCrds no longer leaves the Trainer's CRDs out."
    )
    better = (
        "Better: set crds.enabled to false from the first revision on and apply the CRDs from a unit of their own. "
        "Never turn it off later: Helm would delete the CRDs with every TrainJob."
    )
    return [stopped, helm, others, better]
