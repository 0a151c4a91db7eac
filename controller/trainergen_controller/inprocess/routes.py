"""The REST paths of an API server: which kind, object and part they mean; and the documents that list the kinds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from trainergen_controller.inprocess import refusals

if TYPE_CHECKING:
    from trainergen_controller.inprocess.resources import Resource
    from trainergen_controller.kinds import ApiKind

VERBS = ["create", "delete", "get", "list", "patch", "update", "watch"]


class Route(NamedTuple):
    """A place that a request is for; without ``name`` it is a collection."""

    kind: ApiKind
    namespace: str = ""
    name: str = ""
    subresource: str = ""


class Routes:
    """The paths of the kinds that a server serves."""

    def __init__(self, resources: Iterable[Resource]) -> None:
        self._resources = list(resources)
        self._kinds = {(found.kind.group, found.kind.version, found.kind.plural): found.kind for found in resources}

    def find(self, path: str) -> Route:
        """The place of a path; NotFoundError for one that is not served."""
        steps = [unquote(step) for step in path.strip("/").split("/")]
        group = "" if steps[0] == "api" else steps[1] if len(steps) > 1 else ""
        rest = steps[1:] if steps[0] == "api" else steps[2:]
        if steps[0] not in ("api", "apis") or len(rest) < 2:
            raise refusals.not_served()
        version, *rest = rest
        namespace = ""
        if len(rest) > 2 and rest[0] == "namespaces" and (group, version, rest[2]) in self._kinds:
            namespace, rest = rest[1], rest[2:]
        kind = self._kinds.get((group, version, rest[0]))
        if kind is None or len(rest) > 3 or (namespace and not kind.namespaced):
            raise refusals.not_served()
        return Route(kind, namespace, *rest[1:])

    def described(self, path: str) -> dict[str, Any] | None:
        """The document of discovery at a path, None if there is none."""
        steps = path.strip("/").split("/")
        match steps:
            case ["version"]:
                return {"major": "1", "minor": "35", "gitVersion": "v1.35.0", "platform": "in/process"}
            case ["api"]:
                return {"kind": "APIVersions", "versions": ["v1"]}
            case ["apis"]:
                groups = sorted({found.kind.group for found in self._resources} - {""})
                return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [self._group(name) for name in groups]}
            case ["api", version]:
                return self._list("", version)
            case ["apis", group, version]:
                return self._list(group, version)
        return None

    def _group(self, name: str) -> dict[str, Any]:
        versions = sorted({found.kind.version for found in self._resources if found.kind.group == name})
        entries = [{"groupVersion": f"{name}/{version}", "version": version} for version in versions]
        return {"name": name, "versions": entries, "preferredVersion": entries[0]}

    def _list(self, group: str, version: str) -> dict[str, Any] | None:
        found = [one for one in self._resources if (one.kind.group, one.kind.version) == (group, version)]
        entries = []
        for one in found:
            entry = {"name": one.kind.plural, "singularName": "", "namespaced": one.kind.namespaced}
            entries.append({**entry, "kind": one.kind.kind, "verbs": VERBS})
            if one.has_status:
                part = {**entry, "name": f"{one.kind.plural}/status", "kind": one.kind.kind}
                entries.append({**part, "verbs": ["get", "patch", "update"]})
        version_name = f"{group}/{version}" if group else version
        listed = {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version_name, "resources": entries}
        return listed if found else None
