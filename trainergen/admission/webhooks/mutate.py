"""The mutating webhook of TrainJobs: it stamps patches with a time and writes the object anew from Go types.

Source: kubeflow/trainer pkg/webhooks/trainjob_webhook.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.webhooks.decode import decode
from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.encoding import encoded

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonObject, JsonValue

PLACEHOLDER_TIME = "2026-01-02T03:04:05Z"
"""The time that stands for the webhook's clock where none is given."""


def mutated(job: JsonObject, old: JsonObject | None, schemas: StructuralSchemas, *, now: str) -> JsonObject:
    """``job``, decoded and defaulted, as the mutating webhook returns it; ``now`` is its clock as RFC 3339 in UTC.

    ``job`` itself comes back when nothing changes or when the webhook cannot read it, which fails the request.

    The recorded behaviour is that every TrainJob is written anew. By its source, controller-runtime leaves an object
    alone that the webhook did not change (pkg/webhook/admission/defaulter_custom.go @ v0.24.1).
    """
    kind = schemas.kinds["TrainJob"]
    decoded = decode(job, schemas, kind)
    if decoded.faults:
        return job
    patches = list_at(decoded.object, "spec", "runtimePatches")
    if not patches:
        return decoded.object
    earlier = _by_manager(decode(old, schemas, kind).object) if old is not None else {}
    field = schemas.resolve(schemas.resolve(kind.schema)["properties"]["spec"])["properties"]["runtimePatches"]
    stamp = _Stamp(earlier, schemas.resolve(field)["items"], schemas, now)
    stamped: list[JsonValue] = [stamp.put(object_at(patch)) for patch in patches]
    spec = object_at(decoded.object, "spec")
    return {**decoded.object, "spec": {**spec, "runtimePatches": stamped}}


def _by_manager(job: JsonObject) -> dict[str, JsonObject]:
    patches = [object_at(patch) for patch in list_at(job, "spec", "runtimePatches")]
    return {text_at(patch, "manager"): patch for patch in patches}


class _Stamp:
    def __init__(self, earlier: dict[str, JsonObject], item: Schema, schemas: StructuralSchemas, now: str) -> None:
        self._earlier = earlier
        self._item = item
        self._schemas = schemas
        self._now = now

    def put(self, patch: JsonObject) -> JsonObject:
        """``patch`` with its time: a new manager's own or the clock, an unchanged entry's old one, else the clock."""
        old = self._earlier.get(text_at(patch, "manager"))
        if old is None:
            return patch if "time" in patch else {**patch, "time": self._now}
        if self._content(old) != self._content(patch):
            return {**patch, "time": self._now}
        time = {"time": old["time"]} if "time" in old else {}
        return {**{key: value for key, value in patch.items() if key != "time"}, **time}

    def _content(self, patch: JsonObject) -> JsonValue:
        untimed: JsonObject = {key: value for key, value in patch.items() if key != "time"}
        return encoded(untimed, self._item, self._schemas)
