"""The legacy kinds: their roles, containers and ports.

Source: kubeflow/training-operator pkg/apis/kubeflow.org/v1/*_types.go, *_defaults.go @ v1.9.2 and mxnet_types.go @
v1.8.1; kubeflow/mpi-operator pkg/apis/kubeflow/v2beta1/types.go @ v0.8.0.
"""

from __future__ import annotations

from typing import Final, NamedTuple

GROUP: Final = "kubeflow.org"


class LegacyKind(NamedTuple):
    """What distinguishes one kind: ``roles`` in the order in which their Pods are counted."""

    kind: str
    version: str
    replicas_key: str
    roles: tuple[str, ...]
    container: str
    port_name: str
    port: int
    restart_policy: str
    has_webhook: bool = True

    @property
    def api_version(self) -> str:
        """``group/version`` as manifests write it."""
        return f"{GROUP}/{self.version}"


_KINDS = (
    LegacyKind(
        "PyTorchJob",
        "v1",
        "pytorchReplicaSpecs",
        ("Master", "Worker"),
        "pytorch",
        "pytorchjob-port",
        23456,
        "OnFailure",
    ),
    LegacyKind(
        "TFJob",
        "v1",
        "tfReplicaSpecs",
        ("Chief", "Master", "PS", "Worker", "Evaluator"),
        "tensorflow",
        "tfjob-port",
        2222,
        "Never",
    ),
    LegacyKind(
        "MPIJob", "v1", "mpiReplicaSpecs", ("Launcher", "Worker"), "mpi", "mpi-port", 9999, "Never", has_webhook=False
    ),
    LegacyKind(
        "XGBoostJob", "v1", "xgbReplicaSpecs", ("Master", "Worker"), "xgboost", "xgboostjob-port", 9999, "Never"
    ),
    LegacyKind("PaddleJob", "v1", "paddleReplicaSpecs", ("Master", "Worker"), "paddle", "master", 36543, "OnFailure"),
    LegacyKind("JAXJob", "v1", "jaxReplicaSpecs", ("Worker",), "jax", "jaxjob-port", 6666, "Never"),
    LegacyKind(
        "MXJob",
        "v1",
        "mxReplicaSpecs",
        ("Scheduler", "Server", "Worker", "TunerTracker", "TunerServer", "Tuner"),
        "mxnet",
        "mxjob-port",
        9091,
        "Never",
    ),
    LegacyKind("MPIJob", "v2beta1", "mpiReplicaSpecs", ("Launcher", "Worker"), "", "", 0, "Never", has_webhook=False),
)
KINDS: Final = {(each.version, each.kind): each for each in _KINDS}


def legacy_kind(api_version: str, kind: str) -> LegacyKind | None:
    """The kind of an object with this ``apiVersion`` and ``kind``; None when no operator serves it."""
    group, _, version = api_version.rpartition("/")
    return KINDS.get((version, kind)) if group == GROUP else None
