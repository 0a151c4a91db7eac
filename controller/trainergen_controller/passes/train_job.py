"""One pass over a TrainJob, in the order of the original's steps.

Source: kubeflow/trainer pkg/controller/trainjob_controller.go @ v2.0.1 to v2.3.0. Where this departs from it on purpose
is listed in docs/controller-behaviour.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.structural import GROUP
from trainergen.releases import NEWEST, get_release
from trainergen.render import Cluster, RenderError, render
from trainergen.render.cluster import DEFAULT_NAMESPACE, api_group
from trainergen.render.pipeline import MANAGED_BY
from trainergen.render.runtime import CLUSTER_RUNTIME, KINDS
from trainergen_controller.kinds import JOB_SET
from trainergen_controller.passes import conditions as of
from trainergen_controller.passes.actions import Actions, Apply, Delete, Occurrence
from trainergen_controller.passes.applying import to_apply
from trainergen_controller.passes.merge_patch import merge_patch
from trainergen_controller.passes.status import Status, deadline_of, status_seen

if TYPE_CHECKING:
    from trainergen.releases import Release
    from trainergen.render.cluster import Found
    from trainergen.render.model import SecretData
    from trainergen_controller.passes.actions import Object

CREATION_FAILED = "TrainJobResourcesCreationFailed"
_ACTION = "Reconciling"
_LONGEST_ERROR = 950
_NO_FEATURES: Mapping[str, bool] = MappingProxyType({})
_JOB_SET_GROUP = api_group(JOB_SET.api_version)


def reconcile(
    job: Mapping[str, Any],
    objects: Iterable[Found] | Cluster = (),
    *,
    now: datetime,
    release: str = NEWEST.name,
    features: Mapping[str, bool] = _NO_FEATURES,
    secrets: SecretData | None = None,
) -> Actions:
    """What the Trainer's controller of ``release`` would do about ``job``, a TrainJob as the API server has it.

    ``objects`` is what the cluster holds of what the controller looks at: the runtime, and of the TrainJob's own
    objects the JobSet, PodGroup, Secrets and ConfigMaps, with the Secret of the webhook's certificate authority when
    the gate TrainJobStatus is on. An iterable is taken for all there is; a ``Cluster`` says itself whether it is
    ``complete``. ``secrets`` gives the Secrets their content (``secret_values.SecretValues``); without, they hold a
    placeholder that no API server takes. ``now`` is an aware datetime. The inputs are not changed.

    Whatever is wrong with the TrainJob is an ``error`` of the result; an unknown release or feature gate raises
    TrainergenError.
    """
    found = objects if isinstance(objects, Cluster) else Cluster(objects, complete=True)
    work = _Pass(job, found, get_release(release), now)
    work.status.forget_failure(work.release.reconciling)
    if not work.is_ours():
        return Actions(status=status_seen(job) or None)
    work.place_objects(features, secrets)
    work.status.suspend_or_resume(work.spec.get("suspend") is True)
    work.mirror_job_set()
    work.keep_deadline()
    return work.actions()


def creation_failed(error: str, release: str = NEWEST.name) -> Occurrence:
    """The Event of a pass that failed, be it here or when what it decided was carried out."""
    cut = error if len(error) <= _LONGEST_ERROR else error[:_LONGEST_ERROR] + " ..."
    action = _ACTION if get_release(release).reconciling.events_name_action else ""
    return Occurrence("Warning", CREATION_FAILED, action, f"the objects of the TrainJob could not be reconciled: {cut}")


@dataclass(slots=True)
class _Pass:
    job: Mapping[str, Any]
    cluster: Cluster
    release: Release
    now: datetime
    name: str = field(init=False)
    namespace: str = field(init=False)
    spec: Object = field(init=False)
    status: Status = field(init=False)
    live: Object | None = field(init=False)
    """The JobSet in the cluster."""
    applies: tuple[Apply, ...] = ()
    deletes: tuple[Delete, ...] = ()
    events: tuple[Occurrence, ...] = ()
    notes: tuple[str, ...] = ()
    errors: list[str] = field(default_factory=list)
    left: float | None = None
    supported: bool = True

    def __post_init__(self) -> None:
        metadata = object_at({**self.job}, "metadata")
        self.name = text_at(metadata, "name")
        self.namespace = text_at(metadata, "namespace") or DEFAULT_NAMESPACE
        self.spec = object_at({**self.job}, "spec")
        self.status = Status(status_seen(self.job), self.now)
        found = self.cluster.get(_JOB_SET_GROUP, JOB_SET.kind, self.name, self.namespace)
        self.live = None if found is None else {**found}

    def is_ours(self) -> bool:
        """Whether there is anything to do: not for another controller's, nor for what is being deleted."""
        if self.release.rendering.managed_by_honoured and self.spec.get("managedBy") not in (None, MANAGED_BY):
            return False
        if self.status.finished and self.release.reconciling.finished == "left alone":
            return False
        return not text_at({**self.job}, "metadata", "deletionTimestamp")

    def place_objects(self, features: Mapping[str, bool], secrets: SecretData | None) -> None:
        """Render and decide what to apply; the condition for a runtime of an unknown kind."""
        key = _registry_key(self.spec)
        if key not in _REGISTRY:
            self.supported = False
            message = f"unsupported runtime: {key}"
            self._fail_unsupported(message)
            self.errors.append(message)
            return
        if self.status.finished and self.release.reconciling.finished == "not rendered":
            return
        try:
            stranger = self._strange_owner()
            if stranger:
                raise RenderError(stranger)
            rendered = render(self.job, self.cluster, release=self.release.name, features=features, secrets=secrets)
        except RenderError as error:
            self.errors.append(f"{error.message}. {error.help}" if error.help else error.message)
            self.events = (creation_failed(self.errors[-1], self.release.name),)
            return
        self.notes = tuple(rendered.notes)
        self.applies = to_apply(rendered.objects, self.cluster)

    def mirror_job_set(self) -> None:
        """Take the status from the JobSet, which after this pass is there if it is applied."""
        if not self.supported or self._strange_owner():
            return
        rules = self.release.reconciling
        if self.live is not None:
            self.status.take_from(self.live, rules)
        elif any(apply.kind == JOB_SET for apply in self.applies):
            self.status.take_from({}, rules)
        elif not (self.status.finished and rules.finished_outlives_job_set):
            self.errors.append(f"there is no JobSet '{self.namespace}/{self.name}'")

    def keep_deadline(self) -> None:
        """Fail what is overdue and delete its JobSet; a deletion that failed is tried again at every later pass."""
        if not self.release.reconciling.active_deadline:
            return
        deadline = deadline_of(self.job, self.status, self.now)
        self.left = deadline.left
        if deadline.exceeded:
            self.status.turn(of.FAILED, of.TRUE, of.DEADLINE_EXCEEDED, "TrainJob exceeded its active deadline")
            # The original creates or changes it first and deletes it in the same pass.
            self.applies = tuple(apply for apply in self.applies if apply.kind != JOB_SET)
        if self.status.overdue and self.live is not None and self._deletable(self.live):
            uid = text_at(self.live, "metadata", "uid")
            self.deletes = (Delete(JOB_SET, self.namespace, self.name, uid),)

    def actions(self) -> Actions:
        """The outcome."""
        seen, wanted = status_seen(self.job), self.status.value()
        # NB: an empty status is none: since 2.2 the schema wants at least one field in it, and Go leaves it out, too.
        patch = merge_patch(seen, wanted) if wanted else None
        return Actions(
            applies=self.applies,
            deletes=self.deletes,
            status=wanted or None,
            status_patch={"status": patch} if patch or (seen and not wanted) else None,
            events=self.events,
            notes=self.notes,
            requeue_after=self.left,
            error="; ".join(self.errors) or None,
        )

    def _fail_unsupported(self, message: str) -> None:
        seen = of.find(list_at(status_seen(self.job), "conditions"), of.FAILED)
        if text_at(seen, "message") == message and seen is not None:
            # It was dropped at the start of the pass; that is no reason to turn it.
            self.status.conditions = of.updated(self.status.conditions, seen, self.now)
        else:
            self.status.turn(of.FAILED, of.TRUE, of.RUNTIME_NOT_SUPPORTED, message)

    def _strange_owner(self) -> str:
        """Why the JobSet of this name is none of ours; empty if it is, or nobody's."""
        owner = _controller_of(self.live or {})
        uid = text_at({**self.job}, "metadata", "uid")
        if not owner or not uid or text_at(owner, "uid") == uid:
            return ""
        whose = f"the {text_at(owner, 'kind')} '{text_at(owner, 'name')}' with uid '{text_at(owner, 'uid')}'"
        return f"the JobSet '{self.namespace}/{self.name}' belongs to {whose}, not to this TrainJob"

    def _deletable(self, job_set: Object) -> bool:
        ended = any(of.holds(list_at(job_set, "status", "conditions"), each) for each in ("Completed", "Failed"))
        leaving = bool(text_at(job_set, "metadata", "deletionTimestamp"))
        return not (ended or leaving or self._strange_owner())


def _controller_of(found: Object) -> Object:
    owners = [owner for owner in list_at(found, "metadata", "ownerReferences") if object_at(owner).get("controller")]
    return object_at(owners[0]) if owners else {}


def _registry_key(spec: Object) -> str:
    """Kind and group of the runtime, with what the API server would set."""
    reference = object_at(spec, "runtimeRef")
    kind = reference.get("kind", CLUSTER_RUNTIME)
    group = reference.get("apiGroup", GROUP)
    return f"{kind or ''}.{group}" if group else f"{kind or ''}"


_REGISTRY = frozenset(f"{kind}.{GROUP}" for kind in KINDS)
