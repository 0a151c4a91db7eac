"""The one way in which everything is added to lists of a Pod: replace the first item that matches, else append.

Source: kubeflow/trainer pkg/apply/apply.go @ v2.3.0.
"""

from __future__ import annotations

from collections.abc import Callable

from trainergen.finding import JsonObject

Match = Callable[[JsonObject, JsonObject], bool]


def same_name(one: JsonObject, other: JsonObject) -> bool:
    """Environment variables and volumes match by name."""
    return one.get("name") == other.get("name")


def same_mount_path(one: JsonObject, other: JsonObject) -> bool:
    """Mounts match by the place they are mounted at, whatever the volume."""
    return one.get("mountPath") == other.get("mountPath")


def same_port(one: JsonObject, other: JsonObject) -> bool:
    """Ports match by number or by name. NB: two missing names are equal, so an unnamed port replaces any other."""
    return one.get("containerPort") == other.get("containerPort") or one.get("name") == other.get("name")


MATCHES: dict[str, Match] = {
    "env": same_name,
    "volumes": same_name,
    "volumeMounts": same_mount_path,
    "ports": same_port,
}


def upsert(items: list[JsonObject], item: JsonObject, match: Match) -> JsonObject | None:
    """Put ``item`` in the place of the first of ``items`` that matches it, or at the end; the item it replaced."""
    for number, other in enumerate(items):
        if match(other, item):
            items[number] = item
            return other
    items.append(item)
    return None


def settle(items: list[JsonObject], match: Match) -> list[JsonObject]:
    """``items`` upserted one by one into themselves: where several match, the first place gets the last of them.

    The others stay, so two unnamed ports become the second one twice.
    """
    settled = list(items)
    for item in items:
        upsert(settled, item, match)
    return settled
