"""The kinds that Trainer serves."""

from trainergen.api.resource import Resource
from trainergen.api.runtime import ClusterTrainingRuntime, TrainingRuntime
from trainergen.api.trainjob import TrainJob

KINDS: tuple[type[Resource], ...] = (TrainJob, TrainingRuntime, ClusterTrainingRuntime)
