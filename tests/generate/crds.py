"""The CRDs of Argo CD, Flux and Kueue: is an object valid against them, rules in CEL included, with no unknown field?

``tests/oracle/delivery-crds.json.xz`` has the schemas of Argo CD 3.5.1, of Flux's controllers and of Kueue as they
publish them, without descriptions.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from trainergen.cel.engine import holds

_FILE = Path(__file__).parents[1] / "oracle" / "delivery-crds.json.xz"


@cache
def _schemas() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(lzma.decompress(_FILE.read_bytes()))
    return found


def known(obj: dict[str, Any]) -> bool:
    """Whether the kind of an object has a recorded CRD."""
    return f"{obj['apiVersion']} {obj['kind']}" in _schemas()


def faults(obj: dict[str, Any]) -> list[str]:
    """What the CRD of an object's kind has against it; KeyError for a kind without a recorded CRD."""
    kind = f"{obj['apiVersion']} {obj['kind']}"
    structural = [f"{error.json_path}: {error.message}" for error in _validator(kind).iter_errors(obj)]
    return structural or [*_broken_rules(_schemas()[kind], obj, "$")]


def _broken_rules(schema: dict[str, Any], value: Any, path: str) -> Iterator[str]:
    """The CEL rules of a CRD that do not hold; those on changes have nothing to say of a new object."""
    for rule in schema.get("x-kubernetes-validations", ()):
        if "oldSelf" not in rule["rule"] and not holds(rule["rule"], {"self": value}):
            yield f"{path}: {rule.get('message', rule['rule'])}"
    if isinstance(value, dict):
        for key, each in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if isinstance(inner, dict):
                yield from _broken_rules(inner, each, f"{path}.{key}")
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _broken_rules(schema.get("items", {}), each, f"{path}[{index}]")


@cache
def _validator(kind: str) -> Draft202012Validator:
    schema = _closed(_schemas()[kind])
    schema["properties"]["metadata"] = {"type": "object"}
    return Draft202012Validator(schema)


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with unknown fields forbidden, where it does not allow them itself."""
    out = {key: value for key, value in schema.items() if not key.startswith("x-")}
    if schema.get("x-kubernetes-int-or-string"):
        return {"type": ["integer", "string"]}
    if isinstance(out.get("additionalProperties"), dict):
        out["additionalProperties"] = _closed(out["additionalProperties"])
    if isinstance(out.get("items"), dict):
        out["items"] = _closed(out["items"])
    if "properties" in out:
        out["properties"] = {key: _closed(value) for key, value in out["properties"].items()}
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            out.setdefault("additionalProperties", False)
    return out
