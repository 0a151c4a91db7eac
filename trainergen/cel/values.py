"""JSON values as CEL sees them: typed by their schema, with the names that CEL can write.

Behaviour: kubernetes/apiserver pkg/cel/{escaping.go,common/schemas.go,common/valuesunstructured.go} @ v0.35.0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias

CelValue: TypeAlias = (
    "bool | int | float | str | bytes | datetime | timedelta | list[CelValue] | dict[str, CelValue] | None"
)
"""What rules compute with: int is CEL's int, float its double, datetime its timestamp, timedelta its duration."""

Schema: TypeAlias = Mapping[str, Any]
Resolve: TypeAlias = Callable[[Any], Mapping[str, Any]]

RESERVED = frozenset(
    {
        *("true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import"),
        *("let", "loop", "package", "namespace", "return", "var", "void", "while"),
    }
)
_ESCAPES = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_ESCAPED = re.compile(r"__|[-./]")
_WRITABLE = re.compile(r"[A-Za-z_./-][A-Za-z0-9_./-]*")
_CLOCK = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?)?", re.ASCII)


def escape(name: str) -> str | None:
    """The field ``name`` as an identifier of CEL, None when it cannot be written as one."""
    if name in RESERVED:
        return f"__{name}__"
    if _WRITABLE.fullmatch(name) is None:
        return None
    return _ESCAPED.sub(lambda match: _ESCAPES[match[0]], name)


def typed(value: Any, schema: Schema, resolve: Resolve) -> CelValue:
    """``value``, which has passed the structural checks, by its schema.

    Whole numbers of a ``number`` become doubles, times timestamps, and fields get writable names. Fields with a null
    count as absent. A field named by a reserved word is there under its own name too, as rules may select it.
    """
    schema = resolve(schema)
    if isinstance(value, dict):
        return _typed_object(value, schema, resolve)
    if isinstance(value, list):
        item = schema.get("items", {})
        return [typed(entry, item, resolve) for entry in value]
    if isinstance(value, str):
        return _typed_text(value, schema)
    if isinstance(value, int) and not isinstance(value, bool) and schema.get("type") == "number":
        return float(value)
    return value  # type: ignore[no-any-return]


def _typed_object(value: dict[str, Any], schema: Schema, resolve: Resolve) -> CelValue:
    free = schema.get("additionalProperties")
    if isinstance(free, dict):
        return {key: typed(entry, free, resolve) for key, entry in value.items()}
    result: dict[str, CelValue] = {}
    fields = schema.get("properties", {})
    for name, entry in value.items():
        written = escape(name)
        if name not in fields or entry is None or written is None:
            continue
        result[written] = typed(entry, fields[name], resolve)
        if name in RESERVED:
            result[name] = result[written]
    return result


def _typed_text(value: str, schema: Schema) -> CelValue:
    wanted = schema.get("format") if schema.get("type") == "string" else None
    if wanted in ("date-time", "date") and _CLOCK.fullmatch(value):
        moment = datetime.fromisoformat(value)
        return moment if moment.tzinfo is not None else datetime.fromisoformat(f"{moment.isoformat()}+00:00")
    if wanted == "byte":
        from base64 import b64decode

        return b64decode(value)
    return value
