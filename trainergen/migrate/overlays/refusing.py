"""What a kustomization can do to legacy jobs that is not followed: replacements, variables, plugins, schemas."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from trainergen.admission.legacy.kinds import KINDS
from trainergen.finding import Severity
from trainergen.migrate import catalogue as c
from trainergen.migrate.overlays.fieldspecs import fields_for
from trainergen.rules.tree import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding
    from trainergen.rules.part import Part
    from trainergen.rules.views.kustomization import Kustomization

_NAMES: Final = frozenset(each.kind for each in KINDS.values())
_KIND = re.compile(rf"\b({'|'.join(sorted(_NAMES))})\b")


def obstacles(kustomization: Kustomization) -> Iterator[Finding]:
    """The places that aim at legacy kinds and that nothing is written for, as errors with what to write."""
    for part in kustomization.parts("replacements"):
        yield from _replacement(kustomization, part)
    for part in kustomization.parts("vars"):
        if part.text("objref.kind") in _NAMES:
            yield _at(part.part("objref"), f"a variable is taken from a {part.text('objref.kind')}", _path(part))
    for key in ("transformers", "generators"):
        for at, name in enumerate(kustomization.texts(key)):
            data = kustomization.tree.read(join(kustomization.folder, name)) or b""
            match = _KIND.search(data.decode("utf-8", "replace"))
            if match is not None:
                yield _at(kustomization.part(key, at), f"'{name}' is about the kind {match[1]}", "")
    for kind in _NAMES:
        if kustomization.openapi and kustomization.merge_keys_known(kind):
            yield _at(kustomization.part("openapi"), f"a schema for {kind} lets lists of its patches merge by keys", "")


def _replacement(kustomization: Kustomization, part: Part) -> Iterator[Finding]:
    path = part.text("path")
    if path:
        data = kustomization.tree.read(join(kustomization.folder, path)) or b""
        match = _KIND.search(data.decode("utf-8", "replace"))
        if match is not None:
            yield _at(part, f"the replacements in '{path}' are about the kind {match[1]}", "")
        return
    if part.text("source.kind") in _NAMES:
        yield _at(part.part("source"), f"a replacement takes its value from a {part.text('source.kind')}", _path(part))
    for target in part.parts("targets"):
        kind = target.text("select.kind")
        if kind in _NAMES:
            new = [
                f"{written}: {' or '.join(f'{one} {place}' for one, place in places)}"
                for written in target.texts("fieldPaths")
                if (places := fields_for(re.sub(r"\.?\[[^]]*\]|\.", "/", written).replace("//", "/"), kind))
            ]
            yield _at(target, f"a replacement writes into a {kind}", "; ".join(new))


def _path(part: Part) -> str:
    return part.text("fieldref.fieldpath") or part.text("source.fieldPath")


def _at(part: Part, message: str, where: str) -> Finding:
    spot = part.at()
    places = f" ({where})" if where else ""
    finding = c.OVERLAY.at(
        spot.path,
        f"{message}, which is not written anew",
        help=f"Write it for the TrainJob, whose fields have other places{places}, or build it and migrate the outcome.",
    )
    return spot.where.document.place(replace(finding, severity=Severity.ERROR))
