"""What has to run beside a Trainer release: Kubernetes, JobSet, LeaderWorkerSet and Kueue, as data, and where a file
fixes one of them.

Facts of kubeflow/trainer go.mod, charts/kubeflow-trainer/Chart.yaml and README.md, and manifests/third-party at v2.0.1,
v2.1.0, v2.2.1 and v2.3.0; of kubernetes-sigs/kueue#11931, #14722 and #14886.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trainergen.releases.pins import Anchor, commented, line_of, near


class Companion(NamedTuple):
    """A component beside a release: the version to suggest, and those that go with it.

    ``least`` is the first minor version that does, ``below`` the first one that does not any more; None for no limit.
    """

    name: str
    version: str
    least: tuple[int, int] | None
    below: tuple[int, int] | None
    why: str

    def fits(self, version: str) -> bool | None:
        """Whether a version goes with the release; None for one that cannot be told."""
        match = re.match(r"[~^=v]*(\d+)\.(\d+)(?:\.|$|[-+])", version)
        if match is None:
            return None
        minor = int(match[1]), int(match[2])
        return (self.least is None or minor >= self.least) and (self.below is None or minor < self.below)

    @property
    def range(self) -> str:
        """The versions that go with the release, in words."""
        if self.least is not None and self.below == (self.least[0], self.least[1] + 1):
            return f"{self.least[0]}.{self.least[1]}"
        least = "" if self.least is None else f"from {self.least[0]}.{self.least[1]} on"
        below = "" if self.below is None else f"before {self.below[0]}.{self.below[1]}"
        return " and ".join(part for part in (least, below) if part) or "any"


_LOWEST = "the lowest version that the chart names, and the one that upstream tests with"
_DROPPED = "an older JobSet drops fields of the rendered JobSet without a word, a newer one was not tested"
_CACHE = "for the data cache only"
_NO_PATCHES = "from 0.17 on Kueue writes runtimePatches, which this Trainer drops: jobs stay suspended"
_PATCHES = "before 0.17 Kueue writes the overrides of older releases, which this Trainer refuses"

COMPANIONS: dict[str, tuple[Companion, ...]] = {
    "2.0": (
        Companion("Kubernetes", "1.32", (1, 29), None, _LOWEST),
        Companion("JobSet", "0.8.2", (0, 8), (0, 9), _DROPPED),
        Companion("Kueue", "0.16", None, (0, 17), _NO_PATCHES),
    ),
    "2.1": (
        Companion("Kubernetes", "1.34", (1, 29), None, _LOWEST),
        Companion("JobSet", "0.10.1", (0, 10), (0, 11), _DROPPED),
        Companion("LeaderWorkerSet", "0.7.0", (0, 7), (0, 8), _CACHE),
        Companion("Kueue", "0.16", None, (0, 17), _NO_PATCHES),
    ),
    "2.2": (
        Companion("Kubernetes", "1.35", (1, 29), None, _LOWEST),
        Companion("JobSet", "0.11.0", (0, 11), (0, 12), _DROPPED),
        Companion("LeaderWorkerSet", "0.8.0", (0, 8), (0, 9), _CACHE),
        Companion("Kueue", "0.17", (0, 17), None, _PATCHES),
    ),
    "2.3": (
        Companion("Kubernetes", "1.35", (1, 31), None, _LOWEST),
        Companion("JobSet", "0.12.0", (0, 12), (0, 13), _DROPPED),
        Companion("LeaderWorkerSet", "0.8.0", (0, 8), (0, 9), _CACHE),
        Companion("Kueue", "0.17", (0, 17), None, _PATCHES),
    ),
}
"""By release."""

_NAMES = {b"jobset": "JobSet", b"kueue": "Kueue", b"lws": "LeaderWorkerSet"}
_NAME = rb"(jobset|kueue|lws)"
_V = rb"(v?\d+\.\d+[\w.+-]*)"
_DIRECT = tuple(
    re.compile(pattern)
    for pattern in (
        rb"github\.com[/:]kubernetes-sigs/" + _NAME + rb"(?:\.git)?(?:/[^\s\"'?#]*)?\?(?:[^\s\"'#]*&)?ref=" + _V,
        rb"github\.com/kubernetes-sigs/" + _NAME + rb"/releases/download/" + _V,
        rb"registry\.k8s\.io/" + _NAME + rb"/(?:charts/)?\1:" + _V,
    )
)
_ANCHOR = Anchor(
    "",
    re.compile(rb"(?m)(?:^|[\s{,])[\"']?(?:name|chart)[\"']?\s*:\s*[\"']?" + _NAME + rb"[\"']?\s*(?=$|[,}#])"),
    (b"version", b"targetRevision"),
)
_CLUSTER = re.compile(rb"(?:kindest/node:|(?m:^\s*)kubernetesVersion:\s*[\"']?)" + _V)


class CompanionPin(NamedTuple):
    """A place that fixes the version of a component."""

    file: str
    line: int
    name: str
    version: str


def companion_pins(file: str, data: bytes) -> list[CompanionPin]:
    """The places of a file, in the order of their lines; comments fix nothing."""
    return sorted(set(_pins(file, data)), key=lambda pin: (pin.line, pin.name, pin.version))


def _pins(file: str, data: bytes) -> Iterator[CompanionPin]:
    for pattern in _DIRECT:
        for match in pattern.finditer(data):
            if not commented(data, match.start()):
                yield CompanionPin(file, line_of(data, match.start()), _NAMES[match[1]], _text(match[2]))
    for match in _ANCHOR.pattern.finditer(data):
        found = near(data.split(b"\n"), data, match, _ANCHOR)
        if found:
            yield CompanionPin(file, found[0], _NAMES[match[1]], _text(found[1]))
    for match in _CLUSTER.finditer(data):
        if not commented(data, match.start()):
            yield CompanionPin(file, line_of(data, match.start(1)), "Kubernetes", _text(match[1]))


def _text(value: bytes) -> str:
    return value.decode("ascii", "replace").rstrip(".")
