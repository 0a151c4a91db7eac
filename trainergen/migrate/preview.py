"""The preview of the API, ``kubeflow.org/v2alpha1``, which Training Operator 1.9.0 to 1.9.2 shipped."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.structural import API_VERSION, GROUP
from trainergen.migrate import catalogue as c
from trainergen.migrate.placing import ANCESTOR, MANAGER
from trainergen.migrate.pods import NODE

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.migrate.work import Say

PREVIEW = "kubeflow.org/v2alpha1"
KINDS = frozenset({"TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"})
_JOBS = {"trainer-node": NODE}
_CONTAINERS = {"trainer": NODE}
_SERVER = ("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink")
_OVERRIDE = frozenset({"volumes", "serviceAccountName", "nodeSelector", "tolerations"})


def is_preview(obj: JsonObject) -> bool:
    """True for an object of the preview."""
    return text_at(obj, "apiVersion") == PREVIEW and text_at(obj, "kind") in KINDS


def migrate_preview(work: Say, obj: JsonObject) -> list[JsonObject]:
    """The object in the API that came of the preview."""
    kind = text_at(obj, "kind")
    work.say(
        c.PREVIEW,
        ("apiVersion",),
        f"{PREVIEW} {kind} is rewritten to {API_VERSION}; the preview was never released",
        remedy="Check the result by hand, and accept it with --accept preview-api.",
    )
    out = deepcopy(obj)
    out["apiVersion"] = API_VERSION
    work.ledger.default(("apiVersion",))
    for key in _SERVER:
        object_at(out, "metadata").pop(key, None)
        work.ledger.default(("metadata", key))
    out.pop("status", None)
    work.ledger.default(("status",))
    for key in ("kind", "metadata", "spec"):
        work.ledger.mapped((key,), kind, (key,))
    spec = object_at(out, "spec")
    if kind == "TrainJob":
        _train_job(work, spec)
    else:
        _runtime(work, spec)
    return [out]


def _lost(work: Say, path: Path, message: str, remedy: str) -> None:
    work.ledger.unmap(path)
    work.say(c.NOT_CARRIED, path, message, remedy=remedy)


def _train_job(work: Say, spec: JsonObject) -> None:
    reference = object_at(spec, "runtimeRef")
    if reference.get("apiGroup") == "kubeflow.org":
        reference["apiGroup"] = GROUP
    trainer = object_at(spec, "trainer")
    processes = text_at(trainer, "numProcPerNode")
    if processes.isdecimal():
        trainer["numProcPerNode"] = int(processes)
    elif processes:
        del trainer["numProcPerNode"]
        where = ("spec", "trainer", "numProcPerNode")
        _lost(work, where, f"numProcPerNode '{processes}' is dropped: it is a number now", "Leave it out, or set one.")
    _initializers(work, spec)
    patch: JsonObject = {key: spec.pop(key) for key in ("labels", "annotations") if key in spec}
    if patch and not work.target.by_manager:
        spec.update(patch)
        patch = {}
    jobs = _overrides(work, spec)
    _patches(work, spec, patch, jobs)


def _initializers(work: Say, spec: JsonObject) -> None:
    initializer: JsonObject = {}
    for old, new in (("datasetConfig", "dataset"), ("modelConfig", "model")):
        config = spec.pop(old, None)
        if not isinstance(config, dict):
            continue
        chosen: JsonValue = config if old == "datasetConfig" else config.get("input")
        where: Path = ("spec", old) if old == "datasetConfig" else ("spec", old, "input")
        if chosen is not None:
            initializer[new] = chosen
            work.ledger.mapped(where, "TrainJob", ("spec", "initializer", new))
        if "output" in config and old == "modelConfig":
            _lost(work, ("spec", old, "output"), "modelConfig.output is dropped: nothing exports models", "Export it.")
    if initializer:
        spec["initializer"] = initializer


def _overrides(work: Say, spec: JsonObject) -> list[tuple[list[str], JsonObject]]:
    """The jobs and Pod fields of each override."""
    found: list[tuple[list[str], JsonObject]] = []
    for at, override in enumerate(list_at({"all": spec.pop("podSpecOverrides", None)}, "all")):
        names = [_JOBS.get(text_at(each, "name"), text_at(each, "name")) for each in list_at(override, "targetJobs")]
        pod = {
            key: value for key, value in object_at({"o": override}, "o").items() if key in _OVERRIDE - {"targetJobs"}
        }
        for key in ("containers", "initContainers"):
            items: list[JsonValue] = []
            for number, each in enumerate(list_at(override, key)):
                container = _container(work, each, ("spec", "podSpecOverrides", at, key, number))
                _to_trainer(spec, container)
                if len(container) > 1:
                    items.append(container)
            if items:
                pod[key] = items
        found.append((names, pod))
    return found


def _to_trainer(spec: JsonObject, container: JsonObject) -> None:
    """Variables of the training container are the TrainJob's own; the webhook refuses them in a patch."""
    env = list_at(container, "env")
    if container.get("name") == NODE and env:
        trainer = object_at(spec, "trainer")
        spec["trainer"] = {**trainer, "env": [*list_at(trainer, "env"), *env]}
        del container["env"]


def _container(work: Say, value: JsonValue, where: Path) -> JsonObject:
    container = dict(value) if isinstance(value, dict) else {}
    container["name"] = _CONTAINERS.get(text_at(container, "name"), container.get("name"))
    for key in ("command", "args", "envFrom"):
        if container.pop(key, None) is not None:
            _lost(
                work, (*where, key), f"{key} of an override is dropped: patches cannot set it", "Put it into a runtime."
            )
    return container


def _patches(work: Say, spec: JsonObject, metadata: JsonObject, jobs: list[tuple[list[str], JsonObject]]) -> None:
    field = work.target.overrides
    if not work.target.by_manager:
        if jobs:
            spec[field] = [{"targetJobs": [{"name": name} for name in names], "spec": pod} for names, pod in jobs]
        return
    template: JsonObject = {}
    if metadata:
        template["metadata"] = metadata
    replicated: list[JsonValue] = [
        {"name": name, "template": {"spec": {"template": {"spec": pod}}}} for names, pod in jobs for name in names
    ]
    if replicated:
        template["spec"] = {"replicatedJobs": replicated}
    if template:
        spec[field] = [{"manager": MANAGER, "trainingRuntimeSpec": {"template": template}}]


def _runtime(work: Say, spec: JsonObject) -> None:
    torch = object_at(spec, "mlPolicy", "torch")
    for key in ("numProcPerNode", "elasticPolicy"):
        if key in torch:
            value = torch.pop(key)
            where = ("spec", "mlPolicy", "torch", key)
            _lost(work, where, f"{key} of the Torch policy ({value}) is dropped", "Set numProcPerNode in TrainJobs.")
    for job in list_at(spec, "template", "spec", "replicatedJobs"):
        if not isinstance(job, dict):
            continue
        name = text_at(job, "name")
        if name not in _JOBS:
            continue
        job["name"] = _JOBS[name]
        template = object_at(job, "template")
        labels = object_at(template, "metadata", "labels")
        template["metadata"] = {
            **object_at(template, "metadata"),
            "labels": {**labels, **object_at(ANCESTOR, "labels")},
        }
        for container in list_at(template, "spec", "template", "spec", "containers"):
            if isinstance(container, dict) and text_at(container, "name") in _CONTAINERS:
                container["name"] = NODE
