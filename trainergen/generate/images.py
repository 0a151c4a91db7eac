"""References to container images: their parts, and the registry that takes the place of another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

DOCKER_HUB = "docker.io"


class ImageName(NamedTuple):
    """An image: its name with the registry as written, and what comes after it."""

    name: str
    tag: str
    digest: str

    @property
    def registry(self) -> str:
        """The host, docker.io where the name has none."""
        first, slash, _ = self.name.partition("/")
        return first if slash and _is_host(first) else DOCKER_HUB

    @property
    def repository(self) -> str:
        """The name without its registry."""
        first, slash, rest = self.name.partition("/")
        return rest if slash and _is_host(first) else self.name

    @property
    def is_pinned(self) -> bool:
        """Whether it has a digest, or a tag that does not move."""
        return bool(self.digest) or self.tag not in ("", "latest")

    def __str__(self) -> str:
        return self.name + (f":{self.tag}" if self.tag else "") + (f"@{self.digest}" if self.digest else "")


def image_name(text: str) -> ImageName:
    """The parts of an image reference."""
    rest, _, digest = text.partition("@")
    head, slash, last = rest.rpartition("/")
    last, _, tag = last.partition(":")
    return ImageName(head + slash + last, tag, digest)


def _is_host(text: str) -> bool:
    return "." in text or ":" in text or text == "localhost"


class Registries(NamedTuple):
    """Where an environment gets its images: ``others`` by the registry they take the place of, ``all`` for the rest."""

    all: str
    others: Mapping[str, str]

    def moved(self, text: str) -> str:
        """The image from where the environment has it."""
        image = image_name(text)
        target = self.others.get(image.registry, self.all)
        if not target:
            return text
        return str(image._replace(name=f"{target.rstrip('/')}/{image.repository}"))
