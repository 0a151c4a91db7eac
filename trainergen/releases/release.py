"""The list of supported Trainer releases."""

from __future__ import annotations

from typing import NamedTuple

from trainergen.errors import TrainergenError
from trainergen.releases import reconciling as reconcile
from trainergen.releases import rendering as render
from trainergen.releases.behaviours import V2_0, V2_1, V2_2, V2_3, Behaviours


class Release(NamedTuple):
    """One Trainer release line and the versions it was built with."""

    name: str
    tag: str
    kubernetes: str
    jobset: str
    behaviours: Behaviours
    rendering: render.Rendering
    reconciling: reconcile.Reconciling


RELEASES: tuple[Release, ...] = (
    Release("2.0", "v2.0.1", "1.32", "0.8", V2_0, render.V2_0, reconcile.V2_0),
    Release("2.1", "v2.1.0", "1.34", "0.10", V2_1, render.V2_1, reconcile.V2_1),
    Release("2.2", "v2.2.1", "1.36", "0.11", V2_2, render.V2_2, reconcile.V2_2),
    Release("2.3", "v2.3.0", "1.36", "0.12", V2_3, render.V2_3, reconcile.V2_3),
)
NEWEST = RELEASES[-1]


def get_release(name: str) -> Release:
    """The release called ``name``; ``2.3``, ``v2.3.0`` and ``2.3.0`` are alike. Unknown names raise TrainergenError."""
    wanted = name.removeprefix("v")
    for release in RELEASES:
        if wanted == release.name or wanted.startswith(release.name + "."):
            return release
    known = ", ".join(release.name for release in RELEASES)
    raise TrainergenError(f"unknown Trainer release '{name}'", hint=f"Known releases: {known}.")
