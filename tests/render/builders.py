"""Small TrainJobs and runtimes that tests vary, and ways to look at what is rendered."""

from __future__ import annotations

from typing import Any

from trainergen.render import Rendered, render

API_VERSION = "trainer.kubeflow.org/v1alpha1"
ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"
RELEASES = ("2.0", "2.1", "2.2", "2.3")
INDEX = {"fieldRef": {"fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"}}


def job_of(
    name: str,
    *containers: dict[str, Any],
    ancestor: str = "",
    pod: dict[str, Any] | None = None,
    spec: dict[str, Any] | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """A job of a runtime's template; without containers it gets one called ``node``."""
    metadata = {"labels": {ANCESTOR: ancestor}} if ancestor else {}
    pod_spec = {"containers": list(containers) or [container()], **(pod or {})}
    template = {"metadata": metadata, "spec": {**(spec or {}), "template": {"spec": pod_spec}}}
    return {"name": name, "template": template, **fields}


def container(name: str = "node", **fields: Any) -> dict[str, Any]:
    """A container of the runtime."""
    return {"name": name, "image": "runtime:1", **fields}


def trainer_job(*containers: dict[str, Any], name: str = "node", **fields: Any) -> dict[str, Any]:
    """The job that trains."""
    return job_of(name, *containers, ancestor="trainer", **fields)


def runtime(
    *jobs: dict[str, Any],
    name: str = "rt",
    kind: str = "ClusterTrainingRuntime",
    policy: dict[str, Any] | None = None,
    gang: dict[str, Any] | None = None,
    template: dict[str, Any] | None = None,
    jobset: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A runtime; without jobs it has the one that trains."""
    spec: dict[str, Any] = {
        "template": {"spec": {"replicatedJobs": list(jobs) or [trainer_job()], **(jobset or {})}, **(template or {})}
    }
    if policy is not None:
        spec["mlPolicy"] = policy
    if gang is not None:
        spec["podGroupPolicy"] = gang
    metadata = {"name": name} if kind == "ClusterTrainingRuntime" else {"name": name, "namespace": "ml"}
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": spec}


def mpi_runtime(*, as_node: bool = False, launcher_first: bool = False, **policy: Any) -> dict[str, Any]:
    """An MPI runtime as the shipped ones are: workers, and a labelled launcher."""
    workers = job_of("node", container(command=["/usr/sbin/sshd"]))
    launcher = trainer_job(container(command=["sleep"]), name="launcher")
    jobs = [launcher, workers] if launcher_first else [workers, launcher]
    return runtime(*jobs, policy={"numNodes": 1, "mpi": {"runLauncherAsNode": as_node, **policy}})


def train_job(trainer: dict[str, Any] | None = None, *, name: str = "tj", **spec: Any) -> dict[str, Any]:
    """A TrainJob on the runtime ``rt``."""
    if trainer is not None:
        spec["trainer"] = trainer
    return {
        "apiVersion": API_VERSION,
        "kind": "TrainJob",
        "metadata": {"name": name, "namespace": "ml", "uid": "u-1"},
        "spec": {"runtimeRef": {"name": "rt"}, **spec},
    }


def patch(*jobs: dict[str, Any], manager: str = "example.com/one", metadata: dict[str, Any] | None = None) -> Any:
    """An entry of ``runtimePatches``."""
    template: dict[str, Any] = {"spec": {"replicatedJobs": list(jobs)}}
    if metadata:
        template["metadata"] = metadata
    return {"manager": manager, "trainingRuntimeSpec": {"template": template}}


def pod_patch(job: str, metadata: dict[str, Any] | None = None, **pod: Any) -> dict[str, Any]:
    """What a patch says about the Pods of a job."""
    template: dict[str, Any] = {"spec": pod}
    if metadata:
        template["metadata"] = metadata
    return {"name": job, "template": {"spec": {"template": template}}}


def rendered(
    trainer: dict[str, Any] | None = None, *objects: dict[str, Any], release: str = "2.3", **spec: Any
) -> Rendered:
    """The TrainJob with that trainer over the objects, the plain runtime if there are none."""
    return render(train_job(trainer, **spec), objects or [runtime()], release=release)


def find(result: Rendered, kind: str, name: str | None = None) -> dict[str, Any]:
    """The one object of a kind (and name)."""
    found: list[Any] = [item for item in result.objects if item["kind"] == kind]
    named = [item for item in found if name is None or item["metadata"]["name"] == name]
    assert len(named) == 1, f"{len(named)} of kind {kind} among {[item['kind'] for item in result.objects]}"
    return dict(named[0])


def replicated(result: Rendered, job: str = "node") -> dict[str, Any]:
    """A job of the rendered JobSet."""
    jobs = find(result, "JobSet")["spec"]["replicatedJobs"]
    return dict(next(item for item in jobs if item["name"] == job))


def pod_of(result: Rendered, job: str = "node") -> dict[str, Any]:
    """The Pod spec of a job."""
    return dict(replicated(result, job)["template"]["spec"]["template"]["spec"])


def node(result: Rendered, job: str = "node", name: str = "node", *, init: bool = False) -> dict[str, Any]:
    """A container of a job."""
    containers = pod_of(result, job)["initContainers" if init else "containers"]
    return dict(next(item for item in containers if item["name"] == name))


def env(result: Rendered, job: str = "node", name: str = "node", *, init: bool = False) -> dict[str, Any]:
    """The environment of a container in order: values, or what they are taken from."""
    entries = node(result, job, name, init=init).get("env", [])
    return {entry["name"]: entry.get("value", entry.get("valueFrom")) for entry in entries}


def counts(result: Rendered, job: str = "node") -> tuple[int, int]:
    """Parallelism and completions of a job."""
    spec = replicated(result, job)["template"]["spec"]
    return spec["parallelism"], spec["completions"]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """Every path below ``value`` that ends, with what is there."""
    if isinstance(value, dict) and value:
        for key, child in value.items():
            yield from leaves(child, (*path, key))
    elif isinstance(value, list) and value:
        for number, child in enumerate(value):
            yield from leaves(child, (*path, number))
    else:
        yield path, value
