"""The environment that a container starts with: in order, with what each variable took the place of.

Source: kubernetes/kubernetes pkg/controller/job/indexed_job_utils.go, third_party/forked/golang/expansion @ v1.35.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.render.pods.parts import part
from trainergen.render.pods.readable import COMPLETION_INDEX_WORDS, NO_FIELDS, variable_source
from trainergen.render.provenance import Origin

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.render.provenance import Superseded
    from trainergen.render.rendered import Rendered

JOB_COMPLETION_INDEX = "JOB_COMPLETION_INDEX"
_ENV_FROM = {"configMapRef": "ConfigMap", "secretRef": "Secret"}
JOB_CONTROLLER = Origin("controller", (), "Job controller")


@dataclass(frozen=True, slots=True)
class Former:
    """The value that a variable had before another one took its place; ``value`` is readable."""

    value: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class EnvVar:
    """A variable: a plain ``value``, or ``source`` in readable words for one that is known only in the cluster."""

    name: str
    value: str | None
    source: str
    origin: Origin
    replaced: tuple[Former, ...] = ()
    repeated: bool = False
    """True for a variable that comes again later in the list and so has no effect."""
    expanded: str | None = None
    """The value with ``$(NAME)`` filled in, where that changes it."""

    @property
    def shown(self) -> str:
        """The value or the words for it."""
        return f"<{self.source}>" if self.value is None else self.value


@dataclass(frozen=True, slots=True)
class EnvFrom:
    """All keys of a ConfigMap or Secret as variables."""

    source: str
    origin: Origin


def variables(
    rendered: Rendered, owner: JsonObject, path: Path, *, indexed: bool, fields: Mapping[str, str]
) -> tuple[EnvVar, ...]:
    """The variables of the container at ``path`` of ``owner``, one of the rendered objects.

    ``fields`` are those of the Pod that are known, by path.
    """
    container = part(owner, path)
    found: list[EnvVar] = []
    items = list_at(container, "env")
    last = {text_at(item, "name"): number for number, item in enumerate(items)}
    for number, item in enumerate(items):
        entry = object_at(item)
        name = text_at(entry, "name")
        found.append(
            EnvVar(
                name,
                *_value(entry, fields),
                origin=_origin(rendered, owner, (*path, "env", number), entry),
                replaced=_former(rendered, entry),
                repeated=last[name] != number,
            )
        )
    if indexed and JOB_COMPLETION_INDEX not in last:
        found.append(EnvVar(JOB_COMPLETION_INDEX, None, COMPLETION_INDEX_WORDS, JOB_CONTROLLER))
    return _expanded(found)


def sources(rendered: Rendered, owner: JsonObject, path: Path) -> tuple[EnvFrom, ...]:
    """What ``envFrom`` of a container takes in; variables of the same name win over it."""
    found = []
    for number, item in enumerate(list_at(part(owner, path), "envFrom")):
        prefix = text_at(item, "prefix")
        kinds = {"configMapRef": "ConfigMap", "secretRef": "Secret"}
        source = " and ".join(
            f"{kinds[kind]} {text_at(item, kind, 'name')}" for kind in object_at(item) if kind in kinds
        )
        words = f"all keys of {source}{f', each after {prefix}' if prefix else ''}"
        found.append(EnvFrom(words, rendered.origin(owner, (*path, "envFrom", number))))
    return tuple(found)


def expand_text(text: str, known: dict[str, str]) -> str:
    """``$(NAME)`` filled in from ``known`` and ``$$`` made ``$``; a name that is not known stays as it is."""
    out: list[str] = []
    at = 0
    while at < len(text):
        dollar = text.find("$", at)
        if dollar < 0 or dollar + 1 == len(text):
            break
        out.append(text[at:dollar])
        following = text[dollar + 1]
        end = text.find(")", dollar) if following == "(" else -1
        if following == "$":
            out.append("$")
            at = dollar + 2
        elif end >= 0:
            name = text[dollar + 2 : end]
            out.append(known.get(name, text[dollar : end + 1]))
            at = end + 1
        else:
            out.append(text[dollar : dollar + 2])
            at = dollar + 2
    return "".join(out) + text[at:]


def known_values(found: tuple[EnvVar, ...]) -> dict[str, str]:
    """The plain values by name, for ``$(NAME)`` in command and args."""
    values: dict[str, str] = {}
    for variable in found:
        if variable.value is None:
            values.pop(variable.name, None)
        else:
            values[variable.name] = variable.value if variable.expanded is None else variable.expanded
    return values


def _expanded(found: list[EnvVar]) -> tuple[EnvVar, ...]:
    if not any(variable.value is not None and "$" in variable.value for variable in found):
        return tuple(found)
    done: list[EnvVar] = []
    for variable in found:
        text = None if variable.value is None else expand_text(variable.value, known_values(tuple(done)))
        done.append(replace(variable, expanded=text) if text != variable.value else variable)
    return tuple(done)


def _value(entry: JsonObject, fields: Mapping[str, str] = NO_FIELDS) -> tuple[str | None, str]:
    if "valueFrom" not in entry:
        return text_at(entry, "value"), ""
    if entry.get("value"):
        return (
            None,
            f"both '{text_at(entry, 'value')}' and {variable_source(entry['valueFrom'], fields)}, which is refused",
        )
    return None, variable_source(entry["valueFrom"], fields)


def _former(rendered: Rendered, entry: JsonObject) -> tuple[Former, ...]:
    whole = [Former(_shown(old.value), old.origin) for old in rendered.superseded(entry)]
    parts: tuple[Superseded, ...] = (*rendered.superseded(entry, "value"), *rendered.superseded(entry, "valueFrom"))
    return (*whole, *(Former(_part(old.value), old.origin) for old in parts))


def _shown(entry: JsonValue) -> str:
    value, source = _value(object_at(entry))
    return f"<{source}>" if value is None else value


def _part(value: JsonValue) -> str:
    return f"<{variable_source(value)}>" if isinstance(value, dict) else str(value)


def _origin(rendered: Rendered, owner: JsonObject, path: Path, entry: JsonObject) -> Origin:
    return rendered.origin(owner, (*path, "valueFrom" if "valueFrom" in entry else "value"))
