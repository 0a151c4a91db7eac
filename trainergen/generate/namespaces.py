"""What the namespace of an environment has besides runtimes and jobs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.generate.resolved import Placed
from trainergen.generate.volumes import claim_object

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import Storage

_POD_SECURITY = "pod-security.kubernetes.io"
_LIMITS = "trainer-limits"
_LONGEST = 63
PART = "namespace"


def namespace_objects(setting: Setting) -> Iterator[Placed]:
    """The Namespace, its quota, the limits for the admission policies, and the claims that volumes ask for."""
    if len(setting.namespace) > _LONGEST:
        setting.faults.add(
            ("environments", setting.name),
            f"the namespace '{setting.namespace}' has {len(setting.namespace)} characters, but at most {_LONGEST} fit",
            f"Set environments.{setting.name}.namespace.",
        )
    yield Placed(PART, "namespace", _namespace(setting))
    environment = setting.environment
    if environment.quota:
        yield Placed(PART, "quota", _object(setting, "ResourceQuota", {"spec": {"hard": dict(environment.quota)}}))
    if environment.policies.max_nodes is not None:
        data: JsonObject = {"maxNodes": str(environment.policies.max_nodes)}
        yield Placed(PART, _LIMITS, _object(setting, "ConfigMap", {"data": data}, name=_LIMITS))
    yield from _claims(setting)


def _namespace(setting: Setting) -> JsonObject:
    level = setting.environment.pod_security
    labels: JsonObject = {f"{_POD_SECURITY}/{mode}": level for mode in ("enforce", "warn")}
    labels |= setting.environment.labels
    metadata: JsonObject = {"name": setting.namespace, "labels": labels}
    if setting.environment.annotations:
        metadata["annotations"] = dict(setting.environment.annotations)
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}


def _object(setting: Setting, kind: str, content: JsonObject, *, name: str = "") -> JsonObject:
    metadata: JsonObject = {"name": name or setting.spec.name, "namespace": setting.namespace}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, **content}


def _claims(setting: Setting) -> Iterator[Placed]:
    found: dict[str, Storage] = {}
    for path, name, storage in _storage(setting):
        if storage.claim is None or storage.size is None:
            continue
        first = found.setdefault(storage.claim, storage)
        if (first.size, first.storage_class) != (storage.size, storage.storage_class):
            setting.faults.add(
                (*path, "storage", name),
                f"the claim '{storage.claim}' is generated with {storage.size} here and with {first.size} elsewhere",
                "Give the size in one place only.",
            )
    for name, storage in found.items():
        yield Placed(PART, f"claim-{name}", claim_object(setting, storage))


def _storage(setting: Setting) -> Iterator[tuple[Path, str, Storage]]:
    for key, runtime in setting.spec.runtimes.items():
        yield from ((("runtimes", key), name, each) for name, each in runtime.storage.items())
    for key, job in setting.spec.jobs.items():
        if not job.only or setting.name in job.only:
            yield from ((("jobs", key), name, each) for name, each in job.storage.items())
