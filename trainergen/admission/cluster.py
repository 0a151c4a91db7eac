"""What is known of the cluster that an object is meant for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import text_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.admission.webhooks.resolve import LiveRuntime
    from trainergen.finding import JsonObject


_CLUSTER_WIDE = frozenset({"ClusterTrainingRuntime", "PriorityClass"})


class Cluster:
    """The other objects of a cluster, found by group, kind, name and namespace.

    ``complete`` means that it holds no others: what is not among them is absent. Otherwise what is not among them is
    unknown. The objects are taken as they are in files; defaults are applied where one is used.
    """

    def __init__(self, objects: Iterable[JsonObject] = (), *, complete: bool = False) -> None:
        self.complete = complete
        self._objects = {_key(obj): obj for obj in objects}
        self.runtimes: dict[tuple[str, str, str, str], LiveRuntime] = {}
        """Runtimes made ready for use, by release, kind, namespace and name; they serve many TrainJobs."""

    def find(self, group: str, kind: str, name: str, *, namespace: str = "") -> JsonObject | None:
        """The object of that identity; an object without namespace lies in the one called ``default``."""
        return self._objects.get((group, kind, _place(kind, namespace), name))


def _key(obj: JsonObject) -> tuple[str, str, str, str]:
    group = text_at(obj, "apiVersion").rpartition("/")[0]
    kind = text_at(obj, "kind")
    return group, kind, _place(kind, text_at(obj, "metadata", "namespace")), text_at(obj, "metadata", "name")


def _place(kind: str, namespace: str) -> str:
    """The namespace that counts; the server drops one that a cluster-wide object carries, as kustomize may stamp it."""
    return "" if kind in _CLUSTER_WIDE else namespace or "default"
