"""Images in objects, and which of them an ``images:`` entry of a kustomization reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonValue, Path
    from trainergen.rules import Kustomization
    from trainergen.rules.gitops.kustomize.building import Resource

JOB_IMAGE = ("spec", "trainer", "image")
_CONTAINERS = ("containers", "initContainers")
_HUB = ("docker.io/library/", "docker.io/", "index.docker.io/")


class Image(NamedTuple):
    """An image in an object."""

    path: Path
    text: str
    reached: bool
    """Whether the transformer of kustomize looks there without configuration."""


def images_of(value: JsonValue, path: Path = ()) -> Iterator[Image]:
    """The images of an object: of containers at any depth, and of a TrainJob's trainer."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from images_of(item, (*path, index))
    elif isinstance(value, dict):
        for key, inner in value.items():
            here = (*path, key)
            if key == "image" and isinstance(inner, str):
                reached = len(path) > 1 and path[-2] in _CONTAINERS
                if reached or here == JOB_IMAGE:
                    yield Image(here, inner, reached)
            elif isinstance(inner, dict | list):
                yield from images_of(inner, here)


def is_named(image: str, name: str) -> bool:
    """Whether an image has this name; its tag and digest may follow."""
    return image == name or image.startswith((name + ":", name + "@"))


def plain_name(name: str) -> str:
    """A name without the host that stands for Docker Hub."""
    return next((name.removeprefix(host) for host in _HUB if name.startswith(host)), name)


def job_images_configured(kustomization: Kustomization) -> bool:
    """Whether a configuration tells the transformer of the image of TrainJobs."""
    return "/".join(JOB_IMAGE) in configured_paths(kustomization)


def configured_paths(kustomization: Kustomization) -> set[str]:
    """The paths beyond containers that configurations tell the transformer of."""
    listed = [configuration.get("images") for configuration in kustomization.configurations]
    specs = [spec for images in listed if isinstance(images, list) for spec in images if isinstance(spec, dict)]
    return {str(spec.get("path", "")).strip("/") for spec in specs}


def all_images(resource: Resource) -> list[Image]:
    """The images of an object of a build, as patched so far."""
    return list(images_of(resource.value))


def variables_of(value: JsonValue) -> Iterator[tuple[str, str]]:
    """Names and values of all variables in an object."""
    if isinstance(value, list):
        for item in value:
            yield from variables_of(item)
    elif isinstance(value, dict):
        name, text = value.get("name"), value.get("value")
        if isinstance(name, str) and isinstance(text, str):
            yield name, text
        for inner in value.values():
            if isinstance(inner, dict | list):
                yield from variables_of(inner)
