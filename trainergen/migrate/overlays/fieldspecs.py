"""Configurations of kustomize's transformers: fields of legacy jobs, and where they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trainergen.admission.legacy.kinds import GROUP as LEGACY_GROUP
from trainergen.admission.legacy.kinds import KINDS
from trainergen.api.structural import GROUP
from trainergen.migrate.placing import JOB, RUNTIME

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.migrate.target import Target

_LEGACY: Final = {each.kind: each.replicas_key for each in KINDS.values()}
_IN_RUNTIME: Final = "spec/template/spec/replicatedJobs/template/spec/template"
_IN_PATCH: Final = "spec/runtimePatches/trainingRuntimeSpec/template/spec/replicatedJobs/template/spec/template"
"""Where a TrainJob changes the Pods of its runtime; other releases have another field."""
_IN_TRAINER: Final = {"image": "image", "command": "command", "args": "args", "env": "env"}
_RUN_POLICY: Final = {
    "suspend": "spec/suspend",
    "managedBy": "spec/managedBy",
    "activeDeadlineSeconds": "spec/activeDeadlineSeconds",
}
_SHORTEST: Final = 4
SPECS: Final = {JOB: ("spec",), "Experiment": ("spec", "trialTemplate", "trialSpec", "spec")}
"""Where kinds have the spec of a TrainJob."""
IMAGE: Final = "spec/trainer/image"
REFERENCE: Final = "spec/runtimeRef/name"


def needed(*, images: list[str], names: list[str]) -> JsonObject:
    """The configuration that lets ``images`` reach these kinds, and names of runtimes change with their references."""
    out: JsonObject = {}
    if images:
        out["images"] = [_spec(kind, "trainer", "image") for kind in images]
    if names:
        specs: list[JsonValue] = [_spec(kind, "runtimeRef", "name") for kind in names]
        out["nameReference"] = [{"group": GROUP, "kind": RUNTIME, "fieldSpecs": specs}]
    return out


def _spec(kind: str, *rest: str) -> JsonObject:
    """The specification of a field in the spec of the TrainJob that an object of a kind is or holds."""
    group = GROUP if kind == JOB else LEGACY_GROUP
    return {"path": "/".join([*SPECS[kind], *rest]), "group": group, "kind": kind}


def knows_images(configuration: JsonObject) -> bool:
    """Whether a configuration has the field of a TrainJob's image."""
    return any(IMAGE in _path(spec) for spec in _items(configuration.get("images")))


def knows_names(configuration: JsonObject) -> bool:
    """Whether a configuration has the field of a TrainJob that names its runtime."""
    inner = [spec for one in _items(configuration.get("nameReference")) for spec in _items(one.get("fieldSpecs"))]
    return any(REFERENCE in _path(spec) for spec in inner)


def pod_changes(target: Target) -> str:
    """The path of what a TrainJob of the release changes of the Pods of its runtime."""
    return _IN_PATCH if target.by_manager else f"spec/{target.overrides}"


def rewritten(configuration: JsonObject, changes: str = _IN_PATCH) -> tuple[JsonObject, list[str]]:
    """The configuration with fields of TrainJobs and runtimes for those of legacy kinds, and what has no field now.

    ``replicas`` is left out: the number is no longer that of Workers, so that a patch takes its place. ``changes`` is
    the path of what a TrainJob changes of Pods.
    """
    out: JsonObject = {}
    lost: list[str] = []
    for key, value in configuration.items():
        if not isinstance(value, list):
            out[key] = value
            continue
        found = [one for each in value for one in _one(key, each, lost, changes)]
        if found or not value:
            out[key] = found
    return out, lost


def _one(key: str, value: JsonValue, lost: list[str], changes: str) -> list[JsonValue]:
    if not isinstance(value, dict):
        return [value]
    if "fieldSpecs" in value:
        specs = [one for each in _items(value["fieldSpecs"]) for one in _one(key, each, lost, changes)]
        kept: list[JsonValue] = [dict(spec) for spec in _items(specs)]
        renamed = {"group": GROUP, "kind": JOB} if is_legacy(value) else {}
        return [{**value, **renamed, "fieldSpecs": kept}] if kept else []
    if not is_legacy(value):
        return [value]
    if key == "replicas":
        return []
    places = fields_for(str(value.get("path", "")), str(value.get("kind", "")), changes)
    if not places:
        lost.append(str(value.get("path", "")))
    rest = {name: each for name, each in value.items() if name not in ("path", "group", "version", "kind")}
    return [{"path": path, "group": GROUP, "kind": kind, **rest} for kind, path in places]


def is_legacy(spec: JsonObject) -> bool:
    """Whether a field's specification is about a legacy kind."""
    return str(spec.get("kind")) in _LEGACY and spec.get("group", LEGACY_GROUP) in ("", LEGACY_GROUP)


def fields_for(path: str, kind: str, changes: str = _IN_PATCH) -> list[tuple[str, str]]:
    """Kind and path of the fields that hold what a field of a legacy kind held; none where there is none."""
    steps = [step.removesuffix("[]") for step in path.strip("/").split("/")]
    if steps[0] == "metadata":
        return [(JOB, "/".join(steps))]
    if steps[:2] == ["spec", "runPolicy"] and len(steps) > 2:
        found = _RUN_POLICY.get(steps[2])
        return [(JOB, found)] if found else []
    if steps[:2] != ["spec", _LEGACY.get(kind, "")] or len(steps) < _SHORTEST:
        return []
    return _of_role(steps[3:], changes)


def _of_role(steps: list[str], changes: str) -> list[tuple[str, str]]:
    if steps == ["replicas"]:
        return [(JOB, "spec/trainer/numNodes")]
    if steps[0] != "template" or len(steps) == 1:
        return []
    rest = steps[1:]
    found = [(JOB, f"{changes}/{'/'.join(rest)}"), (RUNTIME, f"{_IN_RUNTIME}/{'/'.join(rest)}")]
    if rest[:2] == ["spec", "containers"] and len(rest) > 2:
        inner = _IN_TRAINER.get(rest[2], "resourcesPerNode" if rest[2] == "resources" else "")
        if inner:
            found[0] = (JOB, "/".join(["spec", "trainer", inner, *rest[3:]]))
    return found


def _path(spec: JsonObject) -> str:
    return str(spec.get("path", ""))


def _items(value: object) -> list[JsonObject]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
