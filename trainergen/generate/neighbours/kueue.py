"""Kueue: the LocalQueue of an environment, and the ClusterQueue with a ResourceFlavor behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.generate.resolved import Placed
from trainergen.generate.volumes import placement

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import Queue

API = "kueue.x-k8s.io/v1beta1"
"""Served by all versions of Kueue up to now; newer ones convert it."""
_DEFAULT_FLAVOR = "default-flavor"
_QUEUES = "queues"


def queue_objects(setting: Setting) -> Iterator[Placed]:
    """The queues that the specification asks for; a LocalQueue without its ClusterQueue belongs to somebody else."""
    queue = setting.environment.queue
    if queue is None:
        return
    if queue.quota:
        flavor = queue.flavor or _DEFAULT_FLAVOR
        yield Placed(_QUEUES, f"flavor-{flavor}", _flavor(setting, flavor))
        yield Placed(_QUEUES, "cluster-queue", _cluster_queue(setting, queue, flavor))
    if queue.quota or queue.cluster_queue is not None:
        local: JsonObject = {
            "apiVersion": API,
            "kind": "LocalQueue",
            "metadata": {"name": queue.name, "namespace": setting.namespace},
            "spec": {"clusterQueue": _name(setting, queue)},
        }
        yield Placed("namespace", "queue", local)


def _name(setting: Setting, queue: Queue) -> str:
    return queue.cluster_queue or setting.namespace


def _flavor(setting: Setting, name: str) -> JsonObject:
    """The nodes of the environment's pool, or all nodes."""
    pool = setting.pool(None, ())
    placed = placement(pool)
    spec: JsonObject = {}
    if pool is not None:
        spec["nodeLabels"] = placed["nodeSelector"]
        if "tolerations" in placed:
            spec["tolerations"] = placed["tolerations"]
    return {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": name}, "spec": spec}


def _cluster_queue(setting: Setting, queue: Queue, flavor: str) -> JsonObject:
    """Quota for the one namespace; what a job asks for beyond the resources named here is not admitted."""
    quota: list[JsonValue] = [{"name": name, "nominalQuota": amount} for name, amount in queue.quota.items()]
    group: JsonObject = {
        "coveredResources": [*queue.quota],
        "flavors": [{"name": flavor, "resources": quota}],
    }
    spec: JsonObject = {
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": setting.namespace}},
        "queueingStrategy": "BestEffortFIFO",
        "resourceGroups": [group],
    }
    if queue.cohort is not None:
        spec["cohort"] = queue.cohort
    return {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": _name(setting, queue)}, "spec": spec}
