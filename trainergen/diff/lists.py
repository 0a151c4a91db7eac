"""How the items of a list are told apart: by key, as a set, or by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from trainergen.finding import Key

if TYPE_CHECKING:
    from trainergen.finding import JsonValue

# The merge keys of Kubernetes (kubernetes/api core/v1/types.go @ v0.36.2), JobSet and Trainer. Where a list is atomic
# for a patch, its items are still told apart by what may occur once only.
_KEYS: dict[str, tuple[str, ...]] = {
    "claims": ("name",),
    "conditions": ("type",),
    "containers": ("name",),
    "dependsOn": ("name",),
    "env": ("name",),
    "ephemeralContainers": ("name",),
    "hostAliases": ("ip",),
    "hostfile": ("host",),
    "imagePullSecrets": ("name",),
    "initContainers": ("name",),
    "items": ("path",),
    "jobsStatus": ("name",),
    "ownerReferences": ("uid",),
    "ports": ("containerPort", "protocol"),
    "replicatedJobs": ("name",),
    "resourceClaims": ("name",),
    "runtimePatches": ("manager",),
    "schedulingGates": ("name",),
    "sysctls": ("name",),
    "targets": ("jobName",),
    "tolerations": ("key", "operator", "value", "effect", "tolerationSeconds"),
    "topologySpreadConstraints": ("topologyKey", "whenUnsatisfiable"),
    "volumeDevices": ("devicePath",),
    "volumeMounts": ("mountPath",),
    "volumes": ("name",),
}
_DEFAULTS = {("ports", "protocol"): "TCP", ("tolerations", "operator"): "Equal"}
_SETS = frozenset(
    {"accessModes", "add", "containerNames", "drop", "finalizers", "hostnames", "namespaces", "targetReplicatedJobs"}
    | {"matchLabelKeys", "mismatchLabelKeys", "supplementalGroups", "values"}
)


def keys_of(name: str, items: Sequence[JsonValue]) -> list[Key] | None:
    """The keys of the items of the list called ``name``, each once; None when such items are told by position.

    What should occur once and does not gets a number from its second occurrence on.
    """
    if name in _SETS:
        if any(isinstance(item, dict | list) for item in items):
            return None
        texts = [str(item) for item in items]
    else:
        fields = _KEYS.get(name)
        if fields is None or not all(isinstance(item, dict) for item in items):
            return None
        texts = [_text(name, fields, item) for item in items if isinstance(item, dict)]
    seen: Counter[str] = Counter()
    keys = []
    for text in texts:
        seen[text] += 1
        keys.append(Key(text if seen[text] == 1 else f"{text}#{seen[text]}"))
    # A name that looks like a numbered one could be taken for it.
    return keys if len(set(keys)) == len(keys) else None


def _text(name: str, fields: tuple[str, ...], item: dict[str, JsonValue]) -> str:
    """The key of an item as people would write it: parts that are missing or have their default are left out."""
    parts = (item.get(field) for field in fields)
    return "/".join(
        str(part) for field, part in zip(fields, parts, strict=True) if part not in (None, _DEFAULTS.get((name, field)))
    )
