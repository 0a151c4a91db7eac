"""Which Trainer release a repository is written for, from what it pins; few files are looked at and none is parsed."""

from __future__ import annotations

import json
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.datafiles import data_dir
from trainergen.releases.release import NEWEST, RELEASES, Release

if TYPE_CHECKING:
    from trainergen.releases.pins import Pin

File = tuple[str, Callable[[], bytes]]

MAX_FILES = 2_000
_MAX_WALKED = 1_000
_MAX_ENTRIES = 10_000
_HEAD = 64 * 1024
_CRD_BYTES = 1024 * 1024
_SUFFIXES = (".yaml", ".yml", ".lock")
_SKIPPED = frozenset({"node_modules", "venv", "__pycache__", "site-packages"})
# One of these is in every pin; a manifest that only uses the API has none of them, and no pattern is made for it.
_WORDS = (b"kubeflow/trainer", b"kubeflow-trainer", b"kubeflow_trainer")
_CRD_NAME = b"trainjobs.trainer.kubeflow.org"
_FIELD = rb"(?m)^\s+\"?([A-Za-z0-9]+)\"?:"


@dataclass(frozen=True, slots=True)
class Detected:
    """The release that a repository is taken to be for, and why; ``pinned`` is False when nothing said so."""

    release: str
    reason: str
    pinned: bool = True
    file: str = ""
    line: int = 0


def detect_release(root: Path, files: Iterable[File] | None = None) -> Detected:
    """The release that ``root`` pins, else the newest.

    ``files`` are names and suppliers of bytes; left out, the YAML files below ``root`` are taken, nearest first. At
    most ``MAX_FILES`` files and the first 64 KiB of each count. Pins of the installation (chart, kustomize, Argo CD,
    Flux, controller image) beat images of runtimes, and both beat CRDs. Where pins of one weight disagree, the most
    frequent release wins and between equals the older, for clusters follow their repository late; the reason then
    names the others.
    """
    pins: list[Pin] = []
    definitions: list[tuple[str, bytes]] = []
    for name, supply in islice(pin_files(root) if files is None else files, MAX_FILES):
        try:
            data = supply()
        except OSError:
            # A file that cannot be read pins nothing; whoever checks it says so.
            continue
        head = data[:_HEAD]
        if any(word in head for word in _WORDS):
            from trainergen.releases.pins import pins_in

            pins += pins_in(name, head)
        if _CRD_NAME in head and b"CustomResourceDefinition" in head:
            definitions.append((name, data))
    return _decide(pins) or _from_definitions(definitions) or _newest(pins)


def repository_root(start: Path) -> Path:
    """The top of the git repository around ``start``; outside of one, the folder itself."""
    folder = start if start.is_dir() else start.parent
    for candidate in (folder.resolve(), *folder.resolve().parents):
        if (candidate / ".git").exists():
            return candidate
    return folder


def pin_files(root: Path) -> Iterator[File]:
    """The YAML files below ``root``, nearest first and by name; the walk is bounded and follows no links."""
    folders = deque([Path(root)])
    entries, given = 0, 0
    while folders and entries < _MAX_ENTRIES:
        folder = folders.popleft()
        for entry in _entries(folder):
            entries += 1
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith(".") and entry.name not in _SKIPPED:
                    folders.append(Path(entry.path))
            elif (entry.name.endswith(_SUFFIXES) or entry.name == "Kustomization") and _is_file(entry):
                yield _named(root, entry.path), _supplier(entry.path)
                given += 1
                if given >= _MAX_WALKED:
                    return


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False  # a link that leads to itself


def _named(root: Path, path: str) -> str:
    return Path(path).relative_to(root).as_posix()


def _supplier(path: str) -> Callable[[], bytes]:
    def supply() -> bytes:
        with open(path, "rb") as file:  # noqa: PTH123 - a Path a file would double the cost
            return file.read(_CRD_BYTES)

    return supply


def _decide(pins: list[Pin]) -> Detected | None:
    # Before 2.0 there were no TrainJobs, so what pins an older release installs another operator.
    usable = [pin for pin in pins if pin.minor is not None and pin.minor >= _minor(RELEASES[0])]
    if not usable:
        return None
    weight = min(pin.weight for pin in usable)
    by_release: dict[tuple[int, int], list[Pin]] = {}
    for pin in usable:
        if pin.weight == weight and pin.minor:
            by_release.setdefault(pin.minor, []).append(pin)
    wanted = min(by_release, key=lambda minor: (-len(by_release[minor]), minor))
    pin = by_release[wanted][0]
    release = _nearest(wanted)
    reason = f"{pin.file}:{pin.line} pins {pin.what} {pin.version}"
    if _minor(release) != wanted:
        reason += f", which is not known here; {release.name} is the nearest"
    others = [f"{_text(minor)} by {group[0].file}:{group[0].line}" for minor, group in sorted(by_release.items())]
    if len(others) > 1:
        others = [other for other in others if not other.startswith(f"{_text(wanted)} ")]
        reason += f"; also pinned: {', '.join(others)}"
    return Detected(release.name, reason, file=pin.file, line=pin.line)


def _nearest(wanted: tuple[int, int]) -> Release:
    """The newest supported release that is not newer than ``wanted``."""
    return next(release for release in reversed(RELEASES) if _minor(release) <= wanted)


def _from_definitions(definitions: list[tuple[str, bytes]]) -> Detected | None:
    """What the TrainJob CRD in the tree fits: the newest release all of whose fields it has."""
    for name, data in definitions:
        start = data.find(_CRD_NAME)
        begin, end = data.rfind(b"\n---", 0, start), data.find(b"\n---", start)
        fields = set(re.findall(_FIELD, data[max(begin, 0) : end if end >= 0 else None]))
        for release in reversed(RELEASES):
            known = _fields_of(release)
            if known and known <= fields:
                line = data.count(b"\n", 0, start) + 1
                reason = f"{name}:{line} is the TrainJob CRD of {release.name}"
                return Detected(release.name, reason, file=name, line=line)
    return None


def _fields_of(release: Release) -> set[bytes]:
    """All field names of a release's TrainJob, at any depth."""
    raw = json.loads((data_dir("schemas") / release.name / "structural.json").read_bytes())
    names: set[bytes] = set()
    seen: set[str] = set()
    nodes = [raw["kinds"]["TrainJob"]["schema"]]
    while nodes:
        node = nodes.pop()
        if not isinstance(node, dict):
            continue
        reference = node.get("$ref")
        if reference and reference not in seen:
            seen.add(reference)
            nodes.append(raw["definitions"][reference])
        properties = node.get("properties", {})
        names.update(name.encode() for name in properties)
        nodes += [*properties.values(), node.get("items"), node.get("additionalProperties")]
    return names


def _newest(pins: list[Pin]) -> Detected:
    reason = "the newest release, for nothing here pins one"
    older = next((pin for pin in pins if pin.minor is not None), None)
    if older:
        reason = (
            f"the newest release; {older.file}:{older.line} pins {older.what} {older.version}, which has no TrainJob"
        )
    return Detected(NEWEST.name, reason, pinned=False)


def _minor(release: Release) -> tuple[int, int]:
    major, _, minor = release.name.partition(".")
    return int(major), int(minor)


def _text(minor: tuple[int, int]) -> str:
    return f"{minor[0]}.{minor[1]}"
