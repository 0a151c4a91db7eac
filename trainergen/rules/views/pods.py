"""The Pods of a rendered job: one set for each replicated job, with the effective settings of its containers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.quantity import Quantity, QuantityError, parse_quantity
from trainergen.rules.lazily import lazily
from trainergen.rules.part import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonValue, Path
    from trainergen.rules.part import Root

ANCESTOR_LABEL = "trainer.kubeflow.org/trainjob-ancestor-step"
_TEMPLATE = ("template", "spec", "template")


class Pods(Part):
    """All Pods of one replicated job of the rendered JobSet; as a ``Part`` it is the replicated job."""

    @lazily
    def name(self) -> str:
        """The replicated job's name."""
        return self.text("name")

    @property
    def words(self) -> str:
        """How messages call it."""
        return f"job '{self.name}'"

    @lazily
    def ancestor(self) -> str:
        """The step it stands for: ``trainer``, ``dataset-initializer``, ``model-initializer``, or empty."""
        return self.text("template.metadata.labels", ANCESTOR_LABEL)

    @property
    def replicas(self) -> int:
        """How many Jobs there are of it."""
        found = self.integer("replicas")
        return 1 if found is None else found

    @lazily
    def parallelism(self) -> int:
        """How many Pods each of its Jobs runs at once; the number of nodes for the trainer."""
        found = self.integer("template.spec.parallelism")
        return 1 if found is None else found

    @property
    def count(self) -> int:
        """How many Pods there are in all."""
        return self.replicas * self.parallelism

    @lazily
    def template(self) -> Part:
        """The Pod template: its metadata and spec."""
        return self.part("", *_TEMPLATE)

    @lazily
    def spec(self) -> Part:
        """The spec of each Pod."""
        return self.part("", *_TEMPLATE, "spec")

    @lazily
    def containers(self) -> list[Container]:
        """The containers, without the init containers."""
        return list(self._containers("containers"))

    @lazily
    def init_containers(self) -> list[Container]:
        """The init containers."""
        return list(self._containers("initContainers"))

    @property
    def all_containers(self) -> list[Container]:
        """Init containers, then containers."""
        return [*self.init_containers, *self.containers]

    def container(self, name: str) -> Container | None:
        """The container of that name, init containers left out."""
        return next((one for one in self.containers if one.name == name), None)

    def _containers(self, key: str) -> Iterator[Container]:
        steps = (*_TEMPLATE, "spec", key)
        for index, value in enumerate(self.values("", *steps)):
            if isinstance(value, dict):
                yield Container(value, self.root, (*self.path, *steps, index), self)


class Container(Part):
    """One container of a Pod as it will run."""

    def __init__(self, value: JsonValue, root: Root, path: Path, pods: Pods) -> None:
        super().__init__(value, root, path)
        self.pods = pods

    @lazily
    def name(self) -> str:
        """The container's name."""
        return self.text("name")

    @property
    def words(self) -> str:
        """How messages call it."""
        return f"container '{self.name}' of {self.pods.words}"

    @property
    def image(self) -> str:
        """The image."""
        return self.text("image")

    @lazily
    def command(self) -> list[str]:
        """The command, empty when the image's own is used."""
        return self.texts("command")

    @lazily
    def args(self) -> list[str]:
        """The arguments."""
        return self.texts("args")

    @lazily
    def env(self) -> dict[str, Part]:
        """The variables by name, each its entry of the list; of equal names the last counts, as in the kubelet."""
        return {part.text("name"): part for part in self.parts("env")}

    def variable(self, name: str) -> str | None:
        """The literal value of a variable, None when it is not set or comes from elsewhere."""
        entry = self.env.get(name)
        if entry is None or entry.has("valueFrom"):
            return None
        return entry.text("value")

    @lazily
    def limits(self) -> dict[str, Quantity]:
        """The limits; what is no quantity is left out."""
        return dict(self._amounts("limits"))

    @lazily
    def requests(self) -> dict[str, Quantity]:
        """The requests as the API server completes them: a limit without request is one too."""
        return {**self.limits, **dict(self._amounts("requests"))}

    def _amounts(self, half: str) -> Iterator[tuple[str, Quantity]]:
        for name, value in self.mapping("resources", half).items():
            try:
                yield name, parse_quantity(value)
            except QuantityError:
                continue

    @lazily
    def devices(self) -> dict[str, int]:
        """The extended resources that one Pod gets (``nvidia.com/gpu``), as whole numbers."""
        return {name: amount.ceil() for name, amount in self.requests.items() if is_extended(name)}


def is_extended(resource: str) -> bool:
    """Whether a resource is one of a device plugin, which cannot be overcommitted."""
    domain, slash, _ = resource.partition("/")
    return bool(slash) and not domain.endswith("kubernetes.io") and not resource.startswith("requests.")
