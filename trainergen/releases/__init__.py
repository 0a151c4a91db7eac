"""Trainer releases as data: field lifespans are keyed by them, behaviours hang on them."""

from trainergen.releases.behaviours import Behaviours
from trainergen.releases.lifespan import Lifespan, is_earlier
from trainergen.releases.reconciling import Reconciling
from trainergen.releases.release import NEWEST, RELEASES, Release, get_release
from trainergen.releases.rendering import Rendering

__all__ = [
    "NEWEST",
    "RELEASES",
    "Behaviours",
    "Lifespan",
    "Reconciling",
    "Release",
    "Rendering",
    "get_release",
    "is_earlier",
]
