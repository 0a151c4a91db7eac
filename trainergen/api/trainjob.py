"""TrainJob: one training run on a runtime."""

from typing import Annotated, ClassVar, Literal

from trainergen.api.fields import (
    LIST_ATOMIC,
    Bool,
    Int32,
    Int64,
    IntOrString,
    Marker,
    Rule,
    default,
    immutable,
    lasts,
    list_map,
    max_items,
    max_length,
    min_length,
    min_properties,
    minimum,
    optional,
    shape,
)
from trainergen.api.kubernetes import EnvVar, LocalObjectReference, ResourceRequirements
from trainergen.api.model import Model
from trainergen.api.overrides import PodSpecOverride, PodTemplateOverride, RuntimePatch
from trainergen.api.resource import PrinterColumn, Resource, ResourceInfo
from trainergen.api.status import TrainJobStatus
from trainergen.releases import Lifespan

Argument = Annotated[str, max_length(65536, since="2.2", until="2.2"), max_length(1048576, since="2.3")]
Environment = Annotated[list[EnvVar] | None, list_map("name"), max_items(128, since="2.2")]


class RuntimeRef(Model):
    """The runtime that the TrainJob is based on."""

    name: Annotated[str, min_length(1, since="2.1"), max_length(253, since="2.2")]
    """Name of the runtime."""
    api_group: Annotated[str | None, default("trainer.kubeflow.org"), max_length(253, since="2.2")] = None
    """API group of the runtime; only Trainer's own is known."""
    kind: Annotated[str | None, default("ClusterTrainingRuntime"), max_length(253, since="2.2")] = None
    """``ClusterTrainingRuntime`` or, for one in the TrainJob's namespace, ``TrainingRuntime``."""


class Initialization(Model):
    """A download that has to finish before the training starts."""

    storage_uri: Annotated[
        str | None,
        max_length(2048, since="2.2"),
        Rule(
            "self == '' || self.matches('^[A-Za-z][A-Za-z0-9+.-]*://.+$')",
            "storageUri may be empty, or it must be a valid URI (scheme://...)",
            Lifespan(since="2.3"),
        ),
    ] = None
    """Where to download from, with a scheme (``hf://``, ``s3://``, ``pvc://``); handed over as ``STORAGE_URI``."""
    env: Environment = None
    """Variables of the initializer container, added to those of the runtime."""
    secret_ref: LocalObjectReference | None = None
    """Secret whose keys become variables of the initializer container, usually credentials."""


class Initializer(Model):
    """What is downloaded before the training starts."""

    dataset: Initialization | None = None
    """Data to train on."""
    model: Initialization | None = None
    """Pre-trained model to start from."""


class Trainer(Model):
    """The training containers: what they run, on how many nodes, with which resources."""

    image: Annotated[str | None, max_length(500, since="2.2")] = None
    """Image that replaces the runtime's."""
    command: Annotated[list[Argument] | None, LIST_ATOMIC, max_items(128, since="2.2")] = None
    """Entry point that replaces the runtime's."""
    args: Annotated[list[Argument] | None, LIST_ATOMIC, max_items(128, since="2.2")] = None
    """Arguments that replace the runtime's."""
    env: Environment = None
    """Variables added to those of the runtime; those that the framework's plugin sets itself are refused."""
    num_nodes: Int32 | None = None
    """Number of training nodes; the runtime's if not given."""
    resources_per_node: ResourceRequirements | None = None
    """Resources of the training container on each node."""
    num_proc_per_node: Annotated[
        IntOrString | None,
        shape({"type": "integer", "format": "int32"}, since="2.2"),
    ] = None
    """Training processes on each node; up to 2.1 also ``auto``, ``cpu`` or ``gpu``. Leave it out for ``auto``."""


class TrainJobSpec(Model):
    """What to train, on which runtime."""

    runtime_ref: Annotated[RuntimeRef, immutable("runtimeRef is immutable", until="2.1"), immutable(since="2.2")]
    """The runtime to train on."""
    initializer: Annotated[Initializer | None, immutable(since="2.2")] = None
    """What is downloaded before the training starts."""
    trainer: Annotated[Trainer | None, immutable(since="2.2")] = None
    """The training containers."""
    labels: Annotated[
        dict[str, str] | None, lasts(until="2.1", successor="runtimePatches[].trainingRuntimeSpec.template.metadata")
    ] = None
    """Labels of the JobSet."""
    annotations: Annotated[
        dict[str, str] | None, lasts(until="2.1", successor="runtimePatches[].trainingRuntimeSpec.template.metadata")
    ] = None
    """Annotations of the JobSet."""
    pod_spec_overrides: Annotated[
        list[PodSpecOverride] | None,
        LIST_ATOMIC,
        lasts(until="2.0", successor="podTemplateOverrides"),
    ] = None
    """Changes to pods of the runtime."""
    pod_template_overrides: Annotated[
        list[PodTemplateOverride] | None, LIST_ATOMIC, lasts(since="2.1", until="2.1", successor="runtimePatches")
    ] = None
    """Changes to pod templates of the runtime."""
    runtime_patches: Annotated[list[RuntimePatch] | None, list_map("manager"), max_items(16), lasts(since="2.2")] = None
    """Changes to the runtime for this TrainJob, by who makes them."""
    suspend: Annotated[Bool | None, default(False)] = None
    """Whether the training waits: nothing runs while it is true."""
    managed_by: Annotated[
        str | None,
        default("trainer.kubeflow.org/trainjob-controller"),
        max_length(253, since="2.2"),
        Rule(
            "self in ['trainer.kubeflow.org/trainjob-controller', 'kueue.x-k8s.io/multikueue']",
            "ManagedBy must be trainer.kubeflow.org/trainjob-controller or kueue.x-k8s.io/multikueue if set",
        ),
        immutable("ManagedBy value is immutable", until="2.1"),
        immutable(since="2.2"),
    ] = None
    """Controller that runs the TrainJob: Trainer's own, or Kueue's MultiKueue for a remote cluster."""
    active_deadline_seconds: Annotated[Int64 | None, minimum(1), immutable(), lasts(since="2.2")] = None
    """How long the training may take, counted from its start or last resumption, before it fails."""


class TrainJob(Resource):
    """One training run: which runtime, what to run on it, with what data and model."""

    resource: ClassVar[ResourceInfo] = ResourceInfo(
        "TrainJob",
        "trainjobs",
        "Namespaced",
        status=True,
        columns=(
            PrinterColumn("State", "string", ".status.conditions[-1:].type"),
            PrinterColumn("Age", "date", ".metadata.creationTimestamp"),
        ),
    )
    markers: ClassVar[tuple[Marker, ...]] = (
        Rule(
            "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
            "metadata.name must match RFC 1035 DNS label format",
            Lifespan(since="2.1"),
        ),
        Rule(
            "size(self.metadata.name) <= 63",
            "metadata.name must be no more than 63 characters",
            Lifespan(since="2.1"),
        ),
    )

    kind: Annotated[Literal["TrainJob"], shape({"type": "string"})] = "TrainJob"
    """``TrainJob``."""
    spec: Annotated[TrainJobSpec, optional()]
    """What to train, on which runtime."""
    status: Annotated[TrainJobStatus | None, min_properties(1, since="2.1")] = None
    """Observed state; written by the controllers."""
