"""What to do about a field that the release does not have: a near name, another place, another release, a successor."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.finding import JsonValue, Path, format_path
from trainergen.spelling import nearest

if TYPE_CHECKING:
    from trainergen.api.structural import Kind, Schema, StructuralSchemas

_SEARCHED = 4000
"""How many schema nodes are looked at for a field of the same name elsewhere."""
_OVERRIDES = frozenset({"spec.podSpecOverrides", "spec.podTemplateOverrides", "spec.runtimePatches"})
_PATCHED = "spec.runtimePatches[].trainingRuntimeSpec.template.metadata"
_SUCCESSORS = {
    "spec.labels": f"Set labels of the JobSet in {_PATCHED}.labels.",
    "spec.annotations": f"Set annotations of the JobSet in {_PATCHED}.annotations.",
    "spec.mlPolicy.torch.numProcPerNode": "Set spec.trainer.numProcPerNode in the TrainJobs, or let GPUs decide.",
    "spec.mlPolicy.torch.elasticPolicy": "Set spec.mlPolicy.numNodes: elastic training has no successor.",
}
_QUANTITY = "([KMGTPE]i)|[numkMGTPE]"


def pattern_meaning(pattern: str) -> tuple[str, str]:
    """What a value must do to match ``pattern``, and the help for one that does not."""
    if _QUANTITY in pattern:
        remedy = "Write a number with an optional unit and no blank between them, as in 500m, 4 or 16Gi."
        return "be a resource quantity", remedy
    return f"match {pattern}", "Write a text that matches the pattern."


class Advisor:
    """Knows where else a field might be: in the same release, in the others, under another name."""

    def __init__(self, schemas: StructuralSchemas, kind: Kind) -> None:
        self._schemas = schemas
        self._kind = kind

    def unknown_field(self, path: Path, value: JsonValue) -> tuple[str, str]:
        """Message and help for the unknown field at ``path``."""
        name, parent = str(path[-1]), format_path(path[:-1]) or "a " + self._kind.kind
        if path[0] == "metadata":
            return f"'{name}' is no field of {parent}", self._metadata_help(path)
        release = self._schemas.release
        where = f"Trainer {release}" if release[0].isdigit() else f"kubeflow.org/{release}"
        message = f"'{name}' is no field of {parent} in {where}"
        return message, self._other_release(path) or self._near(path) or self._elsewhere(path, value) or _removal(name)

    def _metadata_help(self, path: Path) -> str:
        from trainergen.admission.metadata import OBJECT_META

        name = str(path[-1])
        fields = OBJECT_META["properties"] if len(path) == 2 else {}
        near = nearest(name, fields)
        return f"Did you mean '{near}'?" if near else _removal(name)

    def _other_release(self, path: Path) -> str:
        """Help for a field that this release lost or does not have yet."""
        from trainergen.api.structural import load
        from trainergen.releases import RELEASES, get_release

        names = [release.name for release in RELEASES]
        if self._schemas.release not in names:
            return ""
        here = names.index(self._schemas.release)
        having = [names.index(name) for name in names if self._has(load(name), path)]
        if not having:
            return ""
        field = ".".join(str(step) for step in path if isinstance(step, str))
        overrides = get_release(self._schemas.release).behaviours.overrides_field
        instead = f"Use spec.{overrides} instead." if field in _OVERRIDES else ""
        before = [index for index in having if index < here]
        if before:
            gone = f"It is gone since Trainer {names[before[-1] + 1]}."
            return f"{gone} {instead or _SUCCESSORS.get(field) or 'Remove it.'}"
        comes = f"It comes with Trainer {names[having[0]]}."
        return f"{comes} {instead or 'Check against that release, or remove it.'}"

    def _has(self, schemas: StructuralSchemas, path: Path) -> bool:
        kind = schemas.kinds.get(self._kind.kind)
        return kind is not None and schema_at(schemas, kind.schema, path) is not None

    def _near(self, path: Path) -> str:
        """Help for a misspelt field."""
        parent = schema_at(self._schemas, self._kind.schema, path[:-1])
        near = nearest(str(path[-1]), (parent or {}).get("properties", {}))
        return f"Did you mean '{near}'?" if near else ""

    def _elsewhere(self, path: Path, value: JsonValue) -> str:
        """Help for a field in the wrong place: the nearest that has one of its name and type."""
        for depth in (len(path) - 1, 0):
            start = schema_at(self._schemas, self._kind.schema, path[:depth])
            for place, node in self._below(start or {}):
                if place and place[-1] == path[-1] and _fits(node, value):
                    written = format_path((*path[:depth], *place)).replace(".*", "[]")
                    return f"It belongs at {written}."
        return ""

    def _below(self, schema: Schema) -> Iterator[tuple[Path, Schema]]:
        """The nodes below ``schema``, nearest first."""
        queue: deque[tuple[Path, Schema]] = deque([((), schema)])
        seen = 0
        while queue and seen < _SEARCHED:
            place, node = queue.popleft()
            node = self._schemas.resolve(node)
            seen += 1
            yield place, node
            queue.extend(((*place, name), child) for name, child in node.get("properties", {}).items())
            if "items" in node:
                queue.append(((*place, "*"), node["items"]))


def schema_at(schemas: StructuralSchemas, schema: Schema, path: Path) -> Schema | None:
    """The node of ``schema`` for the value at ``path``, None when there is none."""
    node = schemas.resolve(schema)
    for step in path:
        if isinstance(step, int):
            child = node.get("items")
        else:
            child = node.get("properties", {}).get(step) or node.get("additionalProperties")
        if not isinstance(child, dict):
            return None
        node = schemas.resolve(child)
    return node


def _fits(node: Schema, value: JsonValue) -> bool:
    if node.get("x-kubernetes-int-or-string"):
        return isinstance(value, int | str)
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": int | float}
    wanted = types.get(node.get("type", ""))
    return wanted is not None and isinstance(value, wanted)


def _removal(name: str) -> str:
    return f"Remove '{name}': the API server refuses fields that it does not know."
