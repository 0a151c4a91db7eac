"""The plain tree: every object of every environment in a file of its own, for kubectl and for those who look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.generate.emitting import manifest
from trainergen.generate.layout import delivered_folder, file_name, units
from trainergen.generate.workspace_files import GeneratedFile

if TYPE_CHECKING:
    from trainergen.generate.resolved import Resolved


def files(resolved: Resolved) -> Iterator[GeneratedFile]:
    """The manifests, by environment and unit."""
    for environment in resolved.environments:
        for unit in units(resolved):
            folder = delivered_folder(resolved, unit, environment)
            for placed in unit.objects(environment):
                yield GeneratedFile(folder / file_name(placed), manifest(placed.object))
