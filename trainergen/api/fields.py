"""The vocabulary of field metadata: what ``Annotated`` says about a field beside its Python type.

Every marker has a lifespan, so that a field is defined once for all releases: ``max_length(65536, since="2.2",
until="2.2"), max_length(1048576, since="2.3")``. A marker without one holds in every release.

Markers compare by identity: ``typing`` wants the members of a union hashable, and schemas are not.
"""

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from pydantic import Strict

from trainergen.releases import Lifespan

FOREVER = Lifespan()


@dataclass(frozen=True, slots=True, eq=False)
class Keywords:
    """Keys laid over the field's structural schema: a limit, a default, a list type."""

    schema: dict[str, Any]
    lifespan: Lifespan = FOREVER


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A CEL rule of the CRD with the message that the API server reports."""

    rule: str
    message: str
    lifespan: Lifespan = FOREVER


@dataclass(frozen=True, slots=True, eq=False)
class Life:
    """The releases that have the field at all, and where its content goes afterwards."""

    lifespan: Lifespan
    successor: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Presence:
    """Whether the CRD demands the field, where that is not simply "it has no default in Python"."""

    required: bool
    lifespan: Lifespan = FOREVER


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The schema that takes the place of the one derived from the Python type."""

    schema: dict[str, Any]
    lifespan: Lifespan = FOREVER


Marker: TypeAlias = Keywords | Rule | Life | Presence | Shape


def lasts(*, since: str = "", until: str = "", successor: str = "") -> Life:
    """The field exists from release ``since`` to ``until``, both included; ``successor`` is what replaced it."""
    return Life(Lifespan(since, until), successor)


def required(*, since: str = "", until: str = "") -> Presence:
    """The CRD demands the field in these releases, although Python does not."""
    return Presence(True, Lifespan(since, until))


def optional() -> Presence:
    """The CRD does not demand the field, although Python does (a webhook or common sense does)."""
    return Presence(False)


def shape(schema: dict[str, Any], *, since: str = "", until: str = "") -> Shape:
    """The field's schema in these releases, in place of the one its Python type gives."""
    return Shape(schema, Lifespan(since, until))


def embedded(type_name: str) -> Shape:
    """The field is a Kubernetes type of the release's snapshot in ``schemas/core``."""
    return Shape({"$ref": type_name})


def default(value: Any) -> Keywords:
    """What the API server fills in when the field is absent and its parent is present."""
    return Keywords({"default": value})


def enum(*values: str, since: str = "", until: str = "") -> Keywords:
    """The accepted values, where they are fewer than the ``Literal`` of the Python type in some release."""
    return Keywords({"enum": list(values)}, Lifespan(since, until))


def minimum(value: int, *, since: str = "", until: str = "") -> Keywords:
    """Smallest accepted number."""
    return Keywords({"minimum": value}, Lifespan(since, until))


def maximum(value: int, *, since: str = "", until: str = "") -> Keywords:
    """Largest accepted number."""
    return Keywords({"maximum": value}, Lifespan(since, until))


def min_length(value: int, *, since: str = "", until: str = "") -> Keywords:
    """Fewest characters."""
    return Keywords({"minLength": value}, Lifespan(since, until))


def max_length(value: int, *, since: str = "", until: str = "") -> Keywords:
    """Most characters."""
    return Keywords({"maxLength": value}, Lifespan(since, until))


def min_items(value: int, *, since: str = "", until: str = "") -> Keywords:
    """Fewest list items."""
    return Keywords({"minItems": value}, Lifespan(since, until))


def max_items(value: int, *, since: str = "", until: str = "") -> Keywords:
    """Most list items."""
    return Keywords({"maxItems": value}, Lifespan(since, until))


def min_properties(value: int, *, since: str = "", until: str = "") -> Keywords:
    """Fewest fields that the object must have."""
    return Keywords({"minProperties": value}, Lifespan(since, until))


def immutable(message: str = "field is immutable", *, since: str = "", until: str = "") -> Rule:
    """The value may not change once it is set; adding or removing it stays possible."""
    return Rule("self == oldSelf", message, Lifespan(since, until))


def merge_key(key: str, *, since: str = "", until: str = "") -> Keywords:
    """The key by which strategic merge patches match the items of the list."""
    return Keywords(
        {"x-kubernetes-patch-merge-key": key, "x-kubernetes-patch-strategy": "merge"}, Lifespan(since, until)
    )


def list_map(*keys: str) -> Keywords:
    """A list whose items are told apart by these fields, each combination once."""
    return Keywords({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)})


LIST_SET = Keywords({"x-kubernetes-list-type": "set"})
LIST_ATOMIC = Keywords({"x-kubernetes-list-type": "atomic"})

Int: TypeAlias = Annotated[int, Strict()]
Int32: TypeAlias = Annotated[int, Strict(), Keywords({"format": "int32"})]
Int64: TypeAlias = Annotated[int, Strict(), Keywords({"format": "int64"})]
Bool: TypeAlias = Annotated[bool, Strict()]
IntOrString: TypeAlias = Annotated[Int | str, embedded("util.intstr.IntOrString")]
Quantity: TypeAlias = Annotated[Int | str, embedded("api.resource.Quantity")]
Time: TypeAlias = Annotated[str, embedded("meta.v1.Time")]
JsonMap: TypeAlias = dict[str, Any]
"""A Kubernetes type that is written as a plain mapping and checked against the release's schema."""
