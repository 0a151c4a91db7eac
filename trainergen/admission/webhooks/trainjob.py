"""The validating webhook of TrainJobs: all its checks, in their order, as far as they can be decided.

Source: kubeflow/trainer pkg/webhooks/trainjob_webhook.go, pkg/runtime/core @ v2.0.1, v2.1.0, v2.2.1, v2.3.0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from trainergen.admission.webhooks import checks, flux, jobset, mpi, overrides, torch, volcano, xgboost
from trainergen.admission.webhooks.resolve import CLUSTER_RUNTIME, LiveRuntime, RuntimeRef, find_runtime, runtime_ref
from trainergen.admission.webhooks.review import SUPPORT_LABEL, Request, RequestCheck, Review, ReviewCheck
from trainergen.api.access import list_at, text_at, value_at
from trainergen.api.patched import PatchedTemplate, patched_template
from trainergen.api.structural import GROUP
from trainergen.finding import Layer, NotEvaluated, format_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.admission.webhooks.review import Outcomes
    from trainergen.finding import Finding, Path

_NAME = r"[a-z]([-a-z0-9]*[a-z0-9])?"
_RUNTIME_REF: Path = ("spec", "runtimeRef")


class _Plugin(NamedTuple):
    """A check against the runtime and what it reads of the TrainJob beside its overrides."""

    check: ReviewCheck
    reads: tuple[Path, ...]


_PLUGINS = (
    _Plugin(jobset.check_initializers, (("spec", "initializer"),)),
    _Plugin(jobset.check_targets, ()),
    _Plugin(torch.check, (("spec", "trainer"),)),
    _Plugin(mpi.check, (("spec", "trainer"),)),
    _Plugin(flux.check, (("spec", "trainer"),)),
    _Plugin(xgboost.check, (("spec", "trainer"),)),
    _Plugin(volcano.check, (("spec", "annotations"),)),
)


def check(request: Request, unreadable: Iterable[Path] = ()) -> Outcomes:
    """What the webhook says of a TrainJob.

    ``unreadable`` are places whose values have the wrong type. The real webhook would not look at such an object at
    all; here what does not depend on them is checked all the same, and what does is not evaluated.
    """
    broken = tuple(unreadable)
    if request.behaviours.webhook_checks_job_name and request.old is None:
        yield from _job_name(request)
    yield from _guarded(request, overrides.check, (_overrides_path(request),), broken)
    ref = runtime_ref(request.job)
    if ref is None:
        yield from _guarded(request, _unsupported_runtime, (_RUNTIME_REF,), broken)
    elif not ref.name:
        yield _undecided("spec.runtimeRef names no runtime", _RUNTIME_REF)
    else:
        yield from _against_runtime(request, ref, broken)


def _overrides_path(request: Request) -> Path:
    return ("spec", request.behaviours.overrides_field)


def _guarded(request: Request, run: RequestCheck, reads: tuple[Path, ...], broken: tuple[Path, ...]) -> Outcomes:
    hit = _hit(reads, broken)
    if hit is None:
        yield from run(request)
    else:
        yield _undecided(f"the value of {format_path(hit)} has the wrong type", hit)


def _hit(reads: tuple[Path, ...], broken: tuple[Path, ...]) -> Path | None:
    """The first broken place at, above or below something that is read."""
    for path in broken:
        for read in reads:
            shorter = min(len(path), len(read))
            if path[:shorter] == read[:shorter]:
                return path
    return None


def _undecided(reason: str, path: Path) -> NotEvaluated:
    return NotEvaluated(
        checks.UNDECODABLE.id, f"{reason}, so the webhook's checks of it were not made", Layer.WEBHOOK, path
    )


def _job_name(request: Request) -> Iterator[Finding]:
    name = text_at(request.job, "metadata", "name")
    if name and (len(name) > 63 or not re.fullmatch(_NAME, name)):
        yield checks.INVALID_JOB_NAME.at(
            ("metadata", "name"),
            f"name '{name}' is no RFC 1035 label",
            help="Use at most 63 lower-case letters, digits and hyphens, a letter first and no hyphen last.",
        )


def _unsupported_runtime(request: Request) -> Outcomes:
    ref = value_at(request.job, "spec", "runtimeRef")
    if ref is None and value_at(request.job, "spec") is not None:
        yield _undecided("spec.runtimeRef is absent", ("spec",))
        return
    kind, group = text_at(ref, "kind"), text_at(ref, "apiGroup")
    seen = f"'{kind}' of group '{group}'" if ref is not None else "absent"
    yield checks.UNSUPPORTED_RUNTIME_KIND.at(
        _RUNTIME_REF if ref is not None else (),
        f"runtimeRef is {seen}, but Trainer knows only ClusterTrainingRuntime and TrainingRuntime of group '{GROUP}'",
        help="Correct kind and apiGroup, or leave both out to mean a ClusterTrainingRuntime.",
    )


def _against_runtime(request: Request, ref: RuntimeRef, broken: tuple[Path, ...]) -> Outcomes:
    live = find_runtime(ref, request.cluster, request.schemas)
    if live is None:
        yield _absent(request, ref)
        return
    deprecated = text_at(live.object, "metadata", "labels", SUPPORT_LABEL) == "deprecated"
    if request.behaviours.warns_of_deprecated_runtimes and ref.kind == CLUSTER_RUNTIME and deprecated:
        yield checks.DEPRECATED_RUNTIME_REF.at(
            (*_RUNTIME_REF, "name"),
            f"runtime '{ref.name}' is marked as deprecated and may vanish in a later Trainer release",
            help="Refer to another runtime.",
        )
    if live.fault:
        yield _undecided(f"runtime '{ref.name}' is itself broken: {live.fault}", (*_RUNTIME_REF, "name"))
        return
    hit = _hit((_overrides_path(request),), broken)
    if hit is not None:
        yield _undecided(f"the value of {format_path(hit)} has the wrong type", hit)
        return
    yield from _plugins(request, live, broken)


def _absent(request: Request, ref: RuntimeRef) -> Finding | NotEvaluated:
    check = checks.MISSING_CLUSTER_RUNTIME if ref.kind == CLUSTER_RUNTIME else checks.MISSING_TRAINING_RUNTIME
    path: Path = (*_RUNTIME_REF, "name")
    if not request.cluster.complete:
        known = f"the given objects nor among the runtimes that Trainer {request.schemas.release} ships"
        reason = f"{ref.kind} '{ref.name}' is neither among {known}"
        return NotEvaluated(check.id, f"{reason}, so nothing was checked against it", Layer.WEBHOOK, path)
    where = "in the cluster" if ref.kind == CLUSTER_RUNTIME else f"in namespace '{ref.namespace or 'default'}'"
    return check.at(
        path,
        f"there is no {ref.kind} '{ref.name}' {where}",
        help="Create the runtime before the TrainJob, or correct name and kind of spec.runtimeRef.",
    )


def _plugins(request: Request, live: LiveRuntime, broken: tuple[Path, ...]) -> Outcomes:
    template = _template(request, live)
    if not isinstance(template, PatchedTemplate):
        yield template
        return
    review = Review(request, live.object, template)
    hits: dict[Path, None] = {}
    for plugin in _PLUGINS:
        hit = _hit(plugin.reads, broken)
        if hit is None:
            yield from plugin.check(review)
        else:
            hits[hit] = None
    for hit in hits:
        yield _undecided(f"the value of {format_path(hit)} has the wrong type", hit)


def _template(request: Request, live: LiveRuntime) -> PatchedTemplate | Finding:
    """The runtime's template with the overrides; a finding where they cannot be merged, on which the webhook panics."""
    if not list_at(request.job, "spec", request.behaviours.overrides_field):
        return patched_template(live.object, request.job, request.behaviours, request.schemas)
    from trainergen.api.merge import MergeError

    try:
        return patched_template(live.object, request.job, request.behaviours, request.schemas)
    except MergeError as error:
        return checks.UNMERGEABLE_OVERRIDES.at(
            _overrides_path(request),
            f"the overrides cannot be merged into the runtime, which fails the request: {error}",
            help="Remove keys that begin with '$' from the maps of the overrides.",
        )
