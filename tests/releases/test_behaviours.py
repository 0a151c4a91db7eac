"""The named behaviours of the releases."""

from __future__ import annotations

from itertools import pairwise

import pytest

from trainergen.releases import RELEASES, Behaviours


def test_each_release_is_checked_against_its_own_overrides_field():
    """It was renamed twice."""
    names = {release.name: release.behaviours.overrides_field for release in RELEASES}
    assert names == {
        "2.0": "podSpecOverrides",
        "2.1": "podTemplateOverrides",
        "2.2": "runtimePatches",
        "2.3": "runtimePatches",
    }


def test_plugins_are_only_ever_added():
    """So far."""
    for older, newer in pairwise(RELEASES):
        assert older.behaviours.plugins <= newer.behaviours.plugins


@pytest.mark.parametrize("name", Behaviours._fields)
def test_a_behaviour_tells_some_releases_apart(name):
    """One that is the same everywhere is no behaviour of a release."""
    values = [getattr(release.behaviours, name) for release in RELEASES]
    assert any(value != values[0] for value in values)
