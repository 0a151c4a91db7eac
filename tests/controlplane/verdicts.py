"""Recorded manifests, and how the API server's answers to them are compared with our verdicts."""

from __future__ import annotations

import json
import lzma
from typing import TYPE_CHECKING, Any

import yaml

from tests.controlplane.crds import ORACLE, TRAINER

if TYPE_CHECKING:
    from tests.controlplane.api import Answer

OWN_FIELDS = ("uid", "creationTimestamp", "generation", "resourceVersion", "managedFields")
NAMESPACES = ("nlp", "hpc", "tabular", "team-a")

Object = dict[str, Any]


def recorded(release: str) -> list[Object]:
    """All recorded manifests of a release, each with its ``object``."""
    found = json.loads(lzma.decompress((ORACLE / f"admission-{release}.json.xz").read_bytes()))
    return [{**case, "object": yaml.load(case["manifest"], yaml.CSafeLoader)} for case in found]


def place(obj: Object) -> str:
    """The collection that an object is sent to, whatever its metadata is like."""
    metadata = obj.get("metadata")
    namespace = (metadata.get("namespace") if isinstance(metadata, dict) else None) or "default"
    plural = f"{obj['kind'].lower()}s"
    within = f"namespaces/{namespace}/" if obj["kind"] != "ClusterTrainingRuntime" else ""
    return f"{TRAINER}/{within}{plural}"


def stored(obj: Object) -> Object:
    """An object without what the server gives each by itself."""
    metadata = {key: value for key, value in obj["metadata"].items() if key not in OWN_FIELDS}
    return {**obj, "metadata": metadata}


def disagreement(answer: Answer, verdict: Any) -> str:
    """How the two differ; nothing if they agree."""
    found = [finding.path for finding in verdict.findings if finding.refuses]
    if verdict.not_evaluated and not found:
        return ""
    if answer.ok != (not found):
        return f"server: {answer.code} {answer.body.get('message', '')[:300]}; found: {found}"
    if not answer.ok:
        fields = [field.replace("<nil>", "") for _, field in answer.causes]
        lost = [field for field in fields if not any(related(field, path) for path in found)]
        return f"server: {fields}; found: {found}" if lost else ""
    sent, ours = stored(answer.body), stored(verdict.object)
    return "" if sent == ours else f"stored: {json.dumps(sent)}; ours: {json.dumps(ours)}"


def related(one: str, other: str) -> bool:
    """One path is the other, or lies around it."""
    short, long = sorted((one, other), key=len)
    return long == short or not short or (long.startswith(short) and long[len(short)] in ".[")
