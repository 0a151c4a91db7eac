"""The CRDs of Argo CD, Flux and Kueue, and whether an object is valid against them with no unknown field in it.

``tests/oracle/delivery-crds.json.xz`` has the schemas of Argo CD 3.5.1, of Flux's controllers and of Kueue as they
publish them, without descriptions.
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

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
    validator = _validator(f"{obj['apiVersion']} {obj['kind']}")
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(obj)]


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
