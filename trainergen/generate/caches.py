"""What runtimes with the distributed data cache need in their namespace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from trainergen.generate.resolved import Placed

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.generate.runtimes import BuiltRuntime
    from trainergen.generate.setting import Setting

PART = "namespace"
ACCOUNT = "kubeflow-trainer-cache-initializer"
"""The account of the initializer that makes the cache, and the ClusterRole that installations have for it."""


def cache_objects(setting: Setting, runtimes: Iterable[tuple[str, BuiltRuntime]]) -> Iterator[Placed]:
    """Account and rights of the cache; a fault where the namespace would refuse its Pods."""
    users = [key for key, runtime in runtimes if _has_cache(runtime)]
    if not users:
        return
    if setting.environment.pod_security == "restricted":
        setting.faults.add(
            ("runtimes", users[0], "from"),
            f"the Pods of the data cache are not 'restricted', as the namespace of '{setting.name}' demands",
            f"Set environments.{setting.name}.pod-security to baseline.",
        )
    metadata: JsonObject = {"name": ACCOUNT, "namespace": setting.namespace}
    yield Placed(PART, "cache-account", {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata})
    yield Placed(
        PART,
        "cache-rights",
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "RoleBinding",
            "metadata": dict(metadata),
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": ACCOUNT},
            "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": setting.namespace}],
        },
    )


def _has_cache(runtime: BuiltRuntime) -> bool:
    return any(template.spec.get("serviceAccountName") == ACCOUNT for template in runtime.templates)
