"""A runtime or a TrainJob from choices that are called like the keys of a specification."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from trainergen.api.access import object_at, text_at
from trainergen.errors import TrainergenError
from trainergen.generate.facts import facts_of
from trainergen.generate.faults import Faults, SpecError
from trainergen.generate.jobs import JOB_LABEL, build_jobs
from trainergen.generate.names import KEY_LABEL
from trainergen.generate.pods import TRAINER, pod_templates
from trainergen.generate.runtimes import FRAMEWORK, BuiltRuntime, build_runtime
from trainergen.generate.setting import Setting
from trainergen.generate.sizes import resources_of
from trainergen.generate.spec import EnvironmentSpec, JobSpec, RuntimeSpec, Spec
from trainergen.source.configfaults import FAULT

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from trainergen.finding import JsonObject, Path

Model = TypeVar("Model", bound=BaseModel)
Choices = Mapping[str, object]
_ONE = "one"
_GPU = "nvidia.com/gpu"
_LAUNCHED_NODES = 2
"""An MPI runtime always has a node beside its launcher."""


class Where(NamedTuple):
    """Where the object goes. Without a namespace it has none; ``queue`` is a LocalQueue of Kueue."""

    release: str
    namespace: str = ""
    queue: str = ""


def new_runtime(name: str, choices: Choices, where: Where) -> JsonObject:
    """A TrainingRuntime, or with ``scope: cluster`` a ClusterTrainingRuntime, called ``name``.

    SpecError and TrainergenError say which choice is wrong, by the option of its name.
    """
    setting = _setting(where)
    built = build_runtime(setting, _ONE, _chosen(RuntimeSpec, choices))
    _settle(setting)
    assert built is not None
    _check_torchtune(name, built)
    return _called(built.object, name, where)


def new_train_job(name: str, choices: Choices, where: Where, runtime: JsonObject) -> JsonObject:
    """A TrainJob called ``name`` on ``runtime``, which is there already; errors as for a runtime."""
    setting = _setting(where)
    spec = _chosen(JobSpec, {**choices, "runtime": _ONE})
    (built,) = build_jobs(setting, _ONE, spec, _existing(runtime, where))
    _settle(setting)
    return _called(built.object, name, where)


def starts_by_itself(runtime: JsonObject) -> bool:
    """Whether the nodes of a runtime have something to run although a TrainJob names no command."""
    return text_at(runtime, "metadata", "labels", FRAMEWORK) == "torchtune"


def image_of(runtime: JsonObject) -> str:
    """The training image of a runtime."""
    found = (each.training_container for each in pod_templates(runtime) if each.step == TRAINER)
    return next((text_at(container, "image") for container in found if container is not None), "")


def _setting(where: Where) -> Setting:
    environment = EnvironmentSpec.model_validate(
        {"namespace": where.namespace or "default"} | ({"queue": where.queue} if where.queue else {})
    )
    spec = Spec(name=_ONE, environments={_ONE: environment})
    return Setting(spec, _ONE, environment, facts_of(where.release), Faults(), FilePath())


def _chosen(model: type[Model], choices: Choices) -> Model:
    try:
        return model.model_validate(dict(choices), by_alias=True, by_name=False)
    except ValidationError as error:
        faults = [_told(each) for each in error.errors(include_url=False)]
        raise TrainergenError(
            "\n".join(message for message, _ in faults), hint=" ".join(dict.fromkeys(help_ for _, help_ in faults))
        ) from error


def _told(error: ErrorDetails) -> tuple[str, str]:
    where = option(error["loc"])
    if error["type"] == FAULT:
        context = error.get("ctx", {})
        return f"{where}: {context.get('text', error['msg'])}", str(context.get("help", ""))
    seen = f" is '{error['input']}'" if isinstance(error["input"], str | int | float) else ""
    return f"{where}{seen}: {error['msg'][:1].lower()}{error['msg'][1:]}", "Correct the option."


def option(path: Path) -> str:
    """The option that a key of the specification comes from."""
    words = [str(step) for step in path if step not in ("jobs", "runtimes", "environments", _ONE)]
    return f"--{words[0]}" if words else "the choices"


def _settle(setting: Setting) -> None:
    if setting.faults:
        raise SpecError(setting.faults.found, option)


def _existing(runtime: JsonObject, where: Where) -> BuiltRuntime:
    """A runtime that somebody else wrote, as a job sees it."""
    templates = pod_templates(copy.deepcopy(runtime))
    trainer = next((each for each in templates if each.step == TRAINER), None)
    name = text_at(runtime, "metadata", "name")
    if trainer is None:
        raise TrainergenError(
            f"--runtime: '{name}' has no job with the label of the step 'trainer', so no TrainJob can run on it",
            hint="Label one of its replicated jobs, or choose another runtime.",
        )
    container = trainer.training_container or {}
    policy = object_at(runtime, "spec", "mlPolicy")
    written, least = policy.get("numNodes"), _LAUNCHED_NODES if "mpi" in policy else 1
    return BuiltRuntime(
        object=runtime,
        spec=RuntimeSpec.model_validate({"from": name, "gpu-resource": _GPU}),
        nodes=max(written if isinstance(written, int) else 1, least),
        least_nodes=least,
        resources=resources_of(object_at(container, "resources")),
        templates=tuple(templates),
        queued=bool(where.queue),
    )


def _called(value: JsonObject, name: str, where: Where) -> JsonObject:
    metadata = {**object_at(value, "metadata"), "name": name}
    # A tree tells objects by these labels; by itself an object needs none.
    labels = {key: each for key, each in object_at(metadata, "labels").items() if key not in (JOB_LABEL, KEY_LABEL)}
    metadata["labels"] = labels
    if not labels:
        del metadata["labels"]
    if not where.namespace:
        metadata.pop("namespace", None)
    return {**value, "metadata": metadata}


def _check_torchtune(name: str, built: BuiltRuntime) -> None:
    model = built.name.partition("-")[2]
    if starts_by_itself(built.object) and not (name.endswith(f"-{model}") and name.count("-") == model.count("-") + 1):
        raise TrainergenError(
            f"'{name}' does not say the model, which the Trainer reads off the last two of three parts of the name",
            hint=f"Call it for example '{name.replace('-', '.')}-{model}'.",
        )
