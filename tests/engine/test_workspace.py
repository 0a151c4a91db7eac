"""Which runtime a TrainJob is judged against when the repository holds several of one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.manifests import GOOD, RUNTIME, USES_RUNTIME
from trainergen.engine.workspace import Workspace, may_hold_indexed

if TYPE_CHECKING:
    from trainergen.admission.cluster import Cluster


def image(cluster: Cluster) -> str | None:
    runtime = cluster.find("trainer.kubeflow.org", "TrainingRuntime", "team-torch", namespace="team-a")
    return None if runtime is None else str(runtime).rpartition("'image': 'example.org/torch:")[2][:1]


def runtime(tag: int) -> bytes:
    return RUNTIME.replace("torch:1", f"torch:{tag}").encode()


def test_the_only_runtime_of_a_name_serves_every_file() -> None:
    workspace = Workspace()
    workspace.add_file("platform/runtime.yaml", runtime(1))
    assert image(workspace.cluster_for("team/job.yaml")) == "1"
    assert workspace.cluster_for("a.yaml") is workspace.cluster_for("b/c.yaml"), "runtimes are made ready once"


def test_the_nearest_of_several_runtimes_is_taken() -> None:
    workspace = Workspace()
    workspace.add_file("overlays/dev/runtime.yaml", runtime(1))
    workspace.add_file("overlays/prod/runtime.yaml", runtime(2))
    workspace.add_file("base/runtime.yaml", runtime(3))
    assert image(workspace.cluster_for("overlays/dev/job.yaml")) == "1"
    assert image(workspace.cluster_for("overlays/prod/jobs/job.yaml")) == "2"
    assert image(workspace.cluster_for("base/job.yaml")) == "3"


def test_the_nearest_is_found_by_whole_paths_too() -> None:
    workspace = Workspace()
    workspace.add_file("/repository/dev/runtime.yaml", runtime(1))
    workspace.add_file("/repository/prod/runtime.yaml", runtime(2))
    assert image(workspace.cluster_for("/repository/dev/job.yaml")) == "1"
    assert image(workspace.cluster_for("/repository/prod/job.yaml")) == "2"


def test_files_for_lookup_are_farther_than_any_checked_file() -> None:
    workspace = Workspace()
    workspace.add_file("team/shared/runtime.yaml", runtime(1), rank=1)
    workspace.add_file("elsewhere/runtime.yaml", runtime(2))
    assert image(workspace.cluster_for("team/shared/job.yaml")) == "2"


def test_the_order_of_the_files_does_not_matter() -> None:
    files = [(f"{name}/runtime.yaml", runtime(tag)) for tag, name in enumerate(("a", "b", "c"))]
    results = []
    for order in (files, files[::-1]):
        workspace = Workspace()
        for name, data in order:
            workspace.add_file(name, data)
        results.append(image(workspace.cluster_for("d/job.yaml")))
    assert results[0] == results[1] == "0"


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "a TrainJob only names a kind of runtime": (USES_RUNTIME, False),
        "a TrainJob with the default kind": (GOOD, False),
        "a runtime": (RUNTIME, True),
        "a runtime after a TrainJob": (f"{USES_RUNTIME}---\n{RUNTIME}", True),
        "quoted": (RUNTIME.replace("kind: TrainingRuntime", '"kind": "TrainingRuntime"'), True),
        "JSON": ('{"kind": "TrainingRuntime"}', True),
        "a list of objects": ("kind: List\nitems:\n- kind: TrainingRuntime\n", True),
        "flow style after a separator": ("--- {kind: TrainingRuntime}\n", True),
        "indented as a whole": ("  kind: TrainingRuntime\n  metadata: {}\n", True),
        "a priority class": ("kind: PriorityClass\n", True),
        "an escape": ('kind: "Training\\x52untime" # TrainingRuntime\n', True),
    }.values(),
)
def test_the_cheap_look_errs_on_the_side_of_yes(text: str, expected: bool) -> None:
    assert may_hold_indexed(text.encode()) is expected
