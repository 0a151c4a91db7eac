"""The containers of initializers have to mount the volume ``initializer`` from 2.3 on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, names_in, object_at, text_at
from trainergen.upgrade.checks import MOUNT_MISSING
from trainergen.upgrade.work import RUNTIMES, Work

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path

_JOBS: Path = ("spec", "template", "spec", "replicatedJobs")
_VOLUME = "initializer"
_WORKSPACE = "/workspace"
_INITIALIZERS = frozenset({"dataset-initializer", "model-initializer"})
_ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"


def initializer_mount(work: Work) -> None:
    """As kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go checks @ v2.3.0."""
    needs = work.new.behaviours.initializer_needs_mount and not work.old.behaviours.initializer_needs_mount
    if work.document.kind not in RUNTIMES or not needs:
        return
    spec = object_at(work.draft.value, "spec", "template", "spec")
    claims = [
        text_at(claim, "metadata", "name")
        for policy in list_at(spec, "volumeClaimPolicies")
        for claim in list_at(policy, "templates")
    ]
    for at, job in enumerate(list_at(spec, "replicatedJobs")):
        step = text_at(job, "template", "metadata", "labels", _ANCESTOR)
        pod = object_at(job, "template", "spec", "template", "spec")
        volumes = [*names_in(list_at(pod, "volumes")), *claims]
        for number, container in enumerate(list_at(pod, "containers")):
            if step in _INITIALIZERS and text_at(container, "name") == step:
                place = (*_JOBS, at, "template", "spec", "template", "spec", "containers", number)
                _mount(work, place, object_at(container), offered=_VOLUME in volumes)


def _mount(work: Work, place: Path, container: JsonObject, *, offered: bool) -> None:
    mounts, step = list_at(container, "volumeMounts"), text_at(container, "name")
    if _VOLUME in names_in(mounts):
        return
    if offered and not any(text_at(mount, "mountPath").rstrip("/") == _WORKSPACE for mount in mounts):
        work.draft.append((*place, "volumeMounts"), {"name": _VOLUME, "mountPath": _WORKSPACE})
        work.note(f"the container {step} mounts the volume {_VOLUME} at {_WORKSPACE}, as {work.new.name} demands")
        return
    work.lose(
        MOUNT_MISSING.at(
            work.spot(*place, "name"),
            f"the container '{step}' does not mount a volume '{_VOLUME}', and {work.new.name} refuses TrainJobs "
            "with that initializer",
            help=f"Name the volume that it shares with the trainer '{_VOLUME}', in the Pod and in its mounts.",
        )
    )
