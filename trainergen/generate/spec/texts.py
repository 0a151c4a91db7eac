"""The kinds of text in a specification, each with what it may look like and what is said when it does not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import no_info_before_validator_function

from trainergen.api.quantity import QuantityError, parse_quantity
from trainergen.source.configfaults import FAULT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_NAME = r"[a-z]([-a-z0-9]*[a-z0-9])?"
_IMAGE = r"[a-zA-Z0-9][\w.:/-]*(@sha256:[0-9a-f]{64})?"
_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?", re.ASCII)
_SECONDS = (86400, 3600, 60, 1)


class Section(BaseModel):
    """A mapping of the specification. Keys are written with hyphens; in Python their names with underscores do."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


def fault(message: str, remedy: str) -> PydanticCustomError:
    """The error to raise for a value that cannot be used."""
    # The text goes through str.format.
    return PydanticCustomError(FAULT, "{text}", {"text": message, "help": remedy})


def _matching(pattern: str, what: str, remedy: str, *, longest: int = 253) -> Any:
    whole = re.compile(pattern, re.ASCII)

    def check(text: str) -> str:
        if len(text) > longest:
            raise fault(f"'{text[:60]}…' has {len(text)} characters, but {what} has at most {longest}", "Shorten it.")
        if not whole.fullmatch(text):
            raise fault(f"'{text}' is no {what}", remedy)
        return text

    return AfterValidator(check)


def _schema(pattern: str, *types: str) -> WithJsonSchema:
    return WithJsonSchema({"type": list(types) if len(types) > 1 else "string", "pattern": f"^{pattern}$"})


Text = Annotated[str, StringConstraints(min_length=1)]
_LOWER = "Write lower-case letters, digits and hyphens, with a letter first and no hyphen last."
Key = Annotated[str, _matching(_NAME, "name in lower case", _LOWER, longest=40), _schema(_NAME)]
"""The name of an environment, a runtime or a job in the specification, which names of objects are made of."""
Label = Annotated[str, _matching(_LABEL, "DNS label", _LOWER, longest=63), _schema(_LABEL)]
ObjectName = Annotated[
    str, _matching(rf"{_LABEL}(\.{_LABEL})*", "name of an object", _LOWER), _schema(rf"{_LABEL}(\.{_LABEL})*")
]
VariableName = Annotated[
    str,
    _matching(r"[A-Za-z_][A-Za-z0-9_]*", "name of a variable", "Write letters, digits and underscores."),
]
Image = Annotated[
    str,
    _matching(_IMAGE, "image", "Write it as registry/name:tag or registry/name@sha256:….", longest=500),
    _schema(_IMAGE),
]
Version = Annotated[
    str,
    _matching(r"v?\d+(\.\d+)*([-+.][\w.+-]+)?", "version", "Write it as 1.36."),
    WithJsonSchema({"type": ["string", "number"]}),
]


def _quantity(text: str) -> str:
    try:
        amount = parse_quantity(text)
    except QuantityError:
        raise fault(f"'{text}' is no amount", "Write a number, with a unit such as 500m or 64Gi.") from None
    if amount.nano < 0:
        raise fault(f"'{text}' is negative", "Write an amount from zero on.")
    return amount.canonical()


def _as_text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Amount = Annotated[
    str, BeforeValidator(_as_text), AfterValidator(_quantity), WithJsonSchema({"type": ["string", "number"]})
]
"""A quantity of Kubernetes, in its canonical form."""


def _duration(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _DURATION.fullmatch(str(value).replace(" ", ""))
    parts = match.groups() if match else ()
    if not any(parts):
        raise fault(f"'{value}' is no duration", "Write it as 90m, 12h or 1d12h, or as a number of seconds.")
    return sum(int(part or 0) * unit for part, unit in zip(parts, _SECONDS, strict=True))


Duration = Annotated[int, BeforeValidator(_duration), WithJsonSchema({"type": ["string", "integer"]})]
"""Seconds; written as such or as 1d12h30m."""


class Short:
    """For ``Annotated``: a mapping that may be written otherwise, as ``schema``; ``expand`` makes the mapping of it."""

    def __init__(self, expand: Callable[[object], object], schema: dict[str, Any]) -> None:
        self._expand = expand
        self._schema = schema

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The mapping's own validation, after the short form is expanded."""
        return no_info_before_validator_function(self._expand, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Either form."""
        return {"anyOf": [self._schema, handler(schema)]}


def short(key: str) -> Short:
    """A mapping that may also be written as the text of its ``key``."""
    return Short(lambda value: {key: value} if isinstance(value, str) else value, {"type": "string"})


def _words(value: object) -> object:
    if not isinstance(value, str):
        return value
    import shlex

    try:
        return shlex.split(value)
    except ValueError as error:
        raise fault(f"'{value}' cannot be split into words: {str(error).lower()}", "Write it as a list.") from None


Words = Annotated[
    tuple[str, ...],
    BeforeValidator(_words),
    WithJsonSchema({"type": ["array", "string"], "items": {"type": ["string", "number", "boolean"]}}),
]
"""A command line: a list, or a text that is split as a shell would."""


def _texts(value: object) -> object:
    if isinstance(value, list | tuple):
        return tuple(_plain(each) for each in value)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value


def _plain(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


_WRITTEN = {"type": ["string", "number", "boolean"]}
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts), WithJsonSchema({"type": "array", "items": _WRITTEN})]
"""A list of texts; numbers are taken as they are written."""
Variables = Annotated[
    dict[VariableName, str],
    BeforeValidator(_texts),
    WithJsonSchema({"type": "object", "additionalProperties": _WRITTEN}),
]
_OBJECT = WithJsonSchema({"type": "object", "additionalProperties": _WRITTEN})
StringMap = Annotated[dict[Text, str], BeforeValidator(_texts), _OBJECT]
_PREFIX = rf"{_LABEL}(\.{_LABEL})*/"
_WORD = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
LabelKey = Annotated[
    str, _matching(rf"({_PREFIX})?{_WORD}", "key of a label", "Write it as name or example.com/name.", longest=317)
]
LabelValue = Annotated[
    str,
    _matching(rf"({_WORD})?", "value of a label", "Write letters, digits, dots, hyphens and underscores.", longest=63),
]
Labels = Annotated[dict[LabelKey, LabelValue], BeforeValidator(_texts), _OBJECT]
Annotations = Annotated[dict[LabelKey, str], BeforeValidator(_texts), _OBJECT]
