"""``format.dns1123Label().validate(text)`` and its kin, with messages in our own words.

Behaviour: kubernetes/apiserver pkg/cel/library/format.go, kubernetes/apimachinery pkg/util/validation/validation.go
@ v0.35.0. What validates is an optional list in CEL; trainergen.cel.macros makes it from the plain list of here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from trainergen.cel.library.function import Function
from trainergen.cel.library.opaque import accepts, unwrap, wrap
from trainergen.cel.library.urls import url

_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_LETTER_LABEL = r"[a-z](?:[-a-z0-9]*[a-z0-9])?"
_KEY_NAME = r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?"
_BASE64 = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"
_UUID = r"[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}"
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})"


def _named(text: str, *, pattern: str, limit: int, what: str, prefix: bool = False) -> list[str]:
    """The faults of a name; a prefix may end in a dash, as something will follow."""
    faults = []
    if prefix and len(text) > 1 and text.endswith("-"):
        text = f"{text[:-2]}a"
    if len(text) > limit:
        faults.append(f"has {len(text)} characters, but at most {limit} are allowed")
    if re.fullmatch(pattern, text) is None:
        faults.append(f"is no {what}")
    return faults


_LABELS = partial(_named, pattern=_LABEL, limit=63, what="RFC 1123 label in lower case")
_SUBDOMAINS = partial(_named, pattern=rf"{_LABEL}(?:\.{_LABEL})*", limit=253, what="RFC 1123 subdomain in lower case")
_LETTER_LABELS = partial(_named, pattern=_LETTER_LABEL, limit=63, what="RFC 1035 label in lower case")


def _qualified_name(text: str) -> list[str]:
    prefix, slash, name = text.rpartition("/")
    if "/" in prefix:
        return ["has more than one slash"]
    faults = [f"prefix {fault}" for fault in _SUBDOMAINS(prefix)] if slash else []
    return faults + _named(name, pattern=_KEY_NAME, limit=63, what="name of letters, digits, '-', '_' and '.'")


def _label_value(text: str) -> list[str]:
    return _named(text, pattern=f"(?:{_KEY_NAME})?", limit=63, what="value of letters, digits, '-', '_' and '.'")


def _is_date(text: str) -> bool:
    from datetime import date

    return re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) is not None and accepts(date.fromisoformat, text)


def _is_date_time(text: str) -> bool:
    day, _, clock = text.lower().partition("t")
    return _is_date(day) and re.fullmatch(_CLOCK, clock) is not None


def _tested(text: str, *, test: Callable[[str], Any], what: str) -> list[str]:
    return [] if test(text) else [f"is no {what}"]


FORMATS: dict[str, Callable[[str], list[str]]] = {
    "byte": partial(_tested, test=re.compile(_BASE64).fullmatch, what="base64"),
    "date": partial(_tested, test=_is_date, what="date"),
    "datetime": partial(_tested, test=_is_date_time, what="date and time"),
    "dns1035Label": _LETTER_LABELS,
    "dns1035LabelPrefix": partial(_LETTER_LABELS, prefix=True),
    "dns1123Label": _LABELS,
    "dns1123LabelPrefix": partial(_LABELS, prefix=True),
    "dns1123Subdomain": _SUBDOMAINS,
    "dns1123SubdomainPrefix": partial(_SUBDOMAINS, prefix=True),
    "labelValue": _label_value,
    "qualifiedName": _qualified_name,
    "uri": partial(_tested, test=partial(accepts, url), what="URI"),
    "uuid": partial(_tested, test=re.compile(_UUID).fullmatch, what="UUID"),
}
"""The faults of a text by the name of the format."""


def named(name: str) -> dict[str, str]:
    """The format of that name; an empty map when there is none."""
    return wrap("format", str(name)) if name in FORMATS else {}


def validate(form: Any, text: str) -> list[str]:
    """The faults of ``text``, none when it is of the format."""
    return FORMATS[unwrap(form, "format")[1]](str(text))


NAMED_FORMATS = (
    Function("__named", ("string",), "map", named, member=False),
    Function("__validate", ("map", "string"), "list", validate, member=False),
    *(Function(f"format.{name}", (), "map", partial(named, name), member=False) for name in FORMATS),
)
