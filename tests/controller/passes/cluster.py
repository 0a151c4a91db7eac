"""A cluster in a dict: what becomes of it when the actions of a pass are carried out."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

from trainergen_controller import Actions, reconcile

from tests.render.builders import runtime, train_job

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
CREATED = "2026-03-01T11:59:00Z"
Object = dict[str, Any]
_KEYS = {"ports": ("containerPort",), "ownerReferences": ("uid",), "volumeMounts": ("mountPath",)}
_ATOMIC = {"command", "args", "items", "tolerations", "finalizers"}


def created(trainer: Object | None = None, *, metadata: Object | None = None, **spec: Any) -> Object:
    """A TrainJob as the API server has it."""
    job = train_job({} if trainer is None else trainer, **spec)
    job["metadata"] |= {"creationTimestamp": CREATED, **(metadata or {})}
    return job


class World:
    """One TrainJob and the objects around it; ``owned`` keeps managed fields as an API server does."""

    def __init__(self, job: Object, *objects: Object, release: str = "2.3", owned: bool = False) -> None:
        self.job = deepcopy(job)
        self.release = release
        self.now = NOW
        self._owned = owned
        self.objects: dict[tuple[str, str], Object] = {}
        for each in objects or (runtime(),):
            self.objects[each["kind"], each["metadata"]["name"]] = deepcopy(each)

    def decide(self, **options: Any) -> Actions:
        """What a pass would do now."""
        return reconcile(self.job, self.objects.values(), release=self.release, now=self.now, **options)

    def step(self, **options: Any) -> Actions:
        """Let one pass do its work."""
        actions = self.decide(**options)
        for apply in actions.applies:
            self._apply(apply.object)
        for delete in actions.deletes:
            self.objects.pop((delete.kind.kind, delete.name), None)
        if actions.status_patch is not None:
            self.job = merged(self.job, actions.status_patch)
        return actions

    def suspend(self, suspended: bool) -> None:
        self.job["spec"]["suspend"] = suspended

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def job_set(self) -> Object:
        return self.objects["JobSet", self.job["metadata"]["name"]]

    def ends(self, condition: str, reason: str = "AllJobsCompleted", when: str = "2026-03-01T12:00:30Z") -> None:
        """JobSet's controller sets a terminal condition."""
        ended = {"type": condition, "status": "True", "reason": reason, "message": "m", "lastTransitionTime": when}
        self.job_set().setdefault("status", {}).setdefault("conditions", []).append(ended)

    def reports(self, *jobs: Object) -> None:
        """JobSet's controller counts the Pods."""
        self.job_set().setdefault("status", {})["replicatedJobsStatus"] = list(jobs)

    def conditions(self) -> list[str]:
        """The conditions of the TrainJob in order, as ``Type=Status/Reason``."""
        found = self.job.get("status", {}).get("conditions", [])
        return [f"{each['type']}={each['status']}/{each['reason']}" for each in found]

    def names(self) -> list[str]:
        """What there is besides the runtime."""
        return sorted(f"{kind} {name}" for kind, name in self.objects if not kind.endswith("Runtime"))

    def _apply(self, wanted: Object) -> None:
        key = wanted["kind"], wanted["metadata"]["name"]
        stored = deepcopy(wanted)
        if "status" in self.objects.get(key, {}):
            stored["status"] = self.objects[key]["status"]
        if self._owned:
            fields = {"f:metadata": fields_of({"ownerReferences": wanted["metadata"]["ownerReferences"]})}
            fields |= fields_of({name: part for name, part in wanted.items() if name not in HEAD})
            stored["metadata"]["managedFields"] = [{"manager": "trainer", "operation": "Apply", "fieldsV1": fields}]
            defaulted(stored)
        self.objects[key] = stored


HEAD = ("apiVersion", "kind", "metadata")


def defaulted(stored: Object) -> None:
    """Some of what JobSet's webhook sets."""
    if stored["kind"] == "JobSet":
        stored["spec"]["successPolicy"] = {"operator": "All"}
        for each in stored["spec"]["replicatedJobs"]:
            each["template"]["spec"]["completionMode"] = "Indexed"
            each["template"]["spec"]["template"]["spec"]["restartPolicy"] = "OnFailure"


def fields_of(value: Object) -> Object:
    """The FieldsV1 of an applied value."""
    return {f"f:{name}": _fields(name, part) for name, part in value.items()}


def _fields(name: str, value: Any) -> Object:
    if isinstance(value, dict) and value:
        return fields_of(value)
    if isinstance(value, list) and value and isinstance(value[0], dict) and name not in _ATOMIC:
        keys = _KEYS.get(name, ("name",))
        steps = [json.dumps({key: item[key] for key in keys}) for item in value]
        return {f"k:{step}": {".": {}, **fields_of(item)} for step, item in zip(steps, value, strict=True)}
    return {}


def merged(value: Any, patch: Any) -> Any:
    """``value`` after a JSON merge patch."""
    if not isinstance(patch, dict):
        return patch
    out = dict(value) if isinstance(value, dict) else {}
    for key, part in patch.items():
        if part is None:
            out.pop(key, None)
        else:
            out[key] = merged(out.get(key), part)
    return out
