"""Remarks on overrides for jobs and containers that there are not."""

from __future__ import annotations

from typing import Any

from tests.render.builders import container, job_of, patch, pod_patch, rendered, runtime, train_job, trainer_job
from trainergen.releases import get_release
from trainergen.render.remarks import override_remarks

RUNTIME = runtime(
    job_of("data"), trainer_job(container(), container("side"), pod={"initContainers": [container("pre")]})
)

LACKS = "which the runtime does not have"


def remarks(*overrides: Any, release: str = "2.3") -> list[str]:
    behaviours = get_release(release).behaviours
    spec = {behaviours.overrides_field: [*overrides]}
    result = rendered(None, RUNTIME, release=release, **spec)
    return list(override_remarks(train_job(None, **spec), result, behaviours))


def test_a_job_that_the_runtime_lacks_is_named_with_the_nearest() -> None:
    assert remarks(patch(pod_patch("nodes", nodeSelector={"a": "b"}))) == [
        f"runtimePatches[0] is for job 'nodes', {LACKS} (did you mean 'node'?)"
    ]


def test_a_container_that_the_runtime_lacks_is_named_with_the_nearest() -> None:
    fine = patch(pod_patch("node", containers=[{"name": "side"}], initContainers=[{"name": "pre"}]))
    assert remarks(fine) == []
    off = patch(pod_patch("node", containers=[{"name": "sides"}], initContainers=[{"name": "node"}]))
    assert remarks(fine, off) == [
        f"runtimePatches[1] is for container 'sides' of job 'node', {LACKS} (did you mean 'side'?)",
        f"runtimePatches[1] is for init container 'node' of job 'node', {LACKS}",
    ]


def test_what_one_patch_brings_in_does_not_excuse_the_next() -> None:
    twice = patch(pod_patch("node", containers=[{"name": "new"}]))
    assert len(remarks(twice, twice)) == 2


def test_older_overrides_are_looked_at_too() -> None:
    targets = [{"name": "node"}, {"name": "dat"}]
    assert remarks({"targetJobs": targets, "containers": [{"name": "sid"}]}, release="2.0") == [
        f"podSpecOverrides[0] is for container 'sid' of job 'node', {LACKS} (did you mean 'side'?)",
        f"podSpecOverrides[0] is for job 'dat', {LACKS} (did you mean 'data'?)",
    ]
    assert remarks({"targetJobs": targets, "spec": {"containers": [{"name": "side"}]}}, release="2.1") == [
        f"podTemplateOverrides[0] is for job 'dat', {LACKS} (did you mean 'data'?)"
    ]


def test_in_2_2_a_job_that_the_runtime_lacks_is_named_although_it_is_ignored() -> None:
    assert remarks(patch(pod_patch("x", nodeSelector={"a": "b"})), release="2.2") == [
        f"runtimePatches[0] is for job 'x', {LACKS}"
    ]
