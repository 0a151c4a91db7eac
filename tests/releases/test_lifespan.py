"""From which release to which something lasts."""

from __future__ import annotations

import pytest

from trainergen.releases import RELEASES, Lifespan, is_earlier

CASES = {
    "without bounds": (Lifespan(), ["2.0", "2.1", "2.2", "2.3"]),
    "since a release, which counts": (Lifespan(since="2.2"), ["2.2", "2.3"]),
    "until a release, which counts": (Lifespan(until="2.1"), ["2.0", "2.1"]),
    "in one release": (Lifespan("2.1", "2.1"), ["2.1"]),
}


@pytest.mark.parametrize(("lifespan", "covered"), CASES.values(), ids=CASES)
def test_covers(lifespan: Lifespan, covered: list[str]) -> None:
    assert [release.name for release in RELEASES if lifespan.covers(release.name)] == covered


def test_a_release_that_does_not_exist_is_a_mistake_in_the_model() -> None:
    with pytest.raises(ValueError, match=r"unknown Trainer release '2\.9'"):
        Lifespan(since="2.9")


def test_releases_are_in_order() -> None:
    assert is_earlier("2.0", "2.3")
    assert not is_earlier("2.3", "2.3")
