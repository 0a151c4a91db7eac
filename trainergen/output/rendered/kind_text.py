"""One kind of Pod as text: names, limits, scheduling, containers and volumes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.output.rendered.table import table
from trainergen.render.pods.readable import COMPLETION_INDEX_WORDS

if TYPE_CHECKING:
    from trainergen.render.pods import ContainerView, EnvVar, Former, PodKind, Scheduling
    from trainergen.render.pods.containers import Setting
    from trainergen.render.provenance import Origin

Pair = tuple[str, str]

LONGEST_VALUE = 400
_NAMES = {"trainjob": "TrainJob", "runtime": "runtime", "snapshot": "runtime snapshot", "default": "default"}


def kind_lines(kind: PodKind) -> list[str]:
    """The lines about one kind of Pod."""
    step = f" ({kind.step})" if kind.step and kind.step != kind.name else ""
    lines = [f"job {kind.name}{step}: {_pods(kind)}"]
    lines += table([*_names(kind), *_limits(kind), *_scheduling(kind.scheduling), *_marks(kind)], indent="  ")
    for container in kind.init_containers:
        lines += ["", *_container(container, "sidecar" if container.sidecar else "init container", kind)]
    for container in kind.containers:
        lines += ["", *_container(container, "container", kind)]
    if kind.volumes:
        lines += ["", "  volumes", *table(((volume.name, volume.source) for volume in kind.volumes), indent="    ")]
    return lines


def _pods(kind: PodKind) -> str:
    count = f"{kind.count} Pod{'' if kind.count == 1 else 's'}"
    if kind.replicas == 1:
        return f"{count} in Job {kind.job_name(0)}"
    return f"{count}, {kind.pods_per_job} in each of the Jobs {kind.job_name(_span(kind.replicas))}"


def _span(count: int) -> str:
    return "0" if count <= 1 else f"{{0..{count - 1}}}"


def _names(kind: PodKind) -> Iterator[Pair]:
    if kind.count <= 0:
        return
    job = kind.job_name(_span(kind.replicas))
    if not kind.indexed:
        yield "pods", f"{job}-<random>, without indexes and so without host names"
        return
    host = f"{job}-{_span(kind.pods_per_job)}"
    yield "pods", f"{host}-<random>"
    yield "host names", f"{host}.{kind.subdomain}.{kind.namespace}.svc.cluster.local" if kind.subdomain else host
    if kind.waits_for:
        yield "waits until", " and ".join(kind.waits_for)


def _limits(kind: PodKind) -> Iterator[Pair]:
    limits = kind.limits
    default = " (default)" if limits.backoff_limit_is_default else ""
    words = [f"restartPolicy {limits.restart_policy}", f"backoffLimit {limits.backoff_limit}{default}"]
    if limits.backoff_limit_per_index is not None:
        words.append(f"{limits.backoff_limit_per_index} per index")
    if limits.max_failed_indexes is not None:
        words.append(f"maxFailedIndexes {limits.max_failed_indexes}")
    yield "retries", ", ".join((*words, *limits.failure_rules))
    seconds = (
        ("deadline", limits.active_deadline_seconds),
        ("kept after end", limits.ttl_seconds_after_finished),
        (
            "grace period",
            None if limits.termination_grace_period_seconds == 30 else limits.termination_grace_period_seconds,
        ),
    )
    for name, value in seconds:
        if value is not None:
            yield name, f"{value}s"


def _scheduling(found: Scheduling) -> Iterator[Pair]:
    yield "scheduler", found.scheduler
    several: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("node selector", tuple(f"{key}={value}" for key, value in found.node_selector.items())),
        ("tolerates", found.tolerations),
        ("affinity", found.affinity),
        ("spread", found.topology_spread),
        ("gates", found.gates),
    )
    for name, values in several:
        if values:
            yield name, ", ".join(values)
    single = (("priority", found.priority_class), ("runtime class", found.runtime_class))
    for name, value in single:
        if value:
            yield name, value
    if found.service_account != "default":
        yield "service account", found.service_account
    if found.host_network:
        yield "host network", "yes"


def _marks(kind: PodKind) -> Iterator[Pair]:
    """Labels and annotations that somebody chose; those of JobSet and Job are on every Pod alike."""
    own = [f"{key}={value}" for key, value in kind.labels.items() if not _is_of_controllers(key)]
    if own:
        yield "labels", ", ".join(own)
    if kind.annotations:
        yield "annotations", ", ".join(f"{key}={value}" for key, value in kind.annotations.items())


def _is_of_controllers(label: str) -> bool:
    return label.partition("/")[0] in ("jobset.sigs.k8s.io", "batch.kubernetes.io")


def _container(container: ContainerView, title: str, kind: PodKind) -> list[str]:
    pairs = [("image", _setting(container.image)), ("command", _setting(container.command))]
    # Without a command and args of its own the image's run; with a command the image's args do not.
    if container.args.is_set:
        pairs.append(("args", _setting(container.args)))
    if container.working_dir:
        pairs.append(("directory", container.working_dir))
    pairs.append(("resources", _resources(container)))
    if container.ports:
        pairs.append(("ports", ", ".join(f"{port.number}/{port.protocol}" for port in container.ports)))
    lines = [f"  {title} {container.name}", *table(pairs, indent="    ")]
    if container.mounts:
        mounts = (
            (mount.path, _mount(mount.volume, mount.sub_path, read_only=mount.read_only)) for mount in container.mounts
        )
        lines += ["    mounts", *table(mounts, indent="      ")]
    rows = [*_env_from(container), *(_env(variable, kind) for variable in container.env)]
    return [*lines, "    env", *table(rows, indent="      ")] if rows else lines


def _mount(volume: str, sub_path: str, *, read_only: bool) -> str:
    return f"volume {volume}{f', folder {sub_path}' if sub_path else ''}{', read only' if read_only else ''}"


def _setting(found: Setting) -> str:
    if not found.is_set:
        return "that of the image"
    words = found.words if found.expanded is None else found.expanded
    text = shlex.join(words) if words else "empty, so that of the image is used"
    filled = ", $(…) filled in" if found.expanded is not None else ""
    return f"{_short(text)}  [{_origin(found.origin)}{filled}{_replaced(found.replaced)}]"


def _resources(container: ContainerView) -> str:
    parts = []
    for name in sorted({**container.requests, **container.limits}, key=resource_order):
        request, limit = container.requests.get(name), container.limits.get(name)
        if request == limit:
            parts.append(f"{name} {request}")
        else:
            parts.append(f"{name} {request} ({f'limit {limit}' if limit else 'no limit'})")
    parts += [f"claim {name}" for name in container.claims]
    return ", ".join(parts) or "none: the Pod may use whatever is free, and is the first to be evicted"


def resource_order(name: str) -> tuple[int, str]:
    """CPU and memory first, then what has no domain, then devices."""
    first = {"cpu": 0, "memory": 1}
    return first.get(name, 3 if "/" in name else 2), name


def _env_from(container: ContainerView) -> Iterator[tuple[str, ...]]:
    for found in container.env_from:
        yield "*", f"<{found.source}>", f"[{_origin(found.origin)}]"


def _env(variable: EnvVar, kind: PodKind) -> tuple[str, ...]:
    value = variable.shown if variable.expanded is None else variable.expanded
    if variable.source == COMPLETION_INDEX_WORDS:
        value = f"<{variable.source}: 0..{kind.pods_per_job - 1}>" if kind.pods_per_job > 1 else "0"
    notes = ", $(…) filled in" if variable.expanded is not None else ""
    notes += ", without effect: it comes again below" if variable.repeated else ""
    return variable.name, _short(value) or '""', f"[{_origin(variable.origin)}{notes}{_replaced(variable.replaced)}]"


def _replaced(former: tuple[Former, ...]) -> str:
    return "".join(
        f"; instead of {_short(one.value) or 'nothing'} of {_origin(one.origin)}" for one in reversed(former)
    )


def _origin(origin: Origin) -> str:
    if origin.kind in _NAMES:
        return _NAMES[origin.kind]
    if origin.kind == "controller":
        return origin.detail or "controller"
    return f"{origin.kind} {'of ' if origin.kind == 'patch' else ''}{origin.detail}".rstrip()


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}… ({len(text)} characters)"
