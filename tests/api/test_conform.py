"""An authored object against a release."""

from __future__ import annotations

from typing import Any

import pytest

from trainergen.api import (
    ClusterTrainingRuntime,
    EnvVar,
    ObjectMeta,
    PodSpecOverride,
    PodSpecPatch,
    PodTemplateOverride,
    RuntimePatch,
    RuntimeRef,
    TargetJob,
    Trainer,
    TrainJob,
    TrainJobSpec,
)
from trainergen.errors import TrainergenError
from trainergen.releases import RELEASES


def job(**spec: Any) -> TrainJob:
    """A job on ``torch`` with these fields of its spec."""
    return TrainJob(metadata=ObjectMeta(name="mnist"), spec=TrainJobSpec(runtime_ref=RuntimeRef(name="torch"), **spec))


def misfits(made: TrainJob | ClusterTrainingRuntime, release: str) -> list[str]:
    """The lines of what does not fit."""
    try:
        made.validate_for(release)
    except TrainergenError as error:
        return [line.strip() for line in error.message.splitlines()[1:]]
    return []


TARGETS = [TargetJob(name="node")]
SIZELESS = {"name": "x", "emptyDir": {"sizeLimit": True}}
CASES = {
    "pod overrides came to an end in 2.0": (
        job(pod_spec_overrides=[PodSpecOverride(target_jobs=TARGETS, service_account_name="x")]),
        "2.1",
        "spec.podSpecOverrides is not in Trainer 2.1, only in 2.0; use podTemplateOverrides instead",
    ),
    "pod template overrides came to an end in 2.1": (
        job(pod_template_overrides=[PodTemplateOverride(target_jobs=TARGETS)]),
        "2.3",
        "spec.podTemplateOverrides is not in Trainer 2.3, only in 2.1; use runtimePatches instead",
    ),
    "runtime patches came with 2.2": (
        job(runtime_patches=[RuntimePatch(manager="example.com/x")]),
        "2.1",
        "spec.runtimePatches is not in Trainer 2.1, only in 2.2 and 2.3",
    ),
    "a field inside an override that only later releases have": (
        job(pod_spec_overrides=[PodSpecOverride(target_jobs=TARGETS, affinity={})]),
        "2.0",
        "spec.podSpecOverrides[0].affinity is a field that no supported release has",
    ),
    "a word where 2.2 wants a number": (
        job(trainer=Trainer(num_proc_per_node="auto")),
        "2.2",
        "spec.trainer.numProcPerNode is 'auto', but Trainer 2.2 accepts only an integer",
    ),
    "a limit that 2.2 brought": (
        job(trainer=Trainer(image="x" * 501)),
        "2.2",
        "spec.trainer.image has 501 characters, but may have 500",
    ),
    "a limit of list items": (
        job(trainer=Trainer(env=[EnvVar(name=f"A{number}") for number in range(129)])),
        "2.3",
        "spec.trainer.env has 129 items, but may have 128",
    ),
    "a number that is too small": (
        job(active_deadline_seconds=0),
        "2.3",
        "spec.activeDeadlineSeconds is 0, but must be at least 1",
    ),
    "an unknown field of an embedded type": (
        job(pod_template_overrides=[PodTemplateOverride(target_jobs=TARGETS, spec=PodSpecPatch(volumes=[{"nam": 1}]))]),
        "2.1",
        "spec.podTemplateOverrides[0].spec.volumes[0].name is missing, but Trainer 2.1 requires it",
    ),
    "a value of another type in an embedded type": (
        job(pod_spec_overrides=[PodSpecOverride(target_jobs=TARGETS, volumes=[SIZELESS])]),
        "2.0",
        (
            "spec.podSpecOverrides[0].volumes[0].emptyDir.sizeLimit is True, "
            "but Trainer 2.0 accepts only an integer or a string"
        ),
    ),
    "a template that 2.0 requires": (
        ClusterTrainingRuntime.model_validate({"metadata": {"name": "x"}, "spec": {"mlPolicy": {"numNodes": 1}}}),
        "2.0",
        "spec.template is missing, but Trainer 2.0 requires it",
    ),
    "a value that 2.0 does not have yet": (
        ClusterTrainingRuntime.model_validate(
            {"metadata": {"name": "x"}, "spec": {"template": {}, "mlPolicy": {"mpi": {"mpiImplementation": ""}}}}
        ),
        "2.0",
        "spec.mlPolicy.mpi.mpiImplementation is '', but Trainer 2.0 accepts 'OpenMPI'",
    ),
}


@pytest.mark.parametrize(("made", "release", "misfit"), CASES.values(), ids=CASES)
def test_what_a_release_does_not_accept_is_named(made: TrainJob, release: str, misfit: str) -> None:
    assert misfit in misfits(made, release)


def test_a_plain_job_fits_every_release() -> None:
    plain = job(trainer=Trainer(num_nodes=2, env=[EnvVar(name="A", value="1")]))
    for release in RELEASES:
        assert plain.validate_for(release.name) is plain


def test_all_faults_are_listed_with_the_releases_that_accept_the_job() -> None:
    old = job(
        pod_template_overrides=[PodTemplateOverride(target_jobs=TARGETS)], trainer=Trainer(num_proc_per_node="cpu")
    )
    with pytest.raises(TrainergenError) as error:
        old.validate_for("v2.3.0")
    assert error.value.message.splitlines()[0] == "TrainJob 'mnist' does not fit Trainer 2.3:"
    assert len(misfits(old, "2.3")) == 2
    assert error.value.hint == "Change these fields; it fits 2.1."


def test_shipped_runtimes_fit_the_release_that_ships_them(release: str, shipped_runtimes: dict[str, Any]) -> None:
    for manifest in shipped_runtimes.values():
        runtime = ClusterTrainingRuntime.model_validate(manifest, by_alias=True, by_name=False)
        assert runtime.to_dict() == manifest
        assert runtime.validate_for(release) is runtime
