"""The parts of an image reference, and the images of a job that somebody wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.rules.security.writing import is_written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.rules import Container, Job

_MOVING = frozenset(
    {"latest", "main", "master", "dev", "devel", "develop", "nightly", "edge", "head", "snapshot", "test", "staging"}
)


class Image(NamedTuple):
    """An image reference; a missing registry is Docker Hub."""

    registry: str
    repository: str
    tag: str
    digest: str

    @property
    def is_mutable(self) -> bool:
        """Whether the reference means another image from time to time: no digest, and no tag or a moving one."""
        return not self.digest and (not self.tag or self.tag.lower() in _MOVING)

    @property
    def address(self) -> str:
        """Registry and repository."""
        return f"{self.registry}/{self.repository}"


def parse_image(reference: str) -> Image:
    """The parts of a reference such as ``ghcr.io/team/train:1.0@sha256:…``."""
    name, _, digest = reference.partition("@")
    head, _, tail = name.rpartition("/")
    last, _, tag = tail.partition(":")
    path = f"{head}/{last}" if head else last
    first, _, rest = path.partition("/")
    if rest and ("." in first or ":" in first or first == "localhost"):
        return Image(first, rest, tag, digest)
    return Image("docker.io", path if rest else f"library/{path}", tag, digest)


def written_images(job: Job) -> list[tuple[Container, Image]]:
    """The containers whose image is in a file of the run; those that a release ships are tagged when it is installed.

    An image with a variable that a tool fills in is left out.
    """
    return job.once(_written_images)


def _written_images(job: Job) -> list[tuple[Container, Image]]:
    return list(_found(job))


def _found(job: Job) -> Iterator[tuple[Container, Image]]:
    for pods in job.pods:
        for container in pods.all_containers:
            image = container.image
            if image and not {"$", "{"} & set(image) and is_written(container.at("image")):
                yield container, parse_image(image)
