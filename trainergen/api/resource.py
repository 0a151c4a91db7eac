"""What the three kinds share: identity, metadata, and reading and writing of whole manifests."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, Self

from trainergen.api.fields import optional, shape
from trainergen.api.kubernetes import ObjectMeta
from trainergen.api.model import Model
from trainergen.errors import TrainergenError
from trainergen.releases import RELEASES, get_release


@dataclass(frozen=True, slots=True)
class PrinterColumn:
    """A column of ``kubectl get``."""

    name: str
    type: str
    path: str


@dataclass(frozen=True, slots=True)
class ResourceInfo:
    """How the API server serves a kind."""

    kind: str
    plural: str
    scope: Literal["Namespaced", "Cluster"]
    status: bool = False
    columns: tuple[PrinterColumn, ...] = ()


class Resource(Model):
    """A whole object: apiVersion, kind, metadata and what its kind adds."""

    resource: ClassVar[ResourceInfo]

    api_version: Annotated[Literal["trainer.kubeflow.org/v1alpha1"], shape({"type": "string"})] = (
        "trainer.kubeflow.org/v1alpha1"
    )
    """``trainer.kubeflow.org/v1alpha1``."""
    kind: Annotated[str, shape({"type": "string"})]
    """Kind of the object."""
    metadata: Annotated[ObjectMeta, shape({"type": "object"}), optional()]
    """Name, namespace, labels and annotations."""

    def to_yaml(self) -> str:
        """The object as a YAML document, strings quoted where a reader would take them for something else."""
        from trainergen.api.yamltext import to_yaml

        return to_yaml(self.to_dict())

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """The object in ``text``, which holds one document; pydantic.ValidationError tells what does not fit the class.

        Scalars are read as the API server reads them. Text that is not one YAML document raises TrainergenError.
        """
        from trainergen.api.yamltext import from_yaml

        return cls.model_validate(from_yaml(text), by_alias=True, by_name=False)

    def validate_for(self, release: str) -> Self:
        """The object itself, if the schemas of the release called ``release`` accept it.

        Otherwise TrainergenError lists everything they do not accept, with the releases that have a missing field.
        """
        from trainergen.api.conform import Conformance

        name, kind, value = get_release(release).name, self.resource.kind, self.to_dict()
        misfits = list(Conformance(name, kind).misfits(value))
        if misfits:
            listing = "\n".join(f"  {misfit}" for misfit in misfits)
            others = [item.name for item in RELEASES if not any(Conformance(item.name, kind).misfits(value))]
            fitting = f"it fits {' and '.join(others)}" if others else "no supported release accepts all of it"
            raise TrainergenError(
                f"{kind} '{self.metadata.name or ''}' does not fit Trainer {name}:\n{listing}",
                hint=f"Change these fields; {fitting}.",
            )
        return self
