"""What runs beside a release: the table, and which versions fit it."""

from __future__ import annotations

import pytest

from trainergen.releases import RELEASES
from trainergen.releases.companions import COMPANIONS, companion_pins

FITS = {
    ("2.1", "Kueue", "0.16.4"): True,
    ("2.1", "Kueue", "v0.17.0"): False,
    ("2.2", "Kueue", "0.16.4"): False,
    ("2.3", "JobSet", "0.12.0"): True,
    ("2.3", "JobSet", "~0.11"): False,
    ("2.3", "JobSet", "0.13.1"): False,
    ("2.2", "Kubernetes", "v1.29.4@sha256:1"): True,
    ("2.3", "Kubernetes", "1.30"): False,
    ("2.3", "Kubernetes", "latest"): None,
    ("2.3", "Kueue", ">=0.1"): None,
}


@pytest.mark.parametrize(("case", "fits"), FITS.items(), ids=[" ".join(case) for case in FITS])
def test_versions_fit_a_release_or_not(case: tuple[str, str, str], fits: bool | None) -> None:
    release, name, version = case
    (companion,) = [one for one in COMPANIONS[release] if one.name == name]
    assert companion.fits(version) is fits


@pytest.mark.parametrize("release", [release.name for release in RELEASES])
def test_every_release_has_companions_whose_own_versions_fit(release: str) -> None:
    found = COMPANIONS[release]
    assert {"Kubernetes", "JobSet", "Kueue"} <= {one.name for one in found}
    assert all(one.fits(one.version) for one in found)


@pytest.mark.parametrize(
    "text", [b"# name: kueue\nversion: 0.16.1\n", b"name: kueues\nversion: 0.16.1\n", b"", b"\xff\xfe name: kueue"]
)
def test_comments_and_other_names_fix_nothing(text: bytes) -> None:
    assert companion_pins("a.yaml", text) == []
