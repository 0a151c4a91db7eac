"""Whatever admission accepts is rendered, or refused with a RenderError; nothing else ever goes wrong."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import trainergen
from trainergen.engine.rendering import RenderOptions, render_files
from trainergen.output.rendered.lines import yaml_text
from trainergen.output.rendered.pods_text import pods_text
from trainergen.releases import RELEASES
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.source import SourceFile

RELEASE_NAMES = [release.name for release in RELEASES]
NAMES = st.sampled_from(["node", "launcher", "dataset-initializer", "model-initializer", "data", "x", "NODE"])
QUANTITIES = st.sampled_from(["1", 2, "500m", "1.5", "64Gi", "0", "-1", "1e3", "x", 0.5])
RESOURCES = st.fixed_dictionaries(
    {},
    optional={
        half: st.dictionaries(st.sampled_from(["cpu", "memory", "nvidia.com/gpu", "nvidia.com/mig-1g.5gb"]), QUANTITIES)
        for half in ("limits", "requests")
    },
)
WORDS = st.lists(
    st.sampled_from(["torchrun", "tune", "run", "$(A)", "model.lora_attn_modules=[q]", "", "é"]), max_size=4
)
ENV = st.lists(
    st.one_of(
        st.fixed_dictionaries({"name": st.sampled_from("ABC"), "value": st.text(max_size=5)}),
        st.fixed_dictionaries(
            {
                "name": st.sampled_from(["A", "PET_NNODES", "JAX_PROCESS_ID", "FLUX_VIEW_IMAGE"]),
                "valueFrom": st.sampled_from(
                    [
                        {"fieldRef": {"fieldPath": "metadata.name"}},
                        {"secretKeyRef": {"name": "s", "key": "k", "optional": True}},
                        {"resourceFieldRef": {"resource": "limits.cpu"}},
                        {},
                    ]
                ),
            }
        ),
    ),
    max_size=3,
)
INTEGERS = st.sampled_from([0, 1, 2, 3, 100_001, -1, 2**31 - 1, 2**31, 2**63])
TRAINER = st.fixed_dictionaries(
    {},
    optional={
        "numNodes": st.sampled_from([0, 1, 2, 5, -1, 2**31 - 1, 2**40]),
        "numProcPerNode": INTEGERS | st.sampled_from(["auto", "gpu", "cpu", "3"]),
        "image": st.sampled_from(["", "image:1"]),
        "command": WORDS | st.just(["tune", "run"]),
        "args": WORDS,
        "env": ENV,
        "resourcesPerNode": RESOURCES,
    },
)
POD = st.fixed_dictionaries(
    {},
    optional={
        "nodeSelector": st.dictionaries(st.sampled_from("ab"), st.sampled_from("xy")),
        "tolerations": st.lists(
            st.sampled_from([{"operator": "Exists"}, {"key": "k", "effect": "NoSchedule"}, {}]), max_size=2
        ),
        "volumes": st.lists(st.sampled_from([{"name": "v", "emptyDir": {}}, {"name": "w"}]), max_size=2),
        "containers": st.lists(st.fixed_dictionaries({"name": NAMES}, optional={"env": ENV}), max_size=2),
        "initContainers": st.lists(st.fixed_dictionaries({"name": NAMES}, optional={"env": ENV}), max_size=2),
        "affinity": st.just({"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": []}}),
        "schedulingGates": st.just([{"name": "example.com/gate"}]),
        "terminationGracePeriodSeconds": INTEGERS,
    },
)
PATCHED_JOB = st.builds(lambda name, pod: {"name": name, "template": {"spec": {"template": {"spec": pod}}}}, NAMES, POD)
PATCHES = st.lists(
    st.builds(
        lambda manager, jobs: {
            "manager": manager,
            "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}},
        },
        st.sampled_from(["example.com/a", "example.com/b"]),
        st.lists(PATCHED_JOB, max_size=2),
    ),
    max_size=2,
)
TARGETS = st.lists(st.builds(lambda name: {"name": name}, NAMES), min_size=1, max_size=2)
OLD_OVERRIDES = {
    "2.0": (
        "podSpecOverrides",
        st.lists(st.builds(lambda jobs, pod: {"targetJobs": jobs, **pod}, TARGETS, POD), max_size=2),
    ),
    "2.1": (
        "podTemplateOverrides",
        st.lists(st.builds(lambda jobs, pod: {"targetJobs": jobs, "spec": pod}, TARGETS, POD), max_size=2),
    ),
}
INITIALIZER = st.fixed_dictionaries(
    {},
    optional={
        name: st.fixed_dictionaries(
            {},
            optional={"storageUri": st.sampled_from(["hf://a/b", ""]), "env": ENV, "secretRef": st.just({"name": "s"})},
        )
        for name in ("dataset", "model")
    },
)


@st.composite
def train_jobs(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A release and a TrainJob on one of the runtimes it ships."""
    release = draw(st.sampled_from(RELEASE_NAMES))
    field, overrides = OLD_OVERRIDES.get(release, ("runtimePatches", PATCHES))
    optional = {"trainer": TRAINER, "initializer": INITIALIZER, "suspend": st.booleans(), field: overrides}
    spec = draw(st.fixed_dictionaries({}, optional=optional))
    runtime = draw(st.sampled_from(sorted(shipped_runtimes(release))))
    metadata: dict[str, Any] = {"name": draw(st.sampled_from(["tj", "t" * 63]))}
    if draw(st.booleans()):
        metadata["namespace"] = "ml"
    return release, {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": metadata,
        "spec": {"runtimeRef": {"name": runtime}, **spec},
    }


@given(train_jobs())
@settings(max_examples=250, deadline=None)
def test_what_admission_accepts_is_rendered_or_refused_with_a_reason(drawn: tuple[str, dict[str, Any]]) -> None:
    release, job = drawn
    if trainergen.admit(job, release=release).refused:
        return
    reason = ""
    try:
        rendered = trainergen.render(job, release=release)
    except trainergen.RenderError as error:
        reason = error.help
    else:
        assert rendered.objects[-1]["kind"] == "JobSet"
        assert pods_text(rendered.pods())
        return
    assert reason


@given(train_jobs())
@settings(max_examples=150, deadline=None)
def test_by_force_anything_is_rendered_or_refused_with_a_reason(drawn: tuple[str, dict[str, Any]]) -> None:
    release, job = drawn
    options = RenderOptions(paths=(), release=release, force=True)
    (found,) = render_files([SourceFile("job.yaml", explicit=True, data=yaml_text(job).encode())], options)
    assert (found.rendered is None) == (found.error is not None)
    assert isinstance(found.notes, list)
