"""What a build of hundreds of jobs costs, compared to writing the same bytes with ruamel.yaml."""

from __future__ import annotations

import gc
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from ruamel.yaml import YAML

from trainergen.generate import Spec, Workspace

pytestmark = pytest.mark.bench

ENVIRONMENTS = {
    name: {"queue": "q", "size": {"nodes": nodes}, "registry": f"registry.{name}.example.com"}
    for name, nodes in (("dev", 0.25), ("test", 0.5), ("stage", 0.5), ("prod", 1), ("edge", 2))
}


def workspace(jobs: int, format_: str) -> Workspace:
    """A specification of so many jobs, each with an image, variables and resources of its own, in five environments."""
    content: dict[str, Any] = {
        "name": "big",
        "release": "2.3",
        "output": {"format": format_},
        "environments": ENVIRONMENTS,
        "runtimes": {"ddp": {"from": "torch-ddp", "gpus": 2}},
        "jobs": {
            f"job-{number}": {
                "runtime": "ddp",
                "image": f"ghcr.io/example/job:{number}",
                "entrypoint": ["torchrun"],
                "args": ["/app/train.py", "--seed", str(number)],
                "nodes": 4,
                "gpus": 4,
                "deadline": "12h",
                "env": {"LOG_LEVEL": "info", "RUN": f"run {number}"},
                "secrets": {"HF_TOKEN": "hub/token"},
                "storage": {"data": {"mount": "/data", "claim": "data"}},
            }
            for number in range(jobs)
        },
    }
    return Workspace(Spec.model_validate(content))


def build_seconds(jobs: int, format_: str, folder: Path) -> float:
    """Processor time of a whole build, from reading the specification to the files.

    Without the garbage collector, whose share depends on what the tests before have left behind.
    """
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        workspace(jobs, format_).write(folder)
        return time.process_time() - started
    finally:
        gc.enable()


@pytest.mark.parametrize("format_", ["kustomize", "plain"])
def test_a_build_takes_at_most_four_times_what_ruamel_takes_to_write_it(format_: str, tmp_path: Path) -> None:
    built = build_seconds(500, format_, tmp_path)
    values = [yaml.load(path.read_bytes(), yaml.CSafeLoader) for path in tmp_path.rglob("*.yaml")]
    assert len(values) >= 2500
    writer = YAML()
    started = time.process_time()
    for value in values:
        writer.dump(value, StringIO())
    assert built < 4 * (time.process_time() - started)


@pytest.mark.parametrize("format_", ["kustomize", "helm", "plain"])
def test_four_times_the_jobs_take_about_four_times_the_time(format_: str, tmp_path: Path) -> None:
    """What grows with the square of the jobs would take sixteen times as long."""
    build_seconds(10, format_, tmp_path / "warm")
    pairs = [
        (build_seconds(125, format_, tmp_path / f"few{turn}"), build_seconds(500, format_, tmp_path / f"many{turn}"))
        for turn in range(3)
    ]
    ratio = min(many for _, many in pairs) / min(few for few, _ in pairs)
    print(f"\n{format_}: 500 jobs / 125 jobs: {ratio:.2f} times as long")
    assert ratio <= 6
