"""RBAC as an API server judges it, for a client that may do no more than roles say, and remembers what it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen_controller.errors import ForbiddenError, NotFoundError

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Page, WatchEvent
    from trainergen_controller.kinds import ApiKind

    from tests.controller.install.built import Object

ACCOUNT = {"kind": "ServiceAccount", "name": "trainergen-controller", "namespace": "kubeflow-system"}


class Right(NamedTuple):
    """One verb on one resource; empty namespace and name mean all."""

    group: str
    resource: str
    verb: str
    namespace: str = ""
    name: str = ""


def rights_of(objects: Sequence[Object]) -> set[Right]:
    """All that the ServiceAccount may do."""
    roles = {(one["kind"], one["metadata"]["name"]): one["rules"] for one in objects if one["kind"].endswith("Role")}
    found = set()
    for one in objects:
        if one["kind"].endswith("RoleBinding") and ACCOUNT in one["subjects"]:
            rules = roles[one["roleRef"]["kind"], one["roleRef"]["name"]]
            found |= {right for rule in rules for right in _of_rule(rule, one["metadata"].get("namespace", ""))}
    return found


def _of_rule(rule: Object, namespace: str) -> Iterator[Right]:
    for group in rule["apiGroups"]:
        for resource in rule["resources"]:
            for verb in rule["verbs"]:
                for name in rule.get("resourceNames", [""]):
                    yield Right(group, resource, verb, namespace, name)


@dataclass
class Guard:
    """A client of a user with ``rights``; ``stand_ins`` answer for kinds that the server behind does not know."""

    client: Client
    rights: set[Right]
    stand_ins: Mapping[str, Any] = field(default_factory=dict)
    used: set[Right] = field(default_factory=set)
    refused: set[Right] = field(default_factory=set)

    def _ask(self, kind: ApiKind, verb: str, namespace: str = "", name: str = "", subresource: str = "") -> Client:
        resource = f"{kind.plural}/{subresource}" if subresource else kind.plural
        wanted = Right(kind.group, resource, verb, namespace, name)
        fitting = {
            right
            for right in self.rights
            if right[:3] == wanted[:3]
            and right.namespace in ("", namespace)
            and right.name in ("", name)
            and not (right.name and verb == "create")
        }
        self.used |= fitting
        if not fitting:
            self.refused.add(wanted)
            raise ForbiddenError(403, "Forbidden", f"{verb} of {resource} '{namespace}/{name}' is not allowed")
        return self.stand_ins.get(kind.plural, self.client)

    def get(self, kind: ApiKind, name: str, namespace: str = "") -> Object:
        return self._ask(kind, "get", namespace, name).get(kind, name, namespace)

    def list(self, kind: ApiKind, namespace: str = "", **options: Any) -> Page:
        return self._ask(kind, "list", namespace).list(kind, namespace, **options)

    def watch(self, kind: ApiKind, namespace: str = "", **options: Any) -> Iterator[WatchEvent]:
        return self._ask(kind, "watch", namespace).watch(kind, namespace, **options)

    def create(self, kind: ApiKind, body: Object, namespace: str = "", **options: Any) -> Object:
        name = body.get("metadata", {}).get("name", "")
        return self._ask(kind, "create", namespace, name).create(kind, body, namespace, **options)

    def update(self, kind: ApiKind, body: Object, *, subresource: str = "", dry_run: bool = False) -> Object:
        metadata = body["metadata"]
        server = self._ask(kind, "update", metadata.get("namespace", ""), metadata["name"], subresource)
        return server.update(kind, body, subresource=subresource, dry_run=dry_run)

    def apply(self, kind: ApiKind, body: Object, *, subresource: str = "", **options: Any) -> Object:
        """Takes the right to create, too, where there is nothing to patch yet."""
        name, namespace = body["metadata"]["name"], body["metadata"].get("namespace", "")
        server = self._ask(kind, "patch", namespace, name, subresource)
        try:
            server.get(kind, name, namespace)
        except NotFoundError:
            if not subresource:
                self._ask(kind, "create", namespace, name)
        return server.apply(kind, body, subresource=subresource, **options)

    def merge_patch(
        self, kind: ApiKind, name: str, namespace: str, patch: Mapping[str, Any], *, subresource: str = ""
    ) -> Object:
        server = self._ask(kind, "patch", namespace, name, subresource)
        return server.merge_patch(kind, name, namespace, patch, subresource=subresource)

    def delete(self, kind: ApiKind, name: str, namespace: str = "", **options: Any) -> None:
        self._ask(kind, "delete", namespace, name).delete(kind, name, namespace, **options)

    def close(self) -> None:
        self.client.close()
