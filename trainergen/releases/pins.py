"""What one file says about the Trainer release of its cluster, found by pattern and without parsing.

The forms are those of Helm (Chart.yaml, Chart.lock, values), kustomize (remote resources, ``images``, ``helmCharts``),
Argo CD (``repoURL``, ``chart``, ``targetRevision``), Flux (HelmRelease, OCIRepository, GitRepository) and plain images.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

CONTROLLER = b"trainer-controller-manager"
_WINDOW = 40

_V = rb"(?:release-)?v?\d+\.\d+[\w.+-]*"
_DIRECT = tuple(
    (what, re.compile(pattern))
    for what, pattern in (
        (
            "the kustomize reference",
            rb"github\.com[/:]kubeflow/trainer(?:\.git)?(?:/[^\s\"'?#]*)?\?(?:[^\s\"'#]*&)?ref=(" + _V + rb")",
        ),
        (
            "the link",
            rb"(?:github|raw\.githubusercontent)\.com/kubeflow/trainer/"
            rb"(?:(?:releases/download|archive/refs/tags|archive|raw|blob|tree)/)?(" + _V + rb")(?=/|\s|[\"']|$)",
        ),
        ("the chart kubeflow-trainer", rb"kubeflow/charts/kubeflow-trainer:(" + _V + rb")"),
        ("kubeflow_trainer_version", rb"kubeflow_trainer_version\s*[=:]\s*[\"']?(" + _V + rb")"),
    )
)
_IMAGE = re.compile(rb"kubeflow/trainer/([a-z0-9-]+):(" + _V + rb")")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A line that names the thing, while one of ``keys`` in the same mapping has its version.

    ``deeper`` allows the key in a mapping below (Flux has ``ref: {tag: …}`` beside ``url``).
    """

    what: str
    pattern: re.Pattern[bytes]
    keys: tuple[bytes, ...]
    deeper: bool = False


_END = rb"[\"']?\s*(?=$|[,}#])"
_NAMES = rb"(?m)(?:^|[\s{,])[\"']?(?:name|chart)[\"']?\s*:\s*[\"']?kubeflow-trainer"
_ANCHORS = (
    Anchor("the chart kubeflow-trainer", re.compile(_NAMES + _END), (b"version", b"targetRevision")),
    Anchor(
        "the chart kubeflow-trainer",
        re.compile(rb"(?m)kubeflow/charts/kubeflow-trainer" + _END),
        (b"version", b"targetRevision", b"tag", b"semver"),
        deeper=True,
    ),
    Anchor(
        "the repository kubeflow/trainer",
        re.compile(rb"(?m)github\.com[/:]kubeflow/trainer(?:\.git)?/?" + _END),
        (b"targetRevision", b"tag", b"semver", b"branch"),
        deeper=True,
    ),
)
_IMAGE_NAME = Anchor("", re.compile(rb"(?m)kubeflow/trainer/([a-z0-9-]+)" + _END), (b"tag", b"newTag"))

_INDENT = re.compile(rb" *(?:- +)*")
_KEY = re.compile(
    rb" *(?:- +)*[\"']?(version|targetRevision|tag|newTag|semver|branch)[\"']?\s*:\s*[\"']?([^\s\"',}#]+)"
)
_FLOW = re.compile(rb"[{,]\s*[\"']?(version|targetRevision|tag|newTag|semver|branch)[\"']?\s*:\s*[\"']?([^\s\"',}#]+)")
_COMMENT = re.compile(rb"(?:^|\s)#")
# Exact versions, and ranges that stay within one minor release; other ranges and branches pin nothing.
_VERSION = re.compile(r"(?:release-|[~=v])*(\d+)\.(\d+)(?:\.(?:\d+|x|\*))?(?:[-+][\w.+-]*)?")


class Weight(IntEnum):
    """How much a pin says about the cluster; the lower, the more."""

    INSTALLATION = 0
    IMAGE = 1
    CRD = 2


@dataclass(frozen=True, slots=True)
class Pin:
    """One place that fixes a version: ``what`` it fixes and the ``version`` as written."""

    file: str
    line: int
    what: str
    version: str
    weight: Weight

    @property
    def minor(self) -> tuple[int, int] | None:
        """The release line as numbers, None when the version leaves it open (a range, a branch, a build)."""
        match = _VERSION.fullmatch(self.version)
        if match is None or match[1] == "0":
            return None
        return int(match[1]), int(match[2])


def pins_in(file: str, data: bytes) -> list[Pin]:
    """The pins of one file, in the order of their lines; lines that are comments pin nothing."""
    found = [*_direct(file, data), *_images(file, data), *_beside(file, data)]
    return sorted(set(found), key=lambda pin: (pin.line, pin.weight, pin.what, pin.version))


def _direct(file: str, data: bytes) -> Iterator[Pin]:
    for what, pattern in _DIRECT:
        for match in pattern.finditer(data):
            if not commented(data, match.start()):
                line = line_of(data, match.start())
                yield Pin(file, line, what, _text(match[1]), Weight.INSTALLATION)


def _images(file: str, data: bytes) -> Iterator[Pin]:
    for match in _IMAGE.finditer(data):
        if not commented(data, match.start()):
            yield _image_pin(file, line_of(data, match.start()), match[1], match[2])


def _beside(file: str, data: bytes) -> Iterator[Pin]:
    lines = data.split(b"\n")
    for anchor in _ANCHORS:
        for match in anchor.pattern.finditer(data):
            found = near(lines, data, match, anchor)
            if found:
                yield Pin(file, found[0], anchor.what, _text(found[1]), Weight.INSTALLATION)
    for match in _IMAGE_NAME.pattern.finditer(data):
        found = near(lines, data, match, _IMAGE_NAME)
        if found:
            yield _image_pin(file, found[0], match[1], found[1])


def near(lines: list[bytes], data: bytes, match: re.Match[bytes], anchor: Anchor) -> tuple[int, bytes] | None:
    """The line and value of the anchor's key in the mapping that holds ``match``, the outermost level first."""
    # The match may begin with the line break before it and end with those behind it.
    at = match.start() + len(match[0].rstrip()) - 1
    if commented(data, at):
        return None
    index = data.count(b"\n", 0, at)
    flow = _flow_mapping(lines[index], at - data.rfind(b"\n", 0, at) - 1)
    if flow is not None:
        value = _value(flow, anchor.keys, flow=True)
        return (index + 1, value) if value else None
    column = _column(lines[index])
    best: tuple[int, int, bytes] | None = None
    for number in _mapping_of(lines, index):
        level = _column(lines[number])
        if level == column or anchor.deeper:
            value = _value(lines[number], anchor.keys, flow=anchor.deeper)
            if value and (best is None or level < best[0]):
                best = level, number + 1, value
    return best[1:] if best else None


def _flow_mapping(line: bytes, at: int) -> bytes | None:
    """The ``{…}`` of a line that column ``at`` lies in, None when it lies in none."""
    start = line.rfind(b"{", 0, at)
    if start < 0 or line.find(b"}", start, at) >= 0:
        return None
    end = line.find(b"}", at)
    return line[start : end if end >= 0 else len(line)]


def _value(line: bytes, keys: tuple[bytes, ...], *, flow: bool) -> bytes:
    """The value of the first of ``keys`` that a line sets, or nothing."""
    key = _KEY.match(line)
    if key and key[1] in keys:
        return key[2]
    if flow and not line.lstrip().startswith(b"#"):
        return next((each[2] for each in _FLOW.finditer(line) if each[1] in keys), b"")
    return b""


def _mapping_of(lines: list[bytes], index: int) -> list[int]:
    """The numbers of the lines around ``index`` that belong to the same mapping, nested lines included."""
    column = _column(lines[index])
    first = index
    while first > max(0, index - _WINDOW) and not _opens(lines[first], column):
        if not _belongs(lines[first - 1], column):
            break
        first -= 1
    last = index
    while last + 1 < min(len(lines), index + _WINDOW):
        following = lines[last + 1]
        if not _belongs(following, column) or _opens(following, column):
            break
        last += 1
    return list(range(first, last + 1))


def _column(line: bytes) -> int:
    """The column of the first key of a line, behind the dashes of list items."""
    match = _INDENT.match(line)
    return match.end() if match else 0


def _opens(line: bytes, column: int) -> bool:
    return _column(line) == column and b"-" in line[:column]


def _belongs(line: bytes, column: int) -> bool:
    text = line.strip()
    if not text or text.startswith(b"#"):
        return True
    return _column(line) >= column and not line.startswith(b"---")


def commented(data: bytes, at: int) -> bool:
    """Whether a place lies behind a comment sign on its line."""
    return _COMMENT.search(data[data.rfind(b"\n", 0, at) + 1 : at]) is not None


def line_of(data: bytes, at: int) -> int:
    """The line of a place, from 1."""
    return data.count(b"\n", 0, at) + 1


def _image_pin(file: str, line: int, name: bytes, version: bytes) -> Pin:
    weight = Weight.INSTALLATION if name == CONTROLLER else Weight.IMAGE
    return Pin(file, line, f"the image {_text(name)}", _text(version), weight)


def _text(value: bytes) -> str:
    return value.decode("ascii", "replace").rstrip(".")
