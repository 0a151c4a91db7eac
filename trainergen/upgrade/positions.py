"""JSON patches on shipped runtimes that go by the position of a job, where the release has another order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, names_in, object_at, text_at
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.source.reader import read_documents
from trainergen.upgrade.checks import POSITION_MOVED
from trainergen.upgrade.work import RUNTIMES

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonValue, Path
    from trainergen.releases import Release
    from trainergen.source.document import Document

_POINTER = re.compile(r"/spec/template/spec/replicatedJobs/(\d+)(?:/|$)")
Reader = Callable[[str], bytes]
"""The bytes of a file named in a kustomization, none when it cannot be had."""


def moved_positions(kustomization: Document, read: Reader, old: Release, new: Release) -> Iterator[Finding]:
    """The entries of a kustomization with patches that would meet another job in ``new`` than in ``old``."""
    for key in ("patches", "patchesJson6902"):
        for at, entry in enumerate(list_at(kustomization.object, key)):
            target = object_at(entry, "target")
            if text_at(target, "kind") not in ("", *RUNTIMES) or not target:
                continue
            text = text_at(entry, "patch").encode() or (read(text_at(entry, "path")) if text_at(entry, "path") else b"")
            for name, position in _hits(text, text_at(target, "name"), old, new):
                yield kustomization.place(_moved((key, at), name, position, releases=(old, new)))


def _moved(place: Path, name: str, position: int, *, releases: tuple[Release, Release]) -> Finding:
    old, new = releases
    before, after = _jobs(old, name)[position], _jobs(new, name)
    remedy = f"{new.name} has no job '{before}'; see what the patch is still for."
    if before in after:
        remedy = f"Patch replicatedJobs/{after.index(before)}, or use a patch that goes by name."
    return POSITION_MOVED.at(
        place,
        f"the patch changes replicatedJobs/{position} of '{name}', which is '{before}' in {old.name} and "
        f"'{after[position]}' in {new.name}",
        help=remedy,
    )


def _hits(text: bytes, wanted: str, old: Release, new: Release) -> Iterator[tuple[str, int]]:
    """The runtimes and positions that a patch changes and where the two releases have different jobs."""
    positions = sorted({position for one in read_documents(text, file="").documents for position in _used(one.value)})
    for name in sorted(shipped_runtimes(old.name).keys() & shipped_runtimes(new.name).keys()):
        if not _selects(wanted, name):
            continue
        before, after = _jobs(old, name), _jobs(new, name)
        for position in positions:
            if position < min(len(before), len(after)) and before[position] != after[position]:
                yield name, position


def _used(value: JsonValue) -> Iterator[int]:
    for operation in value if isinstance(value, list) else []:
        match = _POINTER.match(text_at(operation, "path"))
        if match is not None:
            yield int(match[1])


def _jobs(release: Release, name: str) -> list[str]:
    return names_in(list_at(shipped_runtimes(release.name)[name], "spec", "template", "spec", "replicatedJobs"))


def _selects(wanted: str, name: str) -> bool:
    """Whether the name of a target, a regular expression to kustomize, means a runtime."""
    try:
        return re.fullmatch(wanted or ".*", name) is not None
    except re.error:
        return False
