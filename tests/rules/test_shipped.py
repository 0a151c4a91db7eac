"""What we ship is clean, what upstream ships gives only what can be defended, and everyday manifests give nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import trainergen
from tests.bench.manifests import write_manifests
from trainergen.engine.options import CheckOptions
from trainergen.engine.run import run_check
from trainergen.releases import NEWEST, RELEASES
from trainergen.rules.settings import RuleSettings

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from trainergen.report import Report

ROOT = Path(__file__).parents[2]


def check(*paths: Path, release: str, profile: str) -> Report:
    options = CheckOptions(paths=tuple(map(str, paths)), release=release, rules=RuleSettings(profile=profile), jobs=1)
    return run_check(options)


def test_the_recipes_are_clean_under_the_strictest_profile() -> None:
    assert check(ROOT / "runtimes" / "recipes", release=NEWEST.name, profile="production").findings == ()


@pytest.mark.parametrize("release", [release.name for release in RELEASES])
def test_shipped_runtimes_give_what_can_be_defended(
    release: str, snapshot_as: Callable[[str], SnapshotAssertion]
) -> None:
    # Each of these is true of the runtime as it is shipped: images without a tag (TG630), Pods that the restricted
    # level refuses (TG611), tokens mounted by default (TG622), no retries set (TG533), and what a later release takes
    # away (TG801). TG640: the Flux example has the label that switches the webhook off.
    report = check(ROOT / "runtimes" / release, release=release, profile="production")
    seen = Counter((Path(each.file).name, each.rule, each.name, str(each.severity)) for each in report.findings)
    lines = [
        f"{file}: {rule} {name} ({severity}) x{count}" for (file, rule, name, severity), count in sorted(seen.items())
    ]
    assert "\n".join(lines) + "\n" == snapshot_as("txt")


@pytest.mark.parametrize("release", [release.name for release in RELEASES])
def test_shipped_runtimes_are_silent_under_the_recommended_profile(release: str) -> None:
    report = check(ROOT / "runtimes" / release, release=release, profile="recommended")
    assert {(Path(each.file).name, each.rule) for each in report.findings} <= {("flux-distributed.yaml", "TG640")}


def test_valid_everyday_manifests_are_silent(tmp_path: Path) -> None:
    write_manifests(tmp_path, 40)
    assert trainergen.check([ROOT / "examples" / "valid", tmp_path], release=NEWEST.name).findings == ()
