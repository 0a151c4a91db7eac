"""What the checks of the TrainJob webhook look at, and what they answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trainergen.api.access import list_at, object_at, text_at, value_at
from trainergen.finding import Finding, NotEvaluated

if TYPE_CHECKING:
    from trainergen.admission.cluster import Cluster
    from trainergen.api.patched import PatchedTemplate
    from trainergen.api.structural import StructuralSchemas
    from trainergen.finding import JsonObject
    from trainergen.releases import Behaviours

ANCESTOR_LABEL = "trainer.kubeflow.org/trainjob-ancestor-step"
SUPPORT_LABEL = "trainer.kubeflow.org/support"
TRAINER_ANCESTOR = "trainer"
NODE = "node"
LAUNCHER = "launcher"
DATASET_INITIALIZER = "dataset-initializer"
MODEL_INITIALIZER = "model-initializer"


class Request(NamedTuple):
    """A TrainJob on its way into the cluster, decoded, defaulted and mutated; ``old`` on an update."""

    job: JsonObject
    old: JsonObject | None
    behaviours: Behaviours
    schemas: StructuralSchemas
    cluster: Cluster

    @property
    def trainer(self) -> JsonObject | None:
        """``spec.trainer``; None if absent, which is not the same as empty."""
        trainer = value_at(self.job, "spec", "trainer")
        return trainer if isinstance(trainer, dict) else None


class Review(NamedTuple):
    """A request with its runtime, which the plugins of the runtime check."""

    request: Request
    runtime: JsonObject
    """The live runtime, defaulted."""
    template: PatchedTemplate
    """Its template with the TrainJob's overrides."""

    @property
    def jobs(self) -> list[JsonObject]:
        """The jobs of the patched template."""
        return [object_at(job) for job in list_at(self.template.spec, "replicatedJobs")]

    def policy(self, plugin: str, *steps: str) -> JsonObject | None:
        """The runtime's policy at ``spec`` and ``steps``, None if it is absent or the release has no such plugin."""
        found = value_at(self.runtime, "spec", *steps)
        return found if isinstance(found, dict) and plugin in self.request.behaviours.plugins else None


Outcome: TypeAlias = Finding | NotEvaluated
Outcomes: TypeAlias = Iterator[Outcome]
RequestCheck: TypeAlias = Callable[[Request], Outcomes]
ReviewCheck: TypeAlias = Callable[[Review], Outcomes]


def pod_spec(job: JsonObject) -> JsonObject:
    """The Pod spec of a replicated job."""
    return object_at(job, "template", "spec", "template", "spec")


def containers(job: JsonObject, field: str = "containers") -> list[JsonObject]:
    """The containers of a replicated job; ``field`` may be ``initContainers``."""
    return [object_at(container) for container in list_at(pod_spec(job), field)]


def ancestor(job: JsonObject) -> str:
    """Which section of a TrainJob configures a replicated job, by its label."""
    return text_at(job, "template", "metadata", "labels", ANCESTOR_LABEL)


def named(items: list[JsonObject], name: str) -> list[JsonObject]:
    """Those of ``items`` that are called ``name``."""
    return [item for item in items if item.get("name") == name]
