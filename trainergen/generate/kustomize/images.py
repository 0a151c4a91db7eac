"""The ``images:`` of an overlay: where kustomize finds images, and entries that change them exactly as wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import value_at
from trainergen.generate.images import image_name

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path

_LISTS = ("containers", "initContainers")
_TRAINER: Path = ("spec", "trainer", "image")


class Entry(NamedTuple):
    """One entry of ``images:``; what is empty stays as it is."""

    name: str
    new_name: str = ""
    new_tag: str = ""
    digest: str = ""

    def applied(self, text: str) -> str:
        """What kustomize makes of an image that the entry names."""
        image = image_name(text)
        if self.new_name:
            image = image._replace(name=self.new_name)
        if self.new_tag:
            image = image._replace(tag=self.new_tag, digest="")
        if self.digest:
            image = image._replace(tag="", digest=self.digest)
        return str(image)

    def written(self) -> JsonObject:
        """As a kustomization has it."""
        fields = {"newName": self.new_name, "newTag": self.new_tag, "digest": self.digest}
        return {"name": self.name, **{key: value for key, value in fields.items() if value}}


def places(value: JsonObject) -> dict[Path, str]:
    """The images that kustomize reaches in an object, with the configuration of our component."""
    found = dict(_containers(value, ()))
    image = value_at(value, *map(str, _TRAINER))
    if value.get("kind") == "TrainJob" and isinstance(image, str):
        found[_TRAINER] = image
    return found


def _containers(value: JsonValue, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key in _LISTS and isinstance(each, list):
                for index, item in enumerate(each):
                    if isinstance(item, dict) and isinstance(item.get("image"), str):
                        yield (*path, key, index, "image"), str(item["image"])
            if isinstance(each, dict | list):
                yield from _containers(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            if isinstance(each, dict | list):
                yield from _containers(each, (*path, index))


def entries(pairs: Iterable[tuple[str, str]], fixed: Iterable[str]) -> dict[str, Entry]:
    """Entries by name that make the second of each pair of the first, as far as that is possible.

    ``fixed`` are images that kustomize reaches as well and must leave alone. Where an image cannot be changed by an
    entry without changing another one wrongly, there is no entry for its name.
    """
    pairs, fixed = set(pairs), set(fixed)
    found = {entry.name: entry for old, new in sorted(pairs) if old != new for entry in [_entry(old, new)] if entry}
    while True:
        # An image that no entry brings about is patched in, and must then be left alone like those that stay.
        bad = {image_name(old).name for old, new in pairs if change(found, old) != new}
        patched = {new for old, new in pairs if image_name(old).name not in found or image_name(old).name in bad}
        bad |= {image_name(image).name for image in fixed | patched if change(found, image) != image}
        wrong = bad & found.keys()
        if not wrong:
            return found
        for name in wrong:
            del found[name]


def change(known: Mapping[str, Entry], text: str) -> str:
    """What the entries make of an image."""
    entry = known.get(image_name(text).name)
    return entry.applied(text) if entry is not None else text


def _entry(old: str, new: str) -> Entry | None:
    before, after = image_name(old), image_name(new)
    entry = Entry(
        before.name,
        after.name if after.name != before.name else "",
        after.tag if after.tag != before.tag and not after.digest else "",
        after.digest if after.digest != before.digest else "",
    )
    return entry if entry.applied(old) == new else None
