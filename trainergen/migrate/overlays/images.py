"""What ``images`` of a kustomization does, to jobs and, with a field that it must be told of, to TrainJobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.rules.views.kustomization import Kustomization


def with_images(value: JsonObject, kustomization: Kustomization) -> JsonObject:
    """An object with the images of its containers, wherever they are, as the kustomization names them."""
    entries = [part.value for part in kustomization.parts("images") if isinstance(part.value, dict)]
    out = _below(value, entries) if entries else value
    return out if isinstance(out, dict) else value


def renames(kustomization: Kustomization, image: str) -> bool:
    """Whether ``images`` of the kustomization is about an image."""
    return bool(image) and any(_name(image) == part.text("name") for part in kustomization.parts("images"))


def _below(value: JsonValue, entries: list[JsonObject]) -> JsonValue:
    if isinstance(value, list):
        return [_below(each, entries) for each in value]
    if not isinstance(value, dict):
        return value
    out: JsonObject = {}
    for key, each in value.items():
        if key in ("containers", "initContainers") and isinstance(each, list):
            out[key] = [_container(one, entries) for one in each]
        else:
            out[key] = _below(each, entries)
    return out


def _container(value: JsonValue, entries: list[JsonObject]) -> JsonValue:
    if not isinstance(value, dict) or not isinstance(value.get("image"), str):
        return value
    image = str(value["image"])
    for entry in entries:
        if entry.get("name") == _name(image):
            image = _renamed(image, entry)
    return {**value, "image": image}


def _name(image: str) -> str:
    """An image without its tag and digest."""
    base = image.partition("@")[0]
    head, colon, tag = base.rpartition(":")
    return head if colon and "/" not in tag else base


def _renamed(image: str, entry: JsonObject) -> str:
    rest = image[len(_name(image)) :]
    name = str(entry.get("newName") or _name(image))
    if entry.get("digest"):
        return f"{name}@{entry['digest']}"
    if entry.get("newTag") is not None:
        return f"{name}:{entry['newTag']}"
    return name + rest
