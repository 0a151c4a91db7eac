"""The initializers of a rendered job: what each is told to download, and by whose program."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.rules import Container, Job, Pods

SECTIONS = ("dataset", "model")
_ADDRESS = "STORAGE_URI"


class Initializer(NamedTuple):
    """One initializer: its section in the TrainJob, its Pods and the container that the TrainJob configures."""

    section: str
    pods: Pods
    container: Container

    @property
    def address(self) -> str | None:
        """What it downloads, as written; None when that comes from elsewhere or is nowhere."""
        return self.container.variable(_ADDRESS)

    @property
    def scheme(self) -> str:
        """The scheme of the address in lower case, empty without one."""
        scheme, separator, _ = (self.address or "").partition("://")
        return scheme.lower() if separator else ""

    @property
    def is_set_elsewhere(self) -> bool:
        """Whether the address may come from a ConfigMap or Secret."""
        return bool(self.container.values("envFrom")) or (_ADDRESS in self.container.env and self.address is None)

    @property
    def is_trainers(self) -> bool:
        """Whether Trainer's own program runs, as far as image and command say."""
        image = self.container.image.partition("@")[0].rpartition("/")[2].partition(":")[0]
        return image == f"{self.section}-initializer" and not self.container.command


def initializers(job: Job) -> Iterator[Initializer]:
    """The initializers of a job."""
    for section in SECTIONS:
        for pods in job.pods:
            container = pods.container(f"{section}-initializer") if pods.ancestor == f"{section}-initializer" else None
            if container is not None:
                yield Initializer(section, pods, container)
