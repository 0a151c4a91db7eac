"""What the cluster holds, as far as it is known: objects found by kind and name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from trainergen.render.provenance import Trace
    from trainergen.render.template import Runtime

Found: TypeAlias = Mapping[str, Any]

DEFAULT_NAMESPACE = "default"
_CLUSTER_SCOPED = frozenset({"ClusterTrainingRuntime", "PriorityClass", "RuntimeClass"})


class Cluster:
    """An index over objects, to be made once and passed to many renderings.

    An object without a namespace lies in ``default``; of several with one name the last counts. In a ``complete`` one
    there is nothing else: a runtime that a release ships is there only if it was installed.
    """

    def __init__(self, objects: Iterable[Found] = (), *, complete: bool = False) -> None:
        self.complete = complete
        self._objects: dict[tuple[str, str, str, str], Found] = {}
        self.runtimes: dict[tuple[int, str, str], tuple[Found, Runtime, Trace]] = {}
        """Runtimes that were read already, with the origins of their parts; they must not be changed. Several clusters
        may share them, as long as the objects themselves are shared."""
        for found in objects:
            metadata = found.get("metadata") or {}
            group = api_group(str(found.get("apiVersion") or ""))
            kind, name = str(found.get("kind") or ""), str(metadata.get("name") or "")
            self._objects[group, kind, _place(kind, metadata.get("namespace")), name] = found

    @classmethod
    def of(cls, objects: Iterable[Found] | Cluster) -> Cluster:
        """``objects`` as they are if they are indexed already."""
        return objects if isinstance(objects, Cluster) else cls(objects)

    def get(self, group: str, kind: str, name: str, namespace: str = "") -> Found | None:
        """The object of that kind and name, or None."""
        return self._objects.get((group, kind, _place(kind, namespace), name))

    def places(self, group: str, kind: str) -> Iterator[tuple[str, str]]:
        """Namespace (empty outside namespaces) and name of each object of a kind."""
        for known_group, known_kind, namespace, name in self._objects:
            if (known_group, known_kind) == (group, kind):
                yield namespace, name


def api_group(api_version: str) -> str:
    """The group of an ``apiVersion``, empty for the core group."""
    return api_version.rpartition("/")[0]


def _place(kind: str, namespace: object) -> str:
    if kind in _CLUSTER_SCOPED:
        return ""
    return str(namespace or DEFAULT_NAMESPACE)
