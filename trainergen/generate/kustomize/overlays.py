"""A unit as a base and overlays: what all environments share, and exactly what is different in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trainergen.api.access import object_at, text_at
from trainergen.generate.kustomize import images
from trainergen.generate.kustomize.operations import operations
from trainergen.generate.names import KEY_LABEL

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.generate.layout import Unit
    from trainergen.generate.resolved import Environment, Placed

    Objects = dict[tuple[str, str], Placed]


@dataclass(frozen=True, slots=True)
class Patch:
    """The operations on one object of the base."""

    placed: Placed
    """The object of the base."""
    operations: list[JsonValue]


@dataclass(frozen=True, slots=True)
class Overlay:
    """What one environment adds to the base."""

    environment: Environment
    namespace: str
    """The namespace that is set for all objects; empty for none."""
    added: tuple[Placed, ...]
    """Objects that are not in the base."""
    images: tuple[images.Entry, ...]
    patches: tuple[Patch, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """A unit in parts."""

    base: tuple[Placed, ...]
    overlays: tuple[Overlay, ...]


def split(unit: Unit, environments: tuple[Environment, ...]) -> Split:
    """Base and overlays of a unit. Building an overlay gives the objects of its environment.

    What is in all environments is in the base, with the values and names of the first one. The overlays of the others
    name their runs and runtimes even where the names are the same, so that what is new in the first environment changes
    nothing in theirs.
    """
    present = [(each, _by_key(unit, each)) for each in environments if unit.objects(each)]
    if not present:
        return Split((), ())
    shared = [key for key in present[0][1] if all(_same_kind(key, objects, present[0][1]) for _, objects in present)]
    base = {key: _without_namespace(unit, present[0][1][key]) for key in shared}
    overlays = [
        _overlay(unit, environment, objects, base=base, is_first=not index)
        for index, (environment, objects) in enumerate(present)
    ]
    return Split(tuple(base.values()), tuple(overlays))


def _by_key(unit: Unit, environment: Environment) -> Objects:
    return {(placed.part, placed.key): placed for placed in unit.objects(environment)}


def _same_kind(key: tuple[str, str], objects: Objects, first: Objects) -> bool:
    fields = ("apiVersion", "kind")
    return key in objects and all(objects[key].object[field] == first[key].object[field] for field in fields)


def _called(obj: JsonObject, name: str) -> JsonObject:
    return {**obj, "metadata": {**object_at(obj, "metadata"), "name": name}}


def _without_namespace(unit: Unit, placed: Placed) -> Placed:
    """As files have it where ``namespace:`` of the overlay sets it."""
    if not unit.in_namespace:
        return placed
    metadata = {key: value for key, value in object_at(placed.object, "metadata").items() if key != "namespace"}
    return replace(placed, object={**placed.object, "metadata": metadata})


def _is_namespace(obj: JsonObject) -> bool:
    return obj["kind"] == "Namespace"


def _overlay(
    unit: Unit,
    environment: Environment,
    objects: Objects,
    *,
    base: Mapping[tuple[str, str], Placed],
    is_first: bool,
) -> Overlay:
    added = tuple(_without_namespace(unit, placed) for key, placed in objects.items() if key not in base)
    known = _images([(base[key].object, objects[key].object) for key in base], added)
    patches = []
    for key, placed in base.items():
        wanted = _before_transformers(placed.object, _without_namespace(unit, objects[key]).object, known)
        found = operations(placed.object, wanted)
        if not is_first:
            found = [*_names(wanted, found), *found]
        if found:
            patches.append(Patch(placed, found))
    return Overlay(
        environment=environment,
        namespace=environment.namespace if unit.in_namespace else "",
        added=added,
        images=tuple(known.values()),
        patches=tuple(patches),
    )


def _names(wanted: JsonObject, known: list[JsonValue]) -> Iterator[JsonValue]:
    """The operations for names that follow from content, but for those that are there already."""
    ways = (("metadata", "name"), ("spec", "runtimeRef", "name")) if has_own_names(wanted) else ()
    paths = {text_at(each, "path") for each in known}
    for way in ways:
        path, name = f"/{'/'.join(way)}", text_at(wanted, *way)
        if name and path not in paths:
            yield {"op": "replace", "path": path, "value": name}


def has_own_names(obj: JsonObject) -> bool:
    """Whether an object has another name whenever it is another; then it is told by its key."""
    return KEY_LABEL in object_at(obj, "metadata", "labels")


def _images(pairs: list[tuple[JsonObject, JsonObject]], added: tuple[Placed, ...]) -> dict[str, images.Entry]:
    changed: set[tuple[str, str]] = set()
    fixed = {image for placed in added for image in images.places(placed.object).values()}
    for old, new in pairs:
        before, after = images.places(old), images.places(new)
        for path, image in after.items():
            if path in before:
                changed.add((before[path], image))
            else:
                fixed.add(image)
    return images.entries(changed, fixed)


def _before_transformers(old: JsonObject, wanted: JsonObject, known: Mapping[str, images.Entry]) -> JsonObject:
    """``wanted`` as the patches have to leave it: without what ``namespace:`` and ``images:`` do afterwards."""
    if _is_namespace(wanted):
        wanted = _called(wanted, text_at(old, "metadata", "name"))
    if known:
        before = images.places(old)
        for path, image in images.places(wanted).items():
            if path in before and before[path] != image and images.change(known, before[path]) == image:
                wanted = _with(wanted, path, before[path])
    return wanted


def _with(value: JsonValue, path: Path, new: str) -> JsonObject:
    """A copy of ``value`` with another value at ``path``; what is not on the way is shared."""
    copy: JsonValue
    step, rest = path[0], path[1:]
    if isinstance(value, dict):
        copy = {**value, str(step): _with(value[str(step)], rest, new) if rest else new}
    else:
        assert isinstance(value, list)
        assert isinstance(step, int)
        copy = [*value]
        copy[step] = _with(value[step], rest, new) if rest else new
    return copy  # type: ignore[return-value]
