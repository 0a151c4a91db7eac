"""The tree for kustomize: a base and an overlay for each environment; what an overlay builds is the plain output."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.generate.component import component_files
from trainergen.generate.emitting import items, manifest
from trainergen.generate.kustomize.overlays import has_own_names, split
from trainergen.generate.layout import COMPONENT, delivered_folder, file_name, unit_folder, units
from trainergen.generate.names import KEY_LABEL
from trainergen.generate.workspace_files import GeneratedFile

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.generate.kustomize.overlays import Overlay, Patch
    from trainergen.generate.layout import Unit
    from trainergen.generate.resolved import Placed, Resolved

KUSTOMIZATION = "kustomization.yaml"


def files(resolved: Resolved) -> Iterator[GeneratedFile]:
    """Component, bases and overlays."""
    for file in component_files(resolved.release.name):
        yield GeneratedFile(COMPONENT / file.path, file.text)
    for unit in units(resolved):
        yield from _unit(resolved, unit)


def _unit(resolved: Resolved, unit: Unit) -> Iterator[GeneratedFile]:
    parts = split(unit, resolved.environments)
    base = unit_folder(resolved, unit) / "base"
    if parts.base:
        yield GeneratedFile(base / KUSTOMIZATION, _kustomization(_with_component(base), *_named(parts.base)))
        for placed in parts.base:
            yield GeneratedFile(base / file_name(placed), manifest(placed.object))
    for overlay in parts.overlays:
        folder = delivered_folder(resolved, unit, overlay.environment)
        yield GeneratedFile(folder / KUSTOMIZATION, _overlay(folder, base if parts.base else None, overlay))
        for placed in overlay.added:
            yield GeneratedFile(folder / file_name(placed), manifest(placed.object))
        for patch in overlay.patches:
            yield GeneratedFile(folder / _patch_name(patch), items(patch.operations))


def _named(placed: tuple[Placed, ...]) -> list[str]:
    return [file_name(each) for each in placed]


def _with_component(folder: PurePosixPath) -> JsonObject:
    return {"components": [_way(folder, COMPONENT)]}


def _way(start: PurePosixPath, target: PurePosixPath) -> str:
    return posixpath.relpath(str(target), str(start))


def _kustomization(fields: JsonObject, *resources: str) -> str:
    head: JsonObject = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    return manifest({**head, "resources": [*resources], **fields})


def _overlay(folder: PurePosixPath, base: PurePosixPath | None, overlay: Overlay) -> str:
    fields: JsonObject = {}
    if base is None:
        fields |= _with_component(folder)
    if overlay.namespace:
        fields["namespace"] = overlay.namespace
    if overlay.images:
        fields["images"] = [entry.written() for entry in overlay.images]
    if overlay.patches:
        fields["patches"] = [{"path": _patch_name(patch), "target": _target(patch)} for patch in overlay.patches]
    resources = [] if base is None else [_way(folder, base)]
    return _kustomization(fields, *resources, *_named(overlay.added))


def _patch_name(patch: Patch) -> str:
    return f"{file_name(patch.placed).removesuffix('.yaml')}.patch.yaml"


def _target(patch: Patch) -> JsonObject:
    obj = patch.placed.object
    group, _, version = str(obj["apiVersion"]).rpartition("/")
    target: JsonObject = {"group": group} if group else {}
    target |= {"version": version, "kind": obj["kind"]}
    if has_own_names(obj):
        # Not the name, which is that of the first environment and changes with it.
        return target | {"labelSelector": f"{KEY_LABEL}={text_at(obj, 'metadata', 'labels', KEY_LABEL)}"}
    return target | {"name": text_at(obj, "metadata", "name")}
