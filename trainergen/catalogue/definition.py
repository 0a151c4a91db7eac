"""What a shipped runtime and a recipe are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainergen.api.structural import load
from trainergen.releases import RELEASES, Lifespan

if TYPE_CHECKING:
    from trainergen.api import ClusterTrainingRuntime, TrainJob
    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonObject


FOREVER = Lifespan()
BULKY = ("replicatedJobs", "template")
"""What is written last of an object, so that the short fields beside it are seen."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """A runtime that releases ship, defined once for all of them."""

    about: str
    """What it is for, and what a TrainJob has to know about it."""
    source: str
    """The file in kubeflow/trainer."""
    runtime: Callable[[str], ClusterTrainingRuntime]
    """The runtime in a release. It may have fields that some release lacks: those have a lifespan in the model."""
    lifespan: Lifespan = FOREVER
    installed: bool = True
    """False for an example, which no installation of Trainer brings along."""

    def at(self, release: str) -> JsonObject:
        """The runtime as the release called ``release`` ships it."""
        schemas = load(release)
        runtime = self.runtime(release)
        value = runtime.to_dict()
        node = schemas.kinds[runtime.kind].schema["properties"]["spec"]
        fitted: JsonObject = arranged(value | {"spec": _fitted(value["spec"], node, schemas)})
        return fitted


@dataclass(frozen=True, slots=True)
class Recipe:
    """A hardened runtime of our own, and a TrainJob that works on it."""

    use: str
    """When to take it."""
    change: tuple[str, ...]
    """What to change, one sentence or two for each."""
    lifespan: Lifespan
    """The releases that accept it as it is and add nothing to it."""
    runtime: ClusterTrainingRuntime
    job: TrainJob

    @property
    def name(self) -> str:
        """The name of the runtime."""
        return self.runtime.metadata.name or ""

    @property
    def releases(self) -> list[str]:
        """The names of the releases that it is for."""
        return [release.name for release in RELEASES if self.lifespan.covers(release.name)]


def arranged(value: Any) -> Any:
    """``value`` in the order in which it is written: the bulky field of each object last."""
    if isinstance(value, dict):
        inner = {key: arranged(item) for key, item in value.items()}
        return inner | {key: inner.pop(key) for key in BULKY if key in inner}
    return [arranged(item) for item in value] if isinstance(value, list) else value


def _fitted(value: Any, node: Schema, schemas: StructuralSchemas) -> Any:
    """``value`` without the fields that the release lacks."""
    schema = schemas.resolve(node)
    if isinstance(value, dict) and "additionalProperties" not in schema:
        known = schema.get("properties", {})
        return {key: _fitted(item, known[key], schemas) for key, item in value.items() if key in known}
    if isinstance(value, list):
        return [_fitted(item, schema["items"], schemas) for item in value]
    return value
