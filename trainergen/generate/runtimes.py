"""Runtimes of an environment, from what the release ships or from our recipes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.structural import API_VERSION
from trainergen.catalogue.definition import arranged
from trainergen.generate import fitting, gangs
from trainergen.generate.downloads import add_downloads
from trainergen.generate.hardening import harden
from trainergen.generate.names import KEY_LABEL, content_hash
from trainergen.generate.pods import pod_templates, trainer_of
from trainergen.generate.secrets import refuse_secrets
from trainergen.generate.sizes import Resources, scaled_count
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.generate.pods import PodTemplate
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import RuntimeSpec

_UNCHECKED = "trainer.kubeflow.org/webhook-validation"
FRAMEWORK = "trainer.kubeflow.org/framework"
_LAUNCHED_NODES = 2


@dataclass(frozen=True, slots=True)
class BuiltRuntime:
    """A runtime of an environment, and what jobs on it have to know."""

    object: JsonObject
    spec: RuntimeSpec
    nodes: int
    resources: Resources
    """What a node has here."""
    templates: tuple[PodTemplate, ...]
    queued: bool
    """Whether its jobs go to the queue of the environment."""
    least_nodes: int = 1
    """Fewer nodes are not what they say: an MPI runtime always has a node beside its launcher."""

    @property
    def kind(self) -> str:
        """TrainingRuntime or ClusterTrainingRuntime."""
        return str(self.object["kind"])

    @property
    def name(self) -> str:
        """The name of the object."""
        return text_at(self.object, "metadata", "name")

    @property
    def framework(self) -> str:
        """What it trains with, such as torch."""
        return text_at(self.object, "metadata", "labels", FRAMEWORK)

    @property
    def command(self) -> list[str]:
        """What its training container runs, or starts the arguments of a job with; often nothing."""
        return [str(word) for word in list_at(trainer_of(list(self.templates)).training_container, "command")]

    @property
    def steps(self) -> set[str]:
        """The parts of a TrainJob that it has jobs for."""
        return {template.step for template in self.templates}


def build_runtime(setting: Setting, key: str, spec: RuntimeSpec) -> BuiltRuntime | None:
    """The runtime called ``key`` in the environment; None, and a fault, when there is nothing to start from."""
    path: Path = ("runtimes", key)
    text = _base_text(spec.base, setting.facts.release)
    if text is None:
        known = _known(setting.facts.release)
        setting.faults.add(
            (*path, "from"),
            f"Trainer {setting.facts.release} has no runtime or recipe '{spec.base}'{did_you_mean(spec.base, known)}",
            f"Use one of {', '.join(known)}.",
        )
        return None
    base: JsonObject = json.loads(text)
    is_mpi = "mpi" in object_at(base, "spec", "mlPolicy")
    spec = setting.overridden(spec)
    refuse_secrets(setting.faults, spec, path)
    runtime = _own(setting, key, spec, base)
    if spec.downloads is not None:
        add_downloads(setting, spec.downloads, runtime, path=path)
    templates = pod_templates(runtime)
    fitting.complete(setting, spec, templates)
    fitting.restart(spec, runtime, templates)
    fitting.drop_old_fields(runtime)
    resources = fitting.size_nodes(setting, spec, templates)
    for template in templates:
        harden(template, spec.security, has_user=is_mpi)
    fitting.furnish(setting, spec, templates, path)
    gangs.schedule(setting, spec, runtime, templates, path=path)
    fitting.move_images(setting, templates)
    nodes = _nodes(setting, spec, runtime, is_mpi=is_mpi)
    object_at(runtime, "metadata")["name"] = _name(setting, key, spec, runtime)
    return BuiltRuntime(
        object=_ordered(runtime),
        spec=spec,
        nodes=nodes,
        least_nodes=_LAUNCHED_NODES if is_mpi else 1,
        resources=resources,
        templates=tuple(templates),
        queued=gangs.gang_of(setting, spec) == "kueue" and setting.environment.queue is not None,
    )


@cache
def _base_text(name: str, release: str) -> str | None:
    """The object to start from as JSON, which is the fastest way to have it as often as is wanted."""
    shipped = shipped_runtimes(release).get(name)
    if shipped is None:
        from trainergen.catalogue.recipes import RECIPES

        recipe = next((each for each in RECIPES if each.name == name and release in each.releases), None)
        if recipe is None:
            return None
        shipped = arranged(recipe.runtime.to_dict())
    return json.dumps(shipped)


def _known(release: str) -> list[str]:
    from trainergen.catalogue.recipes import RECIPES

    return sorted({*shipped_runtimes(release), *(each.name for each in RECIPES if release in each.releases)})


def _own(setting: Setting, key: str, spec: RuntimeSpec, base: JsonObject) -> JsonObject:
    """The base as an object of the team's, still without a name, and without what marks Trainer's own runtimes."""
    labels = object_at(base, "metadata", "labels")
    metadata: JsonObject = {"name": ""}
    if spec.scope == "namespace":
        metadata["namespace"] = setting.namespace
    metadata["labels"] = {name: value for name, value in labels.items() if name != _UNCHECKED} | {KEY_LABEL: key}
    kind = "TrainingRuntime" if spec.scope == "namespace" else "ClusterTrainingRuntime"
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": base["spec"]}


def _name(setting: Setting, key: str, spec: RuntimeSpec, runtime: JsonObject) -> str:
    """A name with the version, or a hash of what the runtime is: much of it cannot be changed once it exists.

    What runs keeps the runtime that it was started with, since another one has another name.
    """
    name = f"{setting.spec.name}-{key}-{spec.version or content_hash(runtime['spec'])}"
    if text_at(runtime, "metadata", "labels", FRAMEWORK) == "torchtune":
        # NB: the controller reads the model off the last two of three parts of the name.
        _, _, model = spec.base.partition("-")
        name = f"{name.replace('-', '.')}-{model}"
    return name


def _nodes(setting: Setting, spec: RuntimeSpec, runtime: JsonObject, *, is_mpi: bool) -> int:
    """The nodes of a job that does not say it."""
    policy = object_at(runtime, "spec", "mlPolicy")
    written = policy.get("numNodes")
    wanted = spec.nodes or (written if isinstance(written, int) else 1)
    nodes = max(scaled_count(wanted, setting.environment.size.nodes), _LAUNCHED_NODES if is_mpi else 1)
    # NB: under MPI this would be the number of launchers.
    policy["numNodes"] = 1 if is_mpi else nodes
    return nodes


def _ordered(runtime: JsonObject) -> JsonObject:
    """The object in the order in which it is written."""
    ordered: JsonObject = arranged(runtime)
    for template in pod_templates(ordered):
        template.spec["containers"] = template.spec.pop("containers")
    return ordered
