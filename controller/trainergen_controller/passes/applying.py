"""Which of the rendered objects have to be applied, and what JobSet will say to its own.

The original applies every object at every pass. An apply that changes nothing is left out here: the outcome is the
same, and a cluster at rest is left in peace.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.decode import plain
from trainergen.diff.compare import differences
from trainergen.diff.effect import Situation
from trainergen.diff.jobset import jobset_effect
from trainergen.diff.lists import keys_of
from trainergen.finding import format_path
from trainergen.render.cluster import api_group
from trainergen_controller.kinds import JOB_SET, kind_of
from trainergen_controller.managed_fields import applied_fields, owned_part
from trainergen_controller.passes.actions import Apply
from trainergen_controller.shapes import SNAPSHOT, SSH_KEYS

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.render.cluster import Cluster

MANAGER = "trainer"
_IDENTITY = ("apiVersion", "kind")
_WRITTEN_METADATA = ("name", "namespace", "labels", "annotations", "ownerReferences")
# What JobSet lets change in a Pod template while it is or gets suspended; see trainergen.diff.jobset.
_OPEN = (("metadata", ("labels", "annotations")), ("spec", ("nodeSelector", "tolerations", "schedulingGates")))


class Fallback(NamedTuple):
    """What can be applied when JobSet refuses an object, and where that falls short of it."""

    object: JsonObject
    refused: tuple[str, ...]


def to_apply(rendered: Iterable[JsonObject], cluster: Cluster) -> tuple[Apply, ...]:
    """An apply for each object that is not in the cluster yet as it is rendered, in order."""
    applies = []
    for wanted in rendered:
        kind = kind_of(text_at(wanted, "apiVersion"), text_at(wanted, "kind"))
        group, place = api_group(kind.api_version), object_at(wanted, "metadata")
        live = cluster.get(group, kind.kind, text_at(place, "name"), text_at(place, "namespace"))
        if live is None:
            applies.append(Apply(kind, wanted, once=is_written_once(wanted)))
        elif not is_settled(live, wanted):
            fallback = within_limits(live, wanted) if kind == JOB_SET else None
            held, refused = fallback or (None, ())
            uid = text_at({**live}, "metadata", "uid")
            applies.append(Apply(kind, wanted, MANAGER, fallback=held, refused=refused, uid=uid))
    return tuple(applies)


def is_written_once(wanted: JsonObject) -> bool:
    """The snapshot of a runtime and the keys of an MPI job, which no later pass may change."""
    return text_at(wanted, "metadata", "name").endswith((SNAPSHOT, SSH_KEYS))


def is_settled(live: Mapping[str, Any], wanted: JsonObject) -> bool:
    """Whether applying ``wanted`` would change nothing; False when that cannot be told."""
    seen = object_at(plain(live))
    fields = applied_fields(seen, MANAGER)
    if fields is None:
        return _bare(seen) == _bare(wanted)
    return _meaningful(_own_part(seen, fields)) == _meaningful(wanted)


def within_limits(live: Mapping[str, Any], wanted: JsonObject) -> Fallback | None:
    """As much of ``wanted`` as the webhook and schema of JobSet let change in ``live``; None if that is all of it.

    Source: kubernetes-sigs/jobset pkg/webhooks/jobset_webhook.go ValidateUpdate @ v0.8.2 and v0.12.0.
    """
    seen = object_at(plain(live))
    own = held_part(seen, wanted)
    reapplied = Situation(reapplied=True)
    found = [one for one in differences(own, wanted) if one.path]
    refused = [format_path(one.path) for one in found if jobset_effect(one, own, wanted, reapplied).refusal]
    if not refused:
        return None
    kept: JsonObject = {**deepcopy(own), "metadata": deepcopy(object_at(wanted, "metadata"))}
    spec = object_at(kept, "spec")
    spec["suspend"] = object_at(wanted, "spec").get("suspend")
    templates = {text_at(job, "name"): _pod_template(job) for job in list_at(wanted, "spec", "replicatedJobs")}
    for job in list_at(spec, "replicatedJobs"):
        if text_at(job, "name") in templates:
            _open_fields(_pod_template(job), templates[text_at(job, "name")])
    return Fallback(kept, tuple(refused))


def held_part(live: JsonObject, wanted: JsonObject) -> JsonObject:
    """What of ``live`` an apply of ``wanted`` is about: what the manager owns, else what ``wanted`` has too."""
    fields = applied_fields(live, MANAGER)
    if fields:
        return _own_part(live, fields)
    return shared_part(live, wanted)


def shared_part(live: JsonObject, wanted: JsonObject) -> JsonObject:
    """What ``live`` has where ``wanted`` has something too; items of lists are matched by their keys."""
    return {key: _shared(key, live[key], value) for key, value in wanted.items() if key in live}


def _own_part(live: JsonObject, fields: JsonObject) -> JsonObject:
    own = owned_part(live, fields)
    metadata = object_at(live, "metadata")
    names: JsonObject = {key: metadata[key] for key in ("name", "namespace") if key in metadata}
    head: JsonObject = {key: live[key] for key in _IDENTITY if key in live}
    part = own if isinstance(own, dict) else {}
    return {**head, **part, "metadata": {**object_at(part, "metadata"), **names}}


def _shared(name: str, live: JsonValue, wanted: JsonValue) -> JsonValue:
    if isinstance(live, dict) and isinstance(wanted, dict):
        return shared_part(live, wanted)
    if isinstance(live, list) and isinstance(wanted, list):
        live_keys, wanted_keys = keys_of(name, live), keys_of(name, wanted)
        if live_keys is not None and wanted_keys is not None:
            items = dict(zip(wanted_keys, wanted, strict=True))
            there = zip(live_keys, live, strict=True)
            return [_shared("", item, items[key]) for key, item in there if key in items]
    return live


def _pod_template(job: JsonValue) -> JsonObject:
    return object_at(job, "template", "spec", "template")


def _open_fields(template: JsonObject, wanted: JsonObject) -> None:
    for section, names in _OPEN:
        part = {key: value for key, value in object_at(template, section).items() if key not in names}
        part |= {key: deepcopy(value) for key, value in object_at(wanted, section).items() if key in names}
        if part:
            template[section] = part


def _bare(value: JsonObject) -> JsonValue:
    """Without what the API server or a controller adds beside what was applied."""
    metadata = {key: part for key, part in object_at(value, "metadata").items() if key in _WRITTEN_METADATA}
    return _meaningful({**{key: part for key, part in value.items() if key != "status"}, "metadata": metadata})


def _meaningful(value: JsonValue) -> JsonValue:
    """Without nulls; an empty object is kept, for it can say something."""
    if isinstance(value, dict):
        return {key: _meaningful(part) for key, part in value.items() if part is not None}
    if isinstance(value, list):
        return [_meaningful(part) for part in value]
    return value
