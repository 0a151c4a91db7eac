"""Differences that are none once the API server has set its defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.diff.change import Kind

if TYPE_CHECKING:
    from trainergen.diff.change import Difference
    from trainergen.finding import JsonValue

# kubernetes/kubernetes pkg/apis/{core,batch}/v1/defaults.go @ v1.35.0, kubernetes-sigs/jobset
# api/jobset/v1alpha2/jobset_types.go and pkg/webhooks/jobset_webhook.go @ v0.12.0.
_DEFAULTS: dict[str, JsonValue] = {
    "backoffLimit": 6,
    "completionMode": "Indexed",
    "defaultMode": 0o644,
    "dnsPolicy": "ClusterFirst",
    "enableDNSHostnames": True,
    "groupName": "default",
    "protocol": "TCP",
    "publishNotReadyAddresses": True,
    "readOnly": False,
    "replicas": 1,
    "restartPolicy": "OnFailure",
    "restartStrategy": "Recreate",
    "schedulerName": "default-scheduler",
    "startupPolicyOrder": "AnyOrder",
    "suspend": False,
    "terminationGracePeriodSeconds": 30,
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}
# Fields whose empty value means the same as none. Others, ``emptyDir`` above all, say something by being there.
_MAY_BE_EMPTY = frozenset(
    {"affinity", "annotations", "args", "command", "dependsOn", "env", "envFrom", "imagePullSecrets", "initContainers"}
    | {"labels", "limits", "metadata", "network", "nodeSelector", "ports", "requests", "resources", "schedulingGates"}
    | {"securityContext", "tolerations", "volumeMounts", "volumes"}
)


def is_spelled_out(difference: Difference) -> bool:
    """Whether one side writes what the other leaves to a default."""
    if difference.kind not in (Kind.ADDED, Kind.REMOVED) or not difference.path:
        return False
    name = difference.path[-1]
    value = difference.new if difference.kind is Kind.ADDED else difference.old
    if value in ({}, []):
        return name in _MAY_BE_EMPTY
    default = _DEFAULTS.get(str(name))
    return default is not None and type(value) is type(default) and value == default
