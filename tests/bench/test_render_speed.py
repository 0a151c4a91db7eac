"""How fast TrainJobs are rendered, as a ratio to copying their own objects through JSON in the same minute."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bench.manifests import PATCHED, TYPICAL, write_manifests
from trainergen.engine.rendering import RenderOptions, render_paths
from trainergen.releases import NEWEST
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.render import Cluster, render

pytestmark = pytest.mark.bench

FLUX: Any = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "ClusterTrainingRuntime",
    "metadata": {"name": "flux"},
    "spec": {
        "mlPolicy": {"numNodes": 1, "flux": {"numProcPerNode": 2}},
        "template": {
            "spec": {
                "replicatedJobs": [
                    {
                        "name": "node",
                        "template": {
                            "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
                            "spec": {"template": {"spec": {"containers": [{"name": "node", "image": "ubuntu:jammy"}]}}},
                        },
                    }
                ]
            }
        },
    },
}
CLUSTER = Cluster([*shipped_runtimes(NEWEST.name).values(), FLUX])
# Ratio to the copy through JSON. A plain job takes about a quarter of a millisecond, ten times its copy.
BOUNDS = {"torch-distributed": 20, "deepspeed-distributed": 15, "flux": 15}


def train_job(runtime: str, number: int = 0) -> dict[str, Any]:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": f"job-{number}", "namespace": f"team-{number % 17}"},
        "spec": {
            "runtimeRef": {"name": runtime},
            "trainer": {
                "numNodes": 1 + number % 8,
                "image": f"ghcr.io/example/train:{number}",
                "command": ["torchrun", "/workspace/train.py"],
                "env": [{"name": "NCCL_DEBUG", "value": "INFO"}],
                "resourcesPerNode": {"limits": {"nvidia.com/gpu": 8}},
            },
        },
    }


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@pytest.mark.parametrize("runtime", BOUNDS)
def test_one_job_costs_a_few_copies_of_its_objects(runtime: str) -> None:
    job = train_job(runtime)
    objects = render(job, CLUSTER).objects
    pairs = [
        (seconds(lambda: render(job, CLUSTER)), seconds(lambda: json.loads(json.dumps(objects)))) for _ in range(300)
    ]
    mine, copy = min(each for each, _ in pairs), min(each for _, each in pairs)
    print(f"\n{runtime}: {mine * 1e3:.2f} ms, {mine / copy:.1f} times the copy of its objects through JSON")
    assert mine / copy <= BOUNDS[runtime]


def runtimes(count: int) -> Cluster:
    shipped = shipped_runtimes(NEWEST.name)["torch-distributed"]
    return Cluster({**shipped, "metadata": {"name": f"runtime-{number}"}} for number in range(count))


def test_the_time_for_many_jobs_grows_with_their_number() -> None:
    cluster = runtimes(20)

    def work(count: int) -> Callable[[], None]:
        def all_of_them() -> None:
            for number in range(count):
                render(train_job(f"runtime-{number % 20}", number), cluster)

        return all_of_them

    seconds(work(200))
    pairs = [(seconds(work(1000)), seconds(work(4000))) for _ in range(3)]
    few, many = min(few for few, _ in pairs), min(many for _, many in pairs)
    print(f"\n4,000 jobs / 1,000 jobs: {many / few:.2f} times as long; a job {many / 4000 * 1e3:.2f} ms")
    assert many / few <= 5


def test_what_is_kept_of_a_job_that_is_done_with_is_nothing(tmp_path: Path) -> None:
    write_manifests(tmp_path, 900)

    def peak(jobs: int) -> int:
        options = RenderOptions(paths=tuple(f"{tmp_path}/team-{each}" for each in range(jobs // 100)), release="2.3")
        tracemalloc.start()
        count = sum(rendering.rendered is not None for rendering in render_paths(options))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == jobs
        return found

    peak(100)
    few, many = peak(300), peak(900)
    print(f"\npeak memory of 900 jobs / 300 jobs: {many / few:.2f} ({many / 1e6:.1f} MB)")
    assert many - few < 600 * 4096


def test_patches_cost_less_than_the_job_itself() -> None:
    from trainergen.api.yamltext import from_yaml

    def parsed(template: str) -> Any:
        return from_yaml(template.format(index=1, team=1, nodes=2))

    plain, patched = parsed(TYPICAL), parsed(PATCHED)
    times = [(seconds(lambda: render(patched, CLUSTER)), seconds(lambda: render(plain, CLUSTER))) for _ in range(200)]
    ratio = min(each for each, _ in times) / min(each for _, each in times)
    print(f"\npatched / plain: {ratio:.2f}")
    assert ratio <= 3
