"""The environment that the Training Operator gave the training container of each Pod, the user's variables included.

Source: kubeflow/training-operator pkg/controller.v1/{pytorch,xgboost,paddlepaddle,jax}/*.go and
pkg/controller.v1/tensorflow/tensorflow.go @ v1.9.2. What the MPI kinds set is for mpirun only and left out.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from trainergen.api.access import integer_at, list_at, object_at, text_at
from trainergen.render.pods.env import expand_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.migrate.legacy import LegacyJob, Role

OWN_IP: Final = "$(POD_IP)"
"""Stands for the address of the Pod itself."""
UNNAMED: Final = "unnamed"
"""Stands for the name of a job that gets one in the cluster."""


def environment(job: LegacyJob, role: Role, index: int) -> dict[str, str]:
    """The variables with known values of a Pod's training container."""
    containers = list_at(role.template, "spec", "containers")
    main = containers[job.main_index(role)] if containers else None
    known: dict[str, str] = {}
    for entry in list_at(main, "env"):
        name, value = text_at(entry, "name"), text_at(entry, "value")
        if "valueFrom" in object_at(entry):
            known.pop(name, None)
        else:
            known[name] = expand_text(value, known)
    return known | _of_operator(job, role, index)


def _of_operator(job: LegacyJob, role: Role, index: int) -> dict[str, str]:
    """What comes behind the user's variables, and so in place of those of the same name."""
    kind = job.kind.kind
    if kind == "PyTorchJob":
        return _torch(job, role, index)
    if kind == "XGBoostJob":
        return _xgboost(job, role, index)
    if kind == "PaddleJob":
        return _paddle(job, role, index)
    if kind == "JAXJob":
        return {
            "PYTHONUNBUFFERED": "1",
            "COORDINATOR_PORT": str(job.port(role)),
            "COORDINATOR_ADDRESS": host(job, "worker", 0),
            "NUM_PROCESSES": str(job.total),
            "PROCESS_ID": str(index),
        }
    if kind == "TFJob" and job.total > 1 and job.spec.get("enableDynamicWorker") is not True:
        return {"TF_CONFIG": _tf_config(job, role, index)}
    return {}


def host(job: LegacyJob, role: str, index: int) -> str:
    """The name of a Pod and of its Service."""
    return f"{job.name or UNNAMED}-{role}-{index}"


def _rank(role: Role, index: int) -> int:
    return index + 1 if role.name == "Worker" else index


def _torch(job: LegacyJob, role: Role, index: int) -> dict[str, str]:
    out = {"PYTHONUNBUFFERED": "1"}
    processes = text_at(job.spec, "nprocPerNode") or "auto"
    master = job.role("Master")
    if master is not None:
        port, rank = str(job.port(master)), str(_rank(role, index))
        number = int(processes) if processes.isdecimal() else 1
        address = host(job, "master", 0)
        out |= {"MASTER_ADDR": address, "MASTER_PORT": port, "PET_MASTER_ADDR": address, "PET_MASTER_PORT": port}
        out |= {"WORLD_SIZE": str(job.total * number), "RANK": rank, "PET_NODE_RANK": rank}
    out["PET_NPROC_PER_NODE"] = processes
    policy = object_at(job.spec, "elasticPolicy")
    return out | (_elastic(job, policy) if policy else {"PET_NNODES": str(job.total)})


def _elastic(job: LegacyJob, policy: JsonObject) -> dict[str, str]:
    worker = job.role("Worker")
    size = worker.replicas if worker else job.total
    low, high = integer_at(policy, "minReplicas"), integer_at(policy, "maxReplicas")
    nodes = str(size) if low is None and high is None else f"{low or high}:{high or low}"
    port = integer_at(policy, "rdzvPort") or job.port(worker or job.roles[0])
    endpoint = f"{text_at(policy, 'rdzvHost') or host(job, 'worker', 0)}:{port}"
    backend = text_at(policy, "rdzvBackend") or "c10d"
    out = {"PET_RDZV_ENDPOINT": endpoint, "PET_RDZV_BACKEND": backend, "PET_NNODES": nodes}
    if text_at(policy, "rdzvId"):
        out["PET_RDZV_ID"] = text_at(policy, "rdzvId")
    pairs = [f"{text_at(each, 'key')}={text_at(each, 'value')}" for each in list_at(policy, "rdzvConf")]
    if pairs:
        out["PET_RDZV_CONF"] = ",".join(pairs)
    for key, name in (("maxRestarts", "PET_MAX_RESTARTS"), ("nProcPerNode", "PET_NPROC_PER_NODE")):
        if (number := integer_at(policy, key)) is not None:
            out[name] = str(number)
    return out | ({"PET_STANDALONE": ""} if policy.get("standalone") is True else {})


def _xgboost(job: LegacyJob, role: Role, index: int) -> dict[str, str]:
    port = str(job.port(job.role("Master") or role))
    out = {
        "MASTER_PORT": port,
        "MASTER_ADDR": host(job, "master", 0),
        "WORLD_SIZE": str(job.total),
        "RANK": str(_rank(role, index)),
        "PYTHONUNBUFFERED": "1",
    }
    worker = job.role("Worker")
    if job.total > 1 and worker is not None:
        hosts = [host(job, "worker", at) for at in range(worker.replicas)]
        out |= {"WORKER_PORT": str(job.port(worker)), "WORKER_ADDRS": ",".join(hosts)}
    return out


def _paddle(job: LegacyJob, role: Role, index: int) -> dict[str, str]:
    first = job.role("Master") or role
    is_first = role is first and index == 0
    address = OWN_IP if is_first else host(job, first.name.lower(), 0)
    out = {
        "PYTHONUNBUFFERED": "1",
        "PADDLE_JOB_ID": job.name or UNNAMED,
        "PADDLE_NNODES": str(job.total),
        "PADDLE_MASTER": f"{address}:{job.port(first)}",
    }
    if job.role("Master") is not None:
        out["PADDLE_SERVER_NUM" if role.name == "Master" else "PADDLE_TRAINER_NUM"] = "1"
    return out


def _tf_config(job: LegacyJob, role: Role, index: int) -> str:
    cluster: JsonObject = {each.name.lower(): [*_addresses(job, each)] for each in job.roles}
    task: JsonObject = {"type": role.name.lower(), "index": index}
    return json.dumps({"cluster": cluster, "task": task, "environment": "cloud"})


def _addresses(job: LegacyJob, role: Role) -> Iterable[JsonValue]:
    port = job.port(role)
    return [f"{host(job, role.name.lower(), at)}:{port}" for at in range(role.replicas)]
