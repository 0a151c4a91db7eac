"""The wording of faults: what was seen, what is expected, and the way out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from trainergen.admission import checks
from trainergen.admission.limits import Range
from trainergen.admission.lists import Repeat
from trainergen.finding import Check, Finding, JsonValue, format_path
from trainergen.spelling import nearest

if TYPE_CHECKING:
    from trainergen.admission.faults import Fault
    from trainergen.api.structural import Kind, StructuralSchemas

Wording: TypeAlias = tuple[str, str]
"""A message and its help."""

_LONGEST = 60
_ESCAPES = {"\n": "\\n", "\t": "\\t"}
_YAML_BOOLEANS = "yes, no, on, off, y, n, true and false"


def findings(faults: Iterable[Fault], schemas: StructuralSchemas, kind: Kind) -> Iterator[Finding]:
    """The findings for ``faults``, in their order."""
    from trainergen.admission.advice import Advisor

    advisor = Advisor(schemas, kind)
    for fault in faults:
        if fault.check is checks.UNKNOWN_FIELD:
            message, remedy = advisor.unknown_field(fault.path, fault.value)
        else:
            message, remedy = _WORDINGS[fault.check](fault)
        on_key = fault.check is checks.UNKNOWN_FIELD or fault.wanted == "key"
        yield fault.check.at(fault.path, message, help=remedy, on_key=on_key)


def shown(value: JsonValue) -> str:
    """``value`` as a message quotes it: short, and on one line."""
    if value is None:
        return "null"
    if isinstance(value, dict | list):
        return f"{'a mapping' if isinstance(value, dict) else 'a list'} of {counted(len(value), 'entry', 'entries')}"
    text = value if isinstance(value, str) else json.dumps(value)
    start = "".join(c if c.isprintable() else _ESCAPES.get(c, f"\\u{ord(c):04x}") for c in text[:_LONGEST])
    return f"'{start}'" if len(text) <= _LONGEST else f"'{start}…'"


def counted(number: int, one: str, many: str = "") -> str:
    """``1 entry``, ``2 entries``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def field_name(fault: Fault) -> str:
    """The field of the fault by its last step, with the list it is in when that is an index."""
    path = fault.path
    start = len(path) - 1
    while start > 0 and isinstance(path[start], int):
        start -= 1
    return format_path(path[max(start, 0) :]) or "the object"


def _wrong_type(fault: Fault) -> Wording:
    wanted = str(fault.wanted)
    article = "an" if wanted[0] in "aeio" else "a"
    seen = "null" if fault.value is None else f"the {_type_name(fault.value)} {shown(fault.value)}"
    if isinstance(fault.value, dict | list) or fault.value is None:
        seen = shown(fault.value)
    return f"{field_name(fault)} is {seen}, but must be {article} {wanted}", _type_remedy(fault.value, wanted)


def _type_name(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "string"


def _type_remedy(value: JsonValue, wanted: str) -> str:
    takes_text = wanted in ("string", "integer or string")
    if isinstance(value, bool) and takes_text:
        word = json.dumps(value)
        return f'Put it in quotes ("{word}"): without them the API server reads {_YAML_BOOLEANS} as booleans.'
    if isinstance(value, int | float) and takes_text:
        return f'Put it in quotes ("{json.dumps(value)}"): without them it is a number to the API server.'
    if value is None:
        return "Remove the empty entry, or give it a value."
    if wanted == "array":
        return "Write a list, each entry on a line of its own after '- '."
    if wanted == "object":
        return "Write a mapping of fields, indented below the key."
    return _scalar_remedy(value, wanted)


def _scalar_remedy(value: JsonValue, wanted: str) -> str:
    if isinstance(value, dict | list):
        return f"Write a single {wanted} instead."
    if isinstance(value, str) and wanted in ("integer", "number") and _reads_as_number(value):
        return "Remove the quotes: in quotes it is text to the API server."
    if isinstance(value, str) and wanted == "boolean" and value.lower() in ("true", "false", "yes", "no", "on", "off"):
        return "Remove the quotes, or write true or false: in quotes it is text to the API server."
    if isinstance(value, float) and wanted == "integer":
        return "Write a whole number."
    return f"Write {'an' if wanted[0] in 'aeio' else 'a'} {wanted}."


def _reads_as_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _missing(fault: Fault) -> Wording:
    name = field_name(fault)
    if fault.check is checks.MISSING_FIELD and fault.path == ("metadata", "name"):
        return "metadata.name is missing", "Give the object a name (or a generateName)."
    where = format_path(fault.path[:-1]) or "the object"
    if fault.wanted == "null":
        return f"{where} needs {name}, which is null and so counts as absent", f"Give {name} a value."
    return f"{where} lacks the required field '{fault.path[-1]}'", f"Add {name}."


def _not_allowed(fault: Fault) -> Wording:
    allowed = fault.wanted if isinstance(fault.wanted, list) else []
    names = ", ".join(shown(value) for value in allowed)
    message = (
        f"{field_name(fault)} is {shown(fault.value)}, but only {names} {'is' if len(allowed) == 1 else 'are'} allowed"
    )
    texts = [value for value in allowed if isinstance(value, str) and value]
    near = nearest(fault.value, texts) if isinstance(fault.value, str) else ""
    return message, f"Did you mean '{near}'?" if near else f"Write one of {names}."


def _out_of_range(fault: Fault) -> Wording:
    bounds = fault.wanted
    assert isinstance(bounds, Range)
    wanted = []
    if bounds.minimum is not None:
        wanted.append(f"{'more than' if bounds.above else 'at least'} {bounds.minimum:g}")
    if bounds.maximum is not None:
        wanted.append(f"{'less than' if bounds.below else 'at most'} {bounds.maximum:g}")
    limits = " and ".join(wanted)
    return f"{field_name(fault)} is {shown(fault.value)}, but must be {limits}", f"Write a number that is {limits}."


def _length(fault: Fault) -> Wording:
    length = len(fault.value) if isinstance(fault.value, str) else 0
    limit = fault.wanted if isinstance(fault.wanted, int) else 0
    bound = "at most" if fault.check is checks.TOO_LONG else "at least"
    if not fault.value:
        return f"{field_name(fault)} is empty", f"Give it a value, or remove {field_name(fault)} if it is not needed."
    seen = counted(length, "character")
    message = f"{field_name(fault)} has {seen}, but must have {bound} {limit:,}"
    return message, f"{'Shorten' if length > limit else 'Lengthen'} {shown(fault.value)}."


def _size(fault: Fault) -> Wording:
    length = len(fault.value) if isinstance(fault.value, dict | list) else 0
    limit = fault.wanted if isinstance(fault.wanted, int) else 0
    fewer = fault.check is checks.TOO_MANY
    name = field_name(fault)
    if length == 0:
        return (
            f"{name} is empty, but must have at least {counted(limit, 'entry', 'entries')}",
            f"Fill {name}, or remove it.",
        )
    bound = "at most" if fewer else "at least"
    message = f"{name} has {counted(length, 'entry', 'entries')}, but must have {bound} {limit:,}"
    return message, f"{'Remove' if fewer else 'Add'} {counted(abs(length - limit), 'entry', 'entries')}."


def _pattern(fault: Fault) -> Wording:
    from trainergen.admission.advice import pattern_meaning

    meaning, remedy = pattern_meaning(str(fault.wanted))
    return f"{field_name(fault)} is {shown(fault.value)}, but must {meaning}", remedy


def _format(fault: Fault) -> Wording:
    wanted = str(fault.wanted)
    example = {"date-time": "2026-01-31T10:00:00Z", "date": "2026-01-31"}.get(wanted, "")
    message = f"{field_name(fault)} is {shown(fault.value)}, which is no {wanted}"
    return message, f"Write it like {example}." if example else f"Write a {wanted}."


def _duplicate(fault: Fault) -> Wording:
    repeat = fault.wanted
    assert isinstance(repeat, Repeat)
    first = format_path((*fault.path[:-1], repeat.first))
    if repeat.key is None:
        return f"{shown(fault.value)} is listed twice, first at {first}", "Remove one of them."
    keys = ", ".join(f"{name} {shown(value)}" for name, value in repeat.key.items()) or "no key"
    return f"a second entry with {keys}; the first is {first}", "Remove one of them, or merge the two."


def _kind(fault: Fault) -> Wording:
    return (
        f"{fault.path[0]} is {shown(fault.value)}, but must be '{fault.wanted}'",
        f"Write {fault.path[0]}: {fault.wanted}.",
    )


def _metadata(fault: Fault) -> Wording:
    from trainergen.admission.metadata_messages import metadata_wording

    return metadata_wording(fault)


_WORDINGS: dict[Check, Callable[[Fault], Wording]] = {
    checks.WRONG_TYPE: _wrong_type,
    checks.MISSING_FIELD: _missing,
    checks.VALUE_NOT_ALLOWED: _not_allowed,
    checks.OUT_OF_RANGE: _out_of_range,
    checks.TOO_LONG: _length,
    checks.TOO_SHORT: _length,
    checks.TOO_MANY: _size,
    checks.TOO_FEW: _size,
    checks.PATTERN: _pattern,
    checks.FORMAT: _format,
    checks.DUPLICATE: _duplicate,
    checks.WRONG_KIND: _kind,
    checks.INVALID_NAME: _metadata,
    checks.INVALID_LABEL: _metadata,
    checks.INVALID_ANNOTATION: _metadata,
    checks.INVALID_OWNER: _metadata,
    checks.INVALID_FINALIZER: _metadata,
    checks.INVALID_METADATA: _metadata,
    checks.IMMUTABLE_METADATA: _metadata,
}
