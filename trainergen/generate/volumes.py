"""Volumes, variables and node pools: the parts of Pods that runtimes and jobs both have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import NodePool, SecretKey, Storage


def volume(name: str, storage: Storage) -> JsonObject:
    """The volume of a Pod."""
    if storage.claim is not None:
        claim: JsonObject = {"claimName": storage.claim}
        if storage.read_only:
            claim["readOnly"] = True
        return {"name": name, "persistentVolumeClaim": claim}
    return {"name": name, "emptyDir": {"sizeLimit": storage.size}}


def mount(name: str, storage: Storage) -> JsonObject:
    """Where a container has the volume."""
    entry: JsonObject = {"name": name, "mountPath": storage.mount}
    if storage.read_only:
        entry["readOnly"] = True
    return entry


def usable(setting: Setting, storage: Mapping[str, Storage], path: Path) -> list[tuple[str, Storage]]:
    """The volumes that can be made; a fault for each of the others."""
    good = []
    for name, each in storage.items():
        if each.claim is None and each.size is None:
            setting.faults.add(
                (*path, "storage", name), f"the volume '{name}' has neither claim nor size", "Give it one of them."
            )
        elif not each.mount.startswith("/"):
            setting.faults.add(
                (*path, "storage", name, "mount"),
                f"the volume '{name}' is mounted at '{each.mount}', which is no absolute path",
                "Start the path with a slash.",
            )
        else:
            good.append((name, each))
    return good


def claim_object(setting: Setting, storage: Storage) -> JsonObject:
    """The PersistentVolumeClaim of a volume that has a claim and its size."""
    spec: JsonObject = {
        "accessModes": ["ReadWriteMany"],
        "resources": {"requests": {"storage": storage.size}},
    }
    if storage.storage_class is not None:
        spec["storageClassName"] = storage.storage_class
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": storage.claim, "namespace": setting.namespace},
        "spec": spec,
    }


def placement(pool: NodePool | None) -> JsonObject:
    """The fields of a Pod that bring it to the nodes of a pool."""
    if pool is None:
        return {}
    fields: JsonObject = {"nodeSelector": dict(pool.labels)}
    tolerations: list[JsonValue] = []
    for taint in pool.taints:
        entry: JsonObject = {"key": taint.key, "operator": "Equal" if taint.value else "Exists"}
        if taint.value:
            entry["value"] = taint.value
        if taint.effect:
            entry["effect"] = taint.effect
        tolerations.append(entry)
    if tolerations:
        fields["tolerations"] = tolerations
    return fields


def variables(plain: Mapping[str, str], secrets: Mapping[str, SecretKey] | None = None) -> list[JsonObject]:
    """Variables as containers have them: texts first, then what comes from Secrets."""
    entries: list[JsonObject] = [{"name": name, "value": value} for name, value in plain.items()]
    for name, secret in (secrets or {}).items():
        reference: JsonObject = {"name": secret.name, "key": secret.key}
        entries.append({"name": name, "valueFrom": {"secretKeyRef": reference}})
    return entries
