"""What training code may send: read as the Trainer's Go types would, unknown fields left out."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

_NUMBERS = ("progressPercentage", "estimatedRemainingSeconds")
_INT32 = range(-(2**31), 2**31)


class UnreadableError(Exception):
    """The body is not what the types can hold; its text says where."""


def read_update(body: bytes) -> dict[str, Any]:
    """``{"trainerStatus": …}``, or empty without one. Ranges and lengths are for the API server to judge."""
    try:
        update = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UnreadableError("the body is not JSON") from error
    if update is None:
        return {}
    if not isinstance(update, dict):
        raise UnreadableError("the body is no object")
    found = update.get("trainerStatus")
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UnreadableError("trainerStatus is no object")
    made: dict[str, Any] = {name: _int32(found[name], name) for name in _NUMBERS if found.get(name) is not None}
    if found.get("metrics"):
        made["metrics"] = [_metric(metric) for metric in _listed(found["metrics"])]
    made["lastUpdatedTime"] = _time(found.get("lastUpdatedTime"))
    return {"trainerStatus": made}


def _int32(value: Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value not in _INT32:
        raise UnreadableError(f"{name} is no whole number of 32 bits")
    return value


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise UnreadableError("metrics is no list")
    return value


def _metric(metric: Any) -> dict[str, str]:
    if not isinstance(metric, dict):
        raise UnreadableError("a metric is no object")
    made = {name: metric.get(name) or "" for name in ("name", "value")}
    if not all(isinstance(text, str) for text in made.values()):
        raise UnreadableError("name and value of a metric are texts; write numbers in quotes")
    # as Go reads what is no character
    return {name: text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for name, text in made.items()}


def _time(value: Any) -> str | None:
    """In UTC, to the second, as the API server stores times; None if it is not said, which the API server refuses."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) and "T" in value else None
        utc = None if moment is None or moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        utc = None
    if utc is None:
        raise UnreadableError("lastUpdatedTime is no time as RFC 3339 has it, such as 2026-01-02T03:04:05Z")
    return f"{utc:%Y}".zfill(4) + f"{utc:-%m-%dT%H:%M:%SZ}"
