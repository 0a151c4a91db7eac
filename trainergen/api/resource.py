"""What the three kinds share: identity, metadata, and reading and writing of whole manifests."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from trainergen.api.fields import optional, shape
from trainergen.api.kubernetes import ObjectMeta
from trainergen.api.model import Model


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
