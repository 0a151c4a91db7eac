"""The string formats that the API server enforces on custom resources; it ignores every other one.

Behaviour: kubernetes/apiextensions-apiserver pkg/apiserver/validation/formats.go and kubernetes/kube-openapi
pkg/validation/strfmt @ v0.35.0. Only the formats that a Kubernetes API is likely to use are here; compiling a schema
with another enforced one fails, so that none is skipped unnoticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

# Plain texts: ``re`` keeps what it has compiled, and most runs need none of these.
_CLOCK = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})"
_DATE = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
_UUID = r"[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}"
_BASE64 = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"
_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_SHORT_NAME = _LABEL
_LONG_NAME = rf"{_LABEL}(?:\.{_LABEL})*"
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(text: str) -> bool:
    """``2026-01-31``: four, two and two digits that name a day of the calendar."""
    match = re.fullmatch(_DATE, text)
    if match is None:
        return False
    year, month, day = (int(part) for part in match.groups())
    if not 1 <= month <= 12 or not 1 <= day <= _DAYS[month - 1]:
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return leap or (month, day) != (2, 29)


def is_date_time(text: str) -> bool:
    """``2026-01-31T10:00:00Z``, with the server's laxities: any character before the fraction, any offset."""
    parts = text.lower().split("t")
    if len(parts) < 2 or not is_date(parts[0]):
        return False
    match = re.fullmatch(_CLOCK, parts[1])
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


def _is_base64(text: str) -> bool:
    return re.fullmatch(_BASE64, text) is not None


def _is_uuid(text: str) -> bool:
    return re.fullmatch(_UUID, text) is not None


def _is_short_name(text: str) -> bool:
    return len(text) <= 63 and re.fullmatch(_SHORT_NAME, text) is not None


def _is_long_name(text: str) -> bool:
    return len(text) <= 253 and re.fullmatch(_LONG_NAME, text) is not None


def _is_anything(_text: str) -> bool:
    return True


FORMATS: dict[str, Callable[[str], bool]] = {
    "byte": _is_base64,
    "date": is_date,
    "datetime": is_date_time,
    "k8slongname": _is_long_name,
    "k8sshortname": _is_short_name,
    "password": _is_anything,
    "uuid": _is_uuid,
}
"""Checks by the server's name of the format, which is the written name without dashes."""

ENFORCED = frozenset(FORMATS) | {
    *("bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid3", "uuid4", "uuid5", "isbn"),
    *("isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "duration"),
}
"""Every format the server enforces on strings, those included that no Trainer schema uses."""


def format_check(name: str) -> Callable[[str], bool] | None:
    """The check of the string format ``name``, None when the server ignores it; LookupError when it is missing here."""
    plain = name.replace("-", "")
    if plain not in ENFORCED:
        return None
    if plain not in FORMATS:
        raise LookupError(f"string format '{name}' is enforced by the API server and not implemented here")
    return FORMATS[plain]
