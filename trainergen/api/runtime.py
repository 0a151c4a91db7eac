"""TrainingRuntime and ClusterTrainingRuntime: blueprints that platform teams keep and TrainJobs name."""

from typing import Annotated, ClassVar, Literal

from trainergen.api.fields import min_properties, required, shape
from trainergen.api.jobset import JobSetTemplateSpec
from trainergen.api.mlpolicy import MLPolicy, PodGroupPolicy
from trainergen.api.model import Model
from trainergen.api.resource import Resource, ResourceInfo


class TrainingRuntimeSpec(Model):
    """What a TrainJob becomes on this runtime."""

    ml_policy: MLPolicy | None = None
    """Number of nodes and the framework that is set up on them."""
    pod_group_policy: PodGroupPolicy | None = None
    """Which scheduler starts the pods all together; none if not given."""
    template: Annotated[JobSetTemplateSpec | None, required(until="2.0"), min_properties(1, since="2.1")] = None
    """Template of the JobSet."""


RuntimeSpec = Annotated[TrainingRuntimeSpec | None, min_properties(1, since="2.1")]


class TrainingRuntime(Resource):
    """A blueprint of training jobs for the TrainJobs of one namespace."""

    resource: ClassVar[ResourceInfo] = ResourceInfo("TrainingRuntime", "trainingruntimes", "Namespaced")

    kind: Annotated[Literal["TrainingRuntime"], shape({"type": "string"})] = "TrainingRuntime"
    """``TrainingRuntime``."""
    spec: RuntimeSpec = None
    """What a TrainJob becomes on this runtime."""


class ClusterTrainingRuntime(Resource):
    """A blueprint of training jobs for the TrainJobs of all namespaces."""

    resource: ClassVar[ResourceInfo] = ResourceInfo("ClusterTrainingRuntime", "clustertrainingruntimes", "Cluster")

    kind: Annotated[Literal["ClusterTrainingRuntime"], shape({"type": "string"})] = "ClusterTrainingRuntime"
    """``ClusterTrainingRuntime``."""
    spec: RuntimeSpec = None
    """What a TrainJob becomes on this runtime."""
