"""Two environments of the same Pod, compared by what they mean: the same node, the same number, the same rank."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from trainergen.api.access import object_at, text_at
from trainergen.migrate.pods import NODE
from trainergen.migrate.simulation import legacy_pods, migrated_pods
from trainergen.render import RenderError, render

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from trainergen.finding import JsonObject
    from trainergen.migrate.legacy import LegacyJob, Role
    from trainergen.migrate.places import Place

_MOST_PODS: Final = 3
_SET_BY_TORCHRUN: Final = frozenset({"MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE"})
_ELASTIC: Final = frozenset(
    {"PET_NNODES", "PET_RDZV_ENDPOINT", "PET_RDZV_BACKEND", "PET_RDZV_ID", "PET_RDZV_CONF", "PET_MAX_RESTARTS"}
    | {"PET_STANDALONE"}
)
_LAUNCHERS = re.compile(r"\b(torchrun|torch\.distributed\.(run|launch)|accelerate)\b")


@dataclass(slots=True)
class Difference:
    """A variable that some Pods see otherwise: Pod, old and new value, None for none."""

    name: str
    pods: list[tuple[str, str, str | None]] = field(default_factory=list)
    reason: str = ""
    """Why that is right; empty when it may not be."""

    @property
    def text(self) -> str:
        """The difference in words."""
        groups: dict[tuple[str, str | None], list[str]] = {}
        for pod, old, new in self.pods:
            groups.setdefault((old, new), []).append(pod)
        parts = []
        for (old, new), pods in groups.items():
            now = "nothing" if new is None else f"'{new}'"
            parts.append(f"'{old}' for {', '.join(pods)} and now is {now}")
        return f"{self.name} was {', '.join(parts)}"

    @property
    def short(self) -> str:
        """The name, and the values where they are the same for all Pods."""
        values = {(old, new) for _, old, new in self.pods}
        if len(values) > 1:
            return self.name
        ((old, new),) = values
        return f"{self.name} (was '{old}', " + ("now unset)" if new is None else f"now '{new}')")


def compare(
    job: LegacyJob, objects: list[JsonObject], places: Mapping[str, Place], release: str
) -> list[Difference] | None:
    """The variables that Pods see otherwise; None when the migrated job cannot be rendered.

    Of a role the first Pods and the last are looked at, which is enough to see how ranks are counted.
    """
    jobset = _jobset(objects, release)
    if jobset is None:
        return None
    hosts = _Hosts(job, places, text_at(jobset, "metadata", "name"))
    elastic = bool(object_at(job.spec, "elasticPolicy"))
    found: dict[str, Difference] = {}
    for role in job.roles:
        place = places.get(role.name.lower())
        for index in _looked_at(role) if place is not None else ():
            assert place is not None
            seen = migrated_pods.environment(jobset, place.job, place.first + index, (NODE, job.kind.container))
            if seen is None:
                continue
            pod = f"{role.name.lower()} {index}"
            old = legacy_pods.environment(job, role, index)
            own = f"@{place.job}:{place.first + index}"
            for name, was, now in _differing(old, seen, hosts, own):
                one = found.setdefault(name, Difference(name, reason=_reason(name, seen, elastic=elastic)))
                one.pods.append((pod, was, now))
    return list(found.values())


def _looked_at(role: Role) -> list[int]:
    return sorted({*range(min(role.replicas, _MOST_PODS - 1)), role.replicas - 1})


def _jobset(objects: list[JsonObject], release: str) -> JsonObject | None:
    job = next((each for each in objects if text_at(each, "kind") == "TrainJob"), None)
    if job is None:
        return None
    metadata = job.get("metadata")
    if isinstance(metadata, dict) and not metadata.get("name"):
        job = {**job, "metadata": {**metadata, "name": legacy_pods.UNNAMED}}
    try:
        rendered = render(job, [each for each in objects if text_at(each, "kind") != "TrainJob"], release=release)
    except RenderError:
        return None
    return next((each for each in rendered.objects if text_at(each, "kind") == "JobSet"), None)


def _differing(
    old: Mapping[str, str], seen: migrated_pods.Seen, hosts: _Hosts, own: str
) -> Iterator[tuple[str, str, str | None]]:
    for name, was in old.items():
        now = seen.values.get(name)
        if name in seen.unknown or (now is None and name in seen.set_by_command):
            continue
        if now is None or _meaning(hosts.tidy(was), own) != _meaning(hosts.tidy(now), own):
            yield name, was, now


def _meaning(text: str, own: str) -> object:
    text = text.replace(legacy_pods.OWN_IP, own)
    try:
        return json.loads(text) if text.startswith("{") else text
    except ValueError:
        return text


def _reason(name: str, seen: migrated_pods.Seen, *, elastic: bool) -> str:
    launched = any(_LAUNCHERS.search(word) for word in seen.words)
    if name in _SET_BY_TORCHRUN and launched:
        return "the launcher sets them for each process"
    if name.startswith("PET_") and not launched:
        return "only torchrun reads them, which is not run"
    if elastic and name in _ELASTIC:
        return "the size is fixed, and the rest is in the options of the launcher"
    return {
        "PET_MASTER_PORT": "the Torch policy has a port of its own",
        "PET_NPROC_PER_NODE": "the Torch policy counts what the legacy job left to the launcher",
    }.get(name, "")


class _Hosts:
    """Host names of both generations, each written as the Pod that it leads to."""

    def __init__(self, job: LegacyJob, places: Mapping[str, Place], name: str) -> None:
        legacy, roles = re.escape(job.name or legacy_pods.UNNAMED), "|".join(map(re.escape, places)) or "$."
        jobset, jobs = re.escape(name), "|".join({re.escape(place.job) for place in places.values()}) or "$."
        self._places = places
        self._old = re.compile(rf"(?<![\w.-]){legacy}-({roles})-(\d+)(?:\.[\w.-]*svc[\w.-]*)?(?![\w-])")
        self._new = re.compile(rf"(?<![\w.-]){jobset}-({jobs})-0-(\d+)(?:\.{jobset})?(?![\w-])")
        self._single = f"@{next(iter(places.values())).job}:0" if job.total == 1 and places else "localhost"

    def tidy(self, text: str) -> str:
        """The text with Pods for host names."""
        text = self._new.sub(lambda match: f"@{match[1]}:{match[2]}", text)
        text = self._old.sub(self._old_pod, text)
        return re.sub(r"\blocalhost\b", self._single, text)

    def _old_pod(self, match: re.Match[str]) -> str:
        place = self._places[match[1]]
        return f"@{place.job}:{place.first + int(match[2])}"
