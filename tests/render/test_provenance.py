"""Every value that is rendered has an origin, and the origin is right."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import (
    RELEASES,
    container,
    job_of,
    leaves,
    mpi_runtime,
    render,
    rendered,
    runtime,
    train_job,
    trainer_job,
)
from tests.render.test_oracle import recorded
from trainergen.api.quantity import QuantityError, parse_quantity
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.render import Cluster, Origin, Rendered, RenderError

ABSENT = object()
RT = "ClusterTrainingRuntime rt"
NODE = ("spec", "replicatedJobs", 0)
POD = (*NODE, "template", "spec", "template", "spec")
CONTAINER = (*POD, "containers", 0)
RUNTIME_CONTAINER = ("spec", "template", *CONTAINER)


def jobset(result: Rendered) -> Any:
    return next(item for item in result.objects if item["kind"] == "JobSet")


def spot(result: Rendered, *path: str | int) -> Origin:
    return result.origin(jobset(result), path)


def test_the_parts_of_a_torch_job() -> None:
    rt = runtime(
        trainer_job(
            container(
                env=[{"name": "A", "value": "rt"}, {"name": "B", "value": "rt"}],
                resources={"requests": {"cpu": "2"}, "limits": {"memory": "1Gi"}},
            )
        ),
        policy={"numNodes": 1, "torch": {}},
        gang={"coscheduling": {}},
        template={"metadata": {"labels": {"team": "red"}}},
    )
    trainer = {
        "numNodes": 3,
        "image": "job:1",
        "args": ["a", "b"],
        "env": [{"name": "B", "value": "tj"}, {"name": "C", "value": "tj"}],
        "resourcesPerNode": {"limits": {"nvidia.com/gpu": "2"}},
    }
    result = rendered(trainer, rt)
    job = ("spec", "trainer")
    expected = {
        ("apiVersion",): Origin("plugin", (), "JobSet"),
        ("metadata", "name"): Origin("trainjob", ("metadata", "name")),
        ("metadata", "labels", "team"): Origin("runtime", ("spec", "template", "metadata", "labels", "team"), RT),
        ("metadata", "ownerReferences", 0, "kind"): Origin("controller", (), "owner"),
        ("metadata", "ownerReferences", 0, "uid"): Origin("trainjob", ("metadata", "uid")),
        ("spec", "suspend"): Origin("default", ("spec", "suspend")),
        (*NODE, "name"): Origin("runtime", ("spec", "template", *NODE, "name"), RT),
        (*NODE, "groupName"): Origin("default", ("spec", "template", *NODE, "groupName"), RT),
        (*NODE, "replicas"): Origin("plugin", (), "JobSet"),
        (*NODE, "template", "spec", "parallelism"): Origin("trainjob", (*job, "numNodes")),
        (*NODE, "template", "spec", "template", "metadata", "labels", "scheduling.x-k8s.io/pod-group"): Origin(
            "plugin", (), "CoScheduling"
        ),
        (*CONTAINER, "image"): Origin("trainjob", (*job, "image")),
        (*CONTAINER, "args", 1): Origin("trainjob", (*job, "args", 1)),
        (*CONTAINER, "name"): Origin("runtime", (*RUNTIME_CONTAINER, "name"), RT),
        (*CONTAINER, "env", 0, "value"): Origin("runtime", (*RUNTIME_CONTAINER, "env", 0, "value"), RT),
        (*CONTAINER, "env", 1, "value"): Origin("trainjob", (*job, "env", 0, "value")),
        (*CONTAINER, "env", 2, "name"): Origin("trainjob", (*job, "env", 1, "name")),
        (*CONTAINER, "env", 3, "value"): Origin("plugin", (), "Torch"),
        (*CONTAINER, "ports", 0, "containerPort"): Origin("plugin", (), "Torch"),
        (*CONTAINER, "resources", "limits", "nvidia.com/gpu"): Origin(
            "trainjob", (*job, "resourcesPerNode", "limits", "nvidia.com/gpu")
        ),
        (*CONTAINER, "resources", "limits", "memory"): Origin(
            "runtime", (*RUNTIME_CONTAINER, "resources", "limits", "memory"), RT
        ),
    }
    assert {path: spot(result, *path) for path in expected} == expected


def test_the_parts_of_companions() -> None:
    rt = mpi_runtime(as_node=True)
    rt["spec"]["podGroupPolicy"] = {"coscheduling": {}}
    result = rendered({"numNodes": 4}, rt)
    snapshot, secret, hostfile, group, _ = result.objects
    assert result.origin(snapshot, ("data", "runtime")) == Origin("runtime", (), RT)
    assert result.origin(secret, ("metadata", "name")) == Origin("plugin", ("metadata", "name"), "MPI")
    assert result.origin(hostfile, ("data", "hostfile")) == Origin("plugin", (), "MPI")
    assert result.origin(group, ("spec", "minMember")) == Origin("plugin", (), "CoScheduling")
    assert result.origin(group, ("spec", "scheduleTimeoutSeconds")).kind == "default"
    parallelism = (*NODE, "template", "spec", "parallelism")
    assert spot(result, *parallelism) == Origin("plugin", ("spec", "trainer", "numNodes"), "MPI")


# runtime, trainer, origin of the count
COUNTS: dict[str, tuple[Any, Any, Origin]] = {
    "the TrainJob": (runtime(), {"numNodes": 2}, Origin("trainjob", ("spec", "trainer", "numNodes"))),
    "the policy": (runtime(policy={"numNodes": 2}), {}, Origin("runtime", ("spec", "mlPolicy", "numNodes"), RT)),
    "the parallelism": (
        runtime(job_of("node", spec={"parallelism": 2})),
        {},
        Origin("runtime", ("spec", "template", *NODE, "template", "spec", "parallelism"), RT),
    ),
    "nothing": (runtime(), {}, Origin("controller", (), "at least one node")),
}


@pytest.mark.parametrize("case", COUNTS)
def test_counts_come_from(case: str) -> None:
    rt, trainer, expected = COUNTS[case]
    assert spot(rendered(trainer, rt), *NODE, "template", "spec", "completions") == expected


def test_an_initializer_is_traced() -> None:
    rt = runtime(job_of("model-initializer", container("model-initializer"), ancestor="model-initializer"))
    section = {"storageUri": "s3://b/x", "env": [{"name": "A", "value": "1"}], "secretRef": {"name": "t"}}
    result = rendered(None, rt, initializer={"model": section})
    place = ("spec", "initializer", "model")
    assert spot(result, *CONTAINER, "env", 0, "name") == Origin("plugin", place, "JobSet")
    assert spot(result, *CONTAINER, "env", 0, "value") == Origin("trainjob", (*place, "storageUri"))
    assert spot(result, *CONTAINER, "env", 1, "value") == Origin("trainjob", (*place, "env", 0, "value"))
    assert spot(result, *CONTAINER, "envFrom", 0, "secretRef", "name") == Origin(
        "trainjob", (*place, "secretRef", "name")
    )


def test_a_path_that_leads_nowhere_has_the_origin_of_what_is_nearest() -> None:
    result = rendered({})
    assert spot(result, "spec", "replicatedJobs", 9, "x").kind == "runtime"
    assert spot(result, "spec", "replicatedJobs", "x").kind == "runtime"


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return ABSENT
    return value


def amount(value: Any) -> Any:
    try:
        return parse_quantity(value)
    except QuantityError:
        return value


def source(case: dict[str, Any], release: str, result: Rendered, origin: Origin) -> Any:
    """The document that an origin is in."""
    if origin.kind in ("trainjob", "patch"):
        return case["trainjob"]
    kind, _, name = origin.detail.partition(" ")
    found = Cluster(case["objects"]).get("trainer.kubeflow.org", kind, name, result.job.namespace)
    return found or shipped_runtimes(release)[name]


@pytest.mark.parametrize("release", RELEASES)
def test_what_is_traced_to_a_document_is_there_and_what_is_a_default_is_not(release: str) -> None:
    checked = 0
    for case in recorded(release):
        try:
            result = render(case["trainjob"], case["objects"], release=release, features=case.get("features") or {})
        except RenderError:
            continue
        for item in result.objects:
            for path, value in leaves(item):
                origin = result.origin(item, path)
                if value == {} or path == ("data", "runtime"):
                    continue
                where = f"{case['id']} {path} {origin}"
                if origin.kind in ("trainjob", "patch", "runtime"):
                    found = at(source(case, release, result, origin), origin.path)
                    assert amount(found) == amount(value), where
                    checked += 1
                elif origin.kind == "default":
                    assert origin.path, where
                elif origin.kind == "plugin":
                    assert origin.detail, where
    assert checked > 5000


def test_a_default_is_not_in_the_document() -> None:
    job, rt = train_job({}), runtime()
    result = render(job, [rt])
    for path, _ in leaves(jobset(result)):
        origin = spot(result, *path)
        if origin.kind == "default":
            assert at(rt if origin.detail else job, origin.path) is ABSENT
