"""The kinds that Trainer serves, and all classes that they are made of."""

from typing import Any, get_args

from trainergen.api.model import Model
from trainergen.api.resource import Resource
from trainergen.api.runtime import ClusterTrainingRuntime, TrainingRuntime
from trainergen.api.trainjob import TrainJob

KINDS: tuple[type[Resource], ...] = (TrainJob, TrainingRuntime, ClusterTrainingRuntime)


def all_models(roots: tuple[type[Model], ...] = KINDS) -> list[type[Model]]:
    """The given classes and every class that their fields hold, each once."""
    found: list[type[Model]] = []
    wanted = list(roots)
    while wanted:
        model = wanted.pop()
        if model not in found:
            found.append(model)
            wanted.extend(held for info in model.model_fields.values() for held in _held(info.annotation))
    return found


def _held(annotation: Any) -> list[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return [annotation]
    return [model for argument in get_args(annotation) for model in _held(argument)]
