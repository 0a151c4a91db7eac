"""From which Trainer release to which something exists; the only place that puts releases in order."""

from __future__ import annotations

from dataclasses import dataclass

from trainergen.releases.release import RELEASES

_ORDER = {release.name: number for number, release in enumerate(RELEASES)}


@dataclass(frozen=True, slots=True)
class Lifespan:
    """``since`` is the first release that has it, ``until`` the last; empty means no bound."""

    since: str = ""
    until: str = ""

    def __post_init__(self) -> None:
        for name in (self.since, self.until):
            if name and name not in _ORDER:
                raise ValueError(f"unknown Trainer release '{name}' in a lifespan")

    def covers(self, release: str) -> bool:
        """True when the release called ``release`` lies within."""
        place = _ORDER[release]
        after = self.since and place < _ORDER[self.since]
        before = self.until and place > _ORDER[self.until]
        return not (after or before)


def is_earlier(release: str, other: str) -> bool:
    """True when the release called ``release`` came before the one called ``other``."""
    return _ORDER[release] < _ORDER[other]
