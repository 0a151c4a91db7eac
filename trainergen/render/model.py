"""What flows through the phases: the TrainJob, its patched template seen as sets of Pods, and the notes on the way.

A Pod set is a view of one job of the template: what plugins add to it is in the JobSet at once.

Source: kubeflow/trainer pkg/runtime/runtime.go @ v2.3.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trainergen.api.access import list_at, object_at, text_at, value_at
from trainergen.render.provenance import Origin, Superseded, Trace
from trainergen.render.upsert import MATCHES, upsert

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.releases import Behaviours, Release, Rendering
    from trainergen.render.cluster import Cluster
    from trainergen.render.resources import Amounts

SecretData: TypeAlias = Mapping[str, Mapping[str, str]]

ANCESTOR_LABEL = "trainer.kubeflow.org/trainjob-ancestor-step"
TRAINER = "trainer"
NODE = "node"
LAUNCHER = "launcher"
TRAINER_PORT = 29500
PLACEHOLDER_UID = "11111111-2222-4333-8444-555555555555"
"""The uid of a TrainJob that has none because it never was in a cluster."""


class TrainJob(NamedTuple):
    """A defaulted TrainJob."""

    name: str
    namespace: str
    uid: str
    spec: JsonObject
    assumed: frozenset[str] = frozenset()
    """What of the metadata was not written."""

    def metadata_origin(self, field: str) -> Origin:
        """The origin of a field of the metadata."""
        return Origin("default" if field in self.assumed else "trainjob", ("metadata", field))

    @property
    def trainer(self) -> JsonObject | None:
        """``spec.trainer``; an empty one is not the same as none."""
        found = self.spec.get("trainer")
        return found if isinstance(found, dict) else None

    @property
    def suspended(self) -> bool:
        """True when ``spec.suspend`` is."""
        return self.spec.get("suspend") is True

    def trainer_field(self, name: str) -> JsonValue:
        """A field of ``spec.trainer``, None when either is missing."""
        return (self.trainer or {}).get(name)

    @property
    def host(self) -> str:
        """The address that Torch, JAX and XGBoost are given for the first node, whatever jobs are really called."""
        return f"{self.name}-{NODE}-0-0.{self.name}"


@dataclass(slots=True)
class PodSet:
    """The Pods of one job of the template."""

    name: str
    ancestor: str
    """The value of the ancestor label on the Job template, empty without one."""
    count: int
    count_origin: Origin
    job: JsonObject
    requests: Amounts = field(default_factory=dict)
    """What one Pod requests; known only where a PodGroup needs it."""
    replicas: int = 1
    """The replicas that endpoints are counted for, which are the template's even where one is forced later."""
    processes: int | str | None = None
    """The processes that the framework is told to start in each Pod; None where the Trainer says nothing."""

    @property
    def pod_template(self) -> JsonObject:
        """The Pod template."""
        return object_at(self.job, "template", "spec", "template")

    @property
    def pod(self) -> JsonObject:
        """The Pod's spec."""
        return object_at(self.job, "template", "spec", "template", "spec")

    def containers(self, name: str | None = None, *, init: bool = False) -> list[JsonObject]:
        """The containers called ``name`` (all without a name), regular or init."""
        items = list_at(self.pod, "initContainers" if init else "containers")
        return [item for item in items if isinstance(item, dict) and name in (None, item.get("name"))]

    def container(self, name: str) -> JsonObject | None:
        """The first container of that name, regular ones before init containers."""
        found = self.containers(name) or self.containers(name, init=True)
        return found[0] if found else None

    def endpoints(self, job: TrainJob, subdomain: str) -> Iterator[str]:
        """The host names of the Pods, replica by replica."""
        for replica in range(self.replicas):
            for pod in range(self.count):
                yield f"{job.name}-{self.name}-{replica}-{pod}.{subdomain}"


@dataclass(slots=True)
class Draft:
    """A rendering under way."""

    job: TrainJob
    release: Release
    cluster: Cluster
    runtime: JsonObject
    spec: JsonObject
    """The JobSet's spec, made from the patched template."""
    labels: JsonObject
    annotations: JsonObject
    trace: Trace
    secrets: SecretData
    pod_sets: list[PodSet] = field(default_factory=list)
    command: JsonObject = field(default_factory=dict)
    """``command`` and ``args`` of the trainer as plugins have rewritten them; the TrainJob itself stays as it is."""
    pod_labels: dict[str, str] = field(default_factory=dict)
    pod_annotations: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def rendering(self) -> Rendering:
        """The release's behaviours in rendering."""
        return self.release.rendering

    @property
    def behaviours(self) -> Behaviours:
        """The release's behaviours in general."""
        return self.release.behaviours

    @property
    def ml_policy(self) -> JsonObject | None:
        """The runtime's ML policy."""
        return _section(self.runtime, "mlPolicy")

    @property
    def pod_group_policy(self) -> JsonObject | None:
        """The runtime's Pod group policy."""
        return _section(self.runtime, "podGroupPolicy")

    def policy(self, name: str) -> JsonObject | None:
        """The source of the ML policy called ``name`` (``torch``), None when it is not set."""
        found = (self.ml_policy or {}).get(name)
        return found if isinstance(found, dict) else None

    def gang(self, name: str) -> JsonObject | None:
        """The source of the Pod group policy called ``name`` (``volcano``), None when it is not set."""
        found = (self.pod_group_policy or {}).get(name)
        return found if isinstance(found, dict) else None

    @property
    def launcher_is_node(self) -> bool:
        """True when the MPI policy counts the launcher among the nodes."""
        return (self.policy("mpi") or {}).get("runLauncherAsNode") is True

    @property
    def subdomain(self) -> str:
        """The subdomain of the Pods' host names."""
        return text_at(self.spec, "network", "subdomain") or self.job.name

    def trainer_set(self) -> PodSet | None:
        """The first Pod set that is labelled as trainer."""
        return next((pods for pods in self.pod_sets if pods.ancestor == TRAINER), None)

    def named_set(self, name: str) -> PodSet | None:
        """The first Pod set of that name."""
        return next((pods for pods in self.pod_sets if pods.name == name), None)

    def trainer_container(self) -> JsonObject | None:
        """The container ``node`` of the trainer's Pods, regular ones only."""
        pods = self.trainer_set()
        found = pods.containers(NODE) if pods else []
        return found[0] if found else None

    def node_resources(self) -> JsonObject:
        """The resources that processes are counted by: the TrainJob's alone if it has any, else the runtime's.

        NB: not what the container gets, which is both merged.
        """
        given = self.job.trainer_field("resourcesPerNode")
        if isinstance(given, dict):
            return given
        for pods in self.pod_sets:
            if pods.name == NODE or pods.ancestor == TRAINER:
                for container in pods.containers(NODE):
                    return object_at(container, "resources")
        return {}

    def add(self, owner: JsonObject, key: str, item: JsonObject, origin: Origin) -> None:
        """Upsert ``item`` into the list ``owner[key]`` of a container or Pod."""
        items = owner.get(key)
        if not isinstance(items, list):
            items = owner[key] = []
        old = upsert(items, item, MATCHES[key])  # type: ignore[arg-type]  # every list that has a match holds objects
        self.trace.whole(item, origin)
        if old is not None:
            self.trace.supersede(item, old)

    def put(self, owner: JsonObject, key: str, value: JsonValue, origin: Origin) -> None:
        """Set a field."""
        if key in owner:
            self.trace.supersede_field(owner, key, Superseded(owner[key], self.trace.find(owner, (key,))))
        owner[key] = value
        self.trace.field(owner, key, origin)

    def from_job(self, *path: str | int) -> Origin:
        """The origin of what the TrainJob has at ``path`` below ``spec``."""
        return self.trace.find(self.job.spec, path)

    def from_runtime(self, *path: str | int) -> Origin:
        """The origin of what the runtime has at ``path`` below ``spec``."""
        return self.trace.find(self.runtime, ("spec", *path))

    def note(self, text: str) -> None:
        """Tell the user something that cannot be seen in the objects."""
        if text not in self.notes:
            self.notes.append(text)


def plugin_origin(name: str, *source: str | int) -> Origin:
    """What the plugin ``name`` made, from the field of the TrainJob at ``source`` if there is one."""
    return Origin("plugin", source, name)


def _section(runtime: JsonObject, name: str) -> JsonObject | None:
    found = value_at(runtime, "spec", name)
    return found if isinstance(found, dict) else None
