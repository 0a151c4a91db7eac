"""The same requests to a real API server and to the in-process one, and what is comparable of their answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.inprocess.http import HttpServer

from tests.controlplane.api import Api

if TYPE_CHECKING:
    from tests.controlplane.api import Answer

Object = dict[str, Any]
Scenario = Callable[[Api], Iterator["Answer"]]

NAMESPACE = "agreement"
TRAINER = f"/apis/trainer.kubeflow.org/v1alpha1/namespaces/{NAMESPACE}"
JOBS, RUNTIMES = f"{TRAINER}/trainjobs", f"{TRAINER}/trainingruntimes"
JOB_SETS = f"/apis/jobset.x-k8s.io/v1alpha2/namespaces/{NAMESPACE}/jobsets"
CORE = f"/api/v1/namespaces/{NAMESPACE}"


def job(name: str = "job", **spec: Any) -> Object:
    """A TrainJob."""
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"runtimeRef": {"name": "torch"}, **spec},
    }


def job_set(*containers: Object, name: str = "set", **spec: Any) -> Object:
    """A JobSet with one replicated job."""
    pod = {"spec": {"containers": list(containers) or [{"name": "node", "image": "a"}]}}
    replicated = {"name": "node", "template": {"spec": {"template": pod}}}
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"replicatedJobs": [replicated], **spec},
    }


def config_map(name: str = "map", **data: str) -> Object:
    """A ConfigMap."""
    metadata = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def with_metadata(obj: Object, **metadata: Any) -> Object:
    """The object with more metadata."""
    return {**obj, "metadata": {**obj["metadata"], **metadata}}


def condition(kind: str, status: str = "True") -> Object:
    """A condition."""
    time = "2026-01-02T03:04:05Z"
    return {"type": kind, "status": status, "reason": "Because", "message": "so", "lastTransitionTime": time}


def assert_alike(real: Api, scenario: Scenario) -> None:
    """Has both servers answer all requests of a scenario; fails with every place where the answers differ."""
    server = InProcessServer("2.3", implicit_namespaces=False, garbage_collection=False)
    with HttpServer(server) as http, Api(http.url, "", None) as own:
        answers = zip(run(scenario, real), run(scenario, own), strict=True)
    found = [f"{number}{text}" for number, pair in enumerate(answers) for text in differing(*pair)]
    assert not found, "\n".join(found)


def run(scenario: Scenario, api: Api) -> list[tuple[int, Any]]:
    """The comparable part of all answers, on a clean namespace."""
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    api.request("POST", "/api/v1/namespaces", namespace)
    for place in (
        f"{JOBS}/job",
        f"{JOBS}/unknown",
        f"{JOB_SETS}/set",
        f"{CORE}/configmaps/map",
        f"{CORE}/secrets/keys",
    ):
        api.merge_patch(place, {"metadata": {"finalizers": None}})
        api.request("DELETE", place)
    return [(answer.code, comparable(answer.body)) for answer in scenario(api)]


def differing(real: Any, ours: Any, place: str = "") -> Iterator[str]:
    """Where two values differ, and how."""
    if isinstance(real, dict) and isinstance(ours, dict):
        for key in sorted({**real, **ours}):
            yield from differing(real.get(key, "absent"), ours.get(key, "absent"), f"{place}.{key}")
    elif isinstance(real, list | tuple) and isinstance(ours, list | tuple) and len(real) == len(ours):
        for index, (one, other) in enumerate(zip(real, ours, strict=True)):
            yield from differing(one, other, f"{place}[{index}]")
    elif real != ours:
        yield f"{place}: the API server has {real}, the in-process one {ours}"


def comparable(body: Any) -> Any:
    """An object or list without what is different by nature; of a refusal its reason and the fields it is about."""
    if not isinstance(body, dict):
        return "NotFound", []
    if body.get("kind") == "Status":
        causes = (body.get("details") or {}).get("causes") or ()
        return body.get("reason"), sorted({coarse(str(cause.get("field"))) for cause in causes} - {"<nil>"})
    if body.get("kind", "").endswith("List"):
        return [item["metadata"]["name"] for item in body["items"]]
    # Whether what is empty appears in an answer depends on whether the object was read back for it.
    empty = ("labels", "finalizers")
    metadata = {key: value for key, value in body["metadata"].items() if value or key not in empty}
    for key in ("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp"):
        if key in metadata:
            metadata[key] = bool(metadata[key])
    if "generateName" in metadata:
        metadata["name"] = ""
    if "managedFields" in metadata:
        entries = [{**entry, "time": bool(entry.get("time"))} for entry in metadata["managedFields"]]
        metadata["managedFields"] = sorted(entries, key=lambda entry: json.dumps(entry, sort_keys=True))
    return {**body, "metadata": metadata}


def coarse(field: str) -> str:
    """A field of the metadata without what is in it: of what exactly is wrong there the servers speak differently."""
    match = re.match(r"metadata\.\w+", field)
    return match.group() if match else field
