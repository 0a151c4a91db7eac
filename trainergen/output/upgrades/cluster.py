"""What an audit of a cluster says, part by part, for all formats that are read by people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainergen.finding import Severity
from trainergen.output.phrases import plural

if TYPE_CHECKING:
    from trainergen.upgrade.live.report import Controller, Definition, LiveAudit, LiveRuntime

_SHOWN = 10


class Part(NamedTuple):
    """A heading with what stands below it."""

    title: str
    lines: tuple[str, ...]


def cluster_parts(live: LiveAudit) -> list[Part]:
    """All parts that say something."""
    found = [Part(title, tuple(lines(live))) for title, lines in _PARTS.items()]
    return [part for part in found if part.lines]


def cluster_summary(live: LiveAudit) -> str:
    """One line on all of it."""
    counts = [sum(one.severity is severity for one in live.findings) for severity in (Severity.ERROR, Severity.WARNING)]
    skipped = f", {plural(len(live.not_evaluated), 'part')} not evaluated" if live.not_evaluated else ""
    return f"cluster {live.context}: {plural(counts[0], 'error')}, {plural(counts[1], 'warning')}{skipped}"


def _definitions(live: LiveAudit) -> Iterator[str]:
    for one in live.definitions:
        yield f"{one.name}: {_release(one)}, stored as {', '.join(one.stored) or 'nothing yet'}, {_ownership(one)}"


def _release(one: Definition) -> str:
    if not one.release:
        return "of no known release"
    near = f" but for {plural(one.differing, 'field')}" if one.differing else ""
    return f"that of {one.of} {one.release}{near}"


def _ownership(one: Definition) -> str:
    owned = " and ".join(one.owners) if one.owners else "nobody"
    keep = ", kept by Helm" if one.kept else ""
    return f"managed by {owned}{keep}" + (f" (written by {', '.join(one.writers)})" if one.writers else "")


def _controllers(live: LiveAudit) -> Iterator[str]:
    for one in live.controllers:
        yield f"{one.component} {one.version or 'of unknown version'}: {_deployment(one)}"
    for release in live.helm_releases:
        chart = f", chart {release.chart}" if release.chart else ""
        yield f"Helm release {release.namespace}/{release.name}: revision {release.revision}, {release.status}{chart}"


def _deployment(one: Controller) -> str:
    args = f", started with {' '.join(one.args)}" if one.args else ""
    owned = f", managed by {' and '.join(one.owners)}" if one.owners else ""
    return f"{one.namespace}/{one.name}, image {one.image}{args}{owned}"


def _companions(live: LiveAudit) -> Iterator[str]:
    for one in live.companions:
        words = {True: "goes with the target", False: f"the target wants {one.wanted}", None: "cannot be compared"}
        yield f"{one.name} {one.version}: {words[one.fits_new]}"


def _webhooks(live: LiveAudit) -> Iterator[str]:
    for one in live.webhooks:
        trusted = "has a caBundle" if one.has_ca else "has no caBundle"
        yield f"{one.name} of {one.configuration}: {trusted}, {one.failure_policy}, to {one.service}"


def _runtimes(live: LiveAudit) -> Iterator[str]:
    for one in live.runtimes:
        name = "/".join(part for part in (one.namespace, one.name) if part)
        yield f"{one.kind} {name}: {', '.join(_traits(one))}"


def _traits(one: LiveRuntime) -> Iterator[str]:
    if one.shipped:
        yield f"shipped by {one.shipped}" + (", and changed" if one.changed else "")
    else:
        yield "the cluster's own"
    if one.deprecated:
        yield "deprecated"
    if one.in_use:
        yield "with the finalizer resource-in-use"
    if one.deleting:
        yield "being deleted"
    if one.owners:
        yield f"managed by {' and '.join(one.owners)}"


def _jobs(live: LiveAudit) -> Iterator[str]:
    if live.phases:
        yield ", ".join(f"{count} {phase}" for phase, count in live.phases)
    for one in live.jobs:
        name = f"{one.namespace}/{one.name} ({one.phase})"
        if one.notes:
            yield f"{name} has to change: {'; '.join(one.notes)}"
        if one.reasons:
            yield f"{name} gets other Pods once they are made anew: {'; '.join(one.reasons)}"


def _legacy(live: LiveAudit) -> Iterator[str]:
    for one in live.legacy:
        yield f"{one.api_version} {one.kind}: {one.count}, in {_names(one.namespaces)}"


def _drift(live: LiveAudit) -> Iterator[str]:
    for one in live.drift:
        if one.only_in_git:
            yield f"{one.kind} in Git and not in the cluster: {_names(one.only_in_git)}"
        if one.only_in_cluster:
            yield f"{one.kind} in the cluster and not in Git: {_names(one.only_in_cluster)}"


def _names(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _skipped(live: LiveAudit) -> Iterator[str]:
    for one in live.not_evaluated:
        yield f"{one.part}: {one.reason}"


_PARTS: dict[str, Callable[[LiveAudit], Iterator[str]]] = {
    "CRDs": _definitions,
    "Controllers": _controllers,
    "Beside the Trainer": _companions,
    "Webhooks": _webhooks,
    "Runtimes": _runtimes,
    "TrainJobs": _jobs,
    "Left of the Training Operator": _legacy,
    "Drift": _drift,
    "Not evaluated": _skipped,
}
