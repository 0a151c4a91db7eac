"""The mutating webhook of TrainJobs: it stamps patches with a time and writes the object anew from Go types.

Source: kubeflow/trainer pkg/webhooks/trainjob_webhook.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.webhooks.decode import decode
from trainergen.api.access import list_at, object_at, text_at

if TYPE_CHECKING:
    from trainergen.admission.webhooks.decode import Unreadable
    from trainergen.api.structural import StructuralSchemas
    from trainergen.finding import JsonObject, JsonValue

PLACEHOLDER_TIME = "2026-01-02T03:04:05Z"
"""The time that stands for the webhook's clock where none is given."""


class Mutation:
    """The mutating webhook, to be called once with a TrainJob that is decoded and defaulted.

    The recorded behaviour is that every TrainJob is written anew. By its source, controller-runtime leaves an object
    alone that the webhook did not change (pkg/webhook/admission/defaulter_custom.go @ v0.24.1).
    """

    def __init__(self, old: JsonObject | None, schemas: StructuralSchemas, *, now: str) -> None:
        self._old = old
        self._schemas = schemas
        self._now = now
        self.faults: tuple[Unreadable, ...] = ()
        """The values that the webhook could not read, which fails the request."""

    def __call__(self, job: JsonObject) -> JsonObject:
        """``job`` as the webhook returns it; ``job`` itself when nothing changes or when it cannot be read."""
        kind = self._schemas.kinds["TrainJob"]
        decoded = decode(job, self._schemas, kind)
        self.faults = decoded.faults
        if decoded.faults:
            return job
        patches = list_at(decoded.object, "spec", "runtimePatches")
        if not patches:
            return decoded.object
        old = {} if self._old is None else _by_manager(decode(self._old, self._schemas, kind).object)
        stamp = _Stamp(old, self._schemas, self._now)
        stamped: list[JsonValue] = [stamp.put(object_at(patch)) for patch in patches]
        return {**decoded.object, "spec": {**object_at(decoded.object, "spec"), "runtimePatches": stamped}}


def _by_manager(job: JsonObject) -> dict[str, JsonObject]:
    patches = [object_at(patch) for patch in list_at(job, "spec", "runtimePatches")]
    return {text_at(patch, "manager"): patch for patch in patches}


class _Stamp:
    def __init__(self, earlier: dict[str, JsonObject], schemas: StructuralSchemas, now: str) -> None:
        self._earlier = earlier
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
        from trainergen.api.encoding import encoded

        untimed: JsonObject = {key: value for key, value in patch.items() if key != "time"}
        return encoded(untimed, {"$ref": "RuntimePatch"}, self._schemas)
