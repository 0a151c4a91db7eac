"""Whether a runtime of a cluster is one that a release ships, by what it says once defaults are filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.admit import admit
from trainergen.api.access import text_at
from trainergen.releases import RELEASES
from trainergen.releases.catalogue import shipped_runtimes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.releases import Release


def shipped_by(runtime: JsonObject, *, first: Release) -> tuple[str, bool]:
    """The release that ships a runtime of this name, and whether it is that one: ``first`` is asked first."""
    name = text_at(runtime, "metadata", "name")
    asked = [first, *(one for one in reversed(RELEASES) if one is not first)]
    there = [one for one in asked if name in shipped_runtimes(one.name)]
    for release in there:
        shipped = shipped_runtimes(release.name)[name]
        # Overlay and chart give these their tags, where they do.
        untagged = frozenset(_untagged_images(shipped))
        if _stored(runtime, release, untagged) == _stored(shipped, release, untagged):
            return release.name, True
    return there[0].name, False


def _stored(runtime: JsonObject, release: Release, untagged: Collection[str]) -> JsonValue:
    """The spec as the release stores it, some images without their tags."""
    stored = admit(runtime, release=release, webhooks=False).object or runtime
    return _without_tags(stored.get("spec"), untagged)


def _untagged_images(value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict):
        image = value.get("image")
        if isinstance(image, str) and not _tag(image):
            yield image
        for below in value.values():
            yield from _untagged_images(below)
    elif isinstance(value, list):
        for below in value:
            yield from _untagged_images(below)


def _without_tags(value: JsonValue, images: Collection[str]) -> JsonValue:
    if isinstance(value, dict):
        return {key: _without_tags(below, images) for key, below in value.items()}
    if isinstance(value, list):
        return [_without_tags(below, images) for below in value]
    if isinstance(value, str) and (tag := _tag(value)) and value.removesuffix(f":{tag}") in images:
        return value.removesuffix(f":{tag}")
    return value


def _tag(image: str) -> str:
    """The tag of an image, empty when it has none; the port of a registry is none."""
    return image.rpartition("/")[2].partition(":")[2]
