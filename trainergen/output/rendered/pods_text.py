"""The Pods of a TrainJob as text: a table of the whole job, then each kind of Pod once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.output.rendered.kind_text import kind_lines, resource_order
from trainergen.output.rendered.table import table
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from trainergen.render.pods import Gang, HostFile, JobPods, PodKind

MOST_HOSTS = 4
"""Lines of a host file that are shown; more are summed up."""


def pods_text(pods: JobPods) -> str:
    """Everything about the Pods of one TrainJob but what heads it: which job, file and release, and notes."""
    lines = [*_overview(pods), "", *_jobs_table(pods)]
    for kind in pods.kinds:
        lines += ["", *kind_lines(kind)]
    if pods.host_file is not None:
        lines += ["", *_host_file(pods.host_file)]
    if pods.gang is not None:
        lines += ["", *_gang(pods.gang, pods)]
    return "".join(f"{escape_controls(line)}\n" for line in lines)


def _overview(pods: JobPods) -> Iterator[str]:
    state = "suspended: no Pod starts until spec.suspend is false" if pods.suspended else "starts at once"
    yield f"  state      {state}"
    service = f"headless Service {pods.service}" if pods.service else "none: Pods have no names in DNS"
    yield f"  network    {service}"
    yield f"  failure    {pods.restarts}"
    yield f"  success    {pods.success}"
    if pods.deadline_seconds is not None:
        yield f"  deadline   {pods.deadline_seconds}s for the whole TrainJob"


def _jobs_table(pods: JobPods) -> list[str]:
    resources = sorted({name for kind in pods.kinds for name in kind.requests}, key=resource_order)
    head = (
        "JOB",
        "NODES",
        "PROCESSES/NODE",
        "PROCESSES",
        *(name.upper() if "/" not in name else name for name in resources),
    )
    rows = [_row(kind, resources) for kind in pods.kinds]
    total = pods.requests
    rows.append(("total", str(pods.count), "", _number(pods.processes), *(total.get(name, "-") for name in resources)))
    return table([head, *rows], right=frozenset(range(1, len(head))), indent="  ")


def _row(kind: PodKind, resources: list[str]) -> tuple[str, ...]:
    # NB: one Pod's request times the Pods, so that the column adds up.
    amounts = [
        kind.requests[name].times(kind.count).canonical() if name in kind.requests else "-" for name in resources
    ]
    counted = _number(kind.processes_per_pod)
    each = f"auto = {counted}" if kind.processes == "auto" else _number(kind.processes)
    nodes = str(kind.count) if kind.replicas == 1 else f"{kind.replicas} x {kind.pods_per_job}"
    return (kind.name, nodes, each, _number(kind.total_processes), *amounts)


def _number(value: int | str | None) -> str:
    return "-" if value is None else str(value)


def _host_file(found: HostFile) -> Iterator[str]:
    yield f"{found.title} (ConfigMap {found.object}), {found.hosts} host{'' if found.hosts == 1 else 's'}"
    shown = found.lines if len(found.lines) <= MOST_HOSTS + 1 else (*found.lines[: MOST_HOSTS - 1], "", found.lines[-1])
    for line in shown:
        yield f"  {line}" if line else f"  … {len(found.lines) - MOST_HOSTS} more …"


def _gang(gang: Gang, pods: JobPods) -> Iterator[str]:
    yield f"gang scheduling: PodGroup {gang.name} for {gang.scheduler}"
    yield f"  minMember     {gang.min_member} of {pods.count} Pods"
    yield f"  minResources  {', '.join(f'{name} {value}' for name, value in gang.min_resources.items()) or 'nothing'}"
    if gang.queue:
        yield f"  queue         {gang.queue}"
