"""How fast `check` is, always as a ratio to a reference that ran in the same minute on the same machine."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import trainergen
from tests.bench.manifests import write_manifests

pytestmark = pytest.mark.bench

FAST = importlib.util.find_spec("cel_expr_python") is not None
ROUNDS = 5
ADMISSION = ("yaml", "schema", "cel", "webhook")
"""The verdict of the cluster, without the advice of rules, whose cost ``test_rules_speed`` measures."""


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    work()
    return clock() - start


def best_ratio(work: Callable[[], object], reference: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The ratio of the best times, the two measured in turn so that a busy minute hits both."""
    pairs = [(seconds(work), seconds(reference)) for _ in range(rounds)]
    return min(mine for mine, _ in pairs) / min(other for _, other in pairs)


def load_all(files: list[Path]) -> None:
    for file in files:
        with file.open("rb") as stream:
            yaml.load(stream.read(), yaml.CSafeLoader)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    # Bytecode is what an installed tool has; without it each cold start would compile the sources anew.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True, env=environment)


def test_a_thousand_files_cost_at_most_six_times_what_loading_them_does(tmp_path: Path) -> None:
    files = write_manifests(tmp_path, 1000)
    report = trainergen.check(tmp_path, release="2.3", jobs=1, layers=ADMISSION)
    assert (report.files, report.findings) == (1000, ())
    ratio = best_ratio(
        lambda: trainergen.check(tmp_path, release="2.3", jobs=1, layers=ADMISSION), lambda: load_all(files), rounds=3
    )
    print(f"\ncheck / PyYAML's C loader, 1,000 files, one process: {ratio:.2f}")
    assert ratio <= (3 if FAST else 6)


def test_a_thousand_files_with_all_default_rules_stay_below_six_times_too(tmp_path: Path) -> None:
    files = write_manifests(tmp_path, 1000)
    ratio = best_ratio(lambda: trainergen.check(tmp_path, release="2.3", jobs=1), lambda: load_all(files), rounds=3)
    print(f"\ncheck with rules / PyYAML's C loader, 1,000 files, one process: {ratio:.2f}")
    assert ratio <= 6


def test_one_small_file_costs_at_most_fifteen_starts_of_python(tmp_path: Path) -> None:
    (file,) = write_manifests(tmp_path, 1)
    run("-m", "trainergen", "check", str(file), "--release", "2.3")
    ratio = best_ratio(
        lambda: run("-m", "trainergen", "check", str(file), "--release", "2.3"), lambda: run("-c", "pass"), rounds=15
    )
    print(f"\ncold check / python -c pass: {ratio:.2f}")
    assert ratio <= 15


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core")
def test_two_cores_are_faster_than_one_on_many_files(tmp_path: Path) -> None:
    write_manifests(tmp_path, 3000)
    ratio = best_ratio(
        lambda: trainergen.check(tmp_path, release="2.3", jobs=2),
        lambda: trainergen.check(tmp_path, release="2.3", jobs=1),
        rounds=3,
    )
    print(f"\ntwo processes / one, 3,000 files: {ratio:.2f}")
    assert ratio < 0.9


def test_five_thousand_files_take_at_most_three_hundred_megabytes(tmp_path: Path) -> None:
    write_manifests(tmp_path, 5000)
    script = (
        "import resource, sys, trainergen\n"
        "report = trainergen.check(sys.argv[1], release='2.3', jobs=1)\n"
        "assert report.files == 5000\n"
        "unit = 1 if sys.platform == 'darwin' else 1024\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)\n"
    )
    peak = int(run("-c", script, str(tmp_path)).stdout)
    print(f"\npeak memory for 5,000 files: {peak / 1e6:.0f} MB")
    assert peak <= 300e6


def test_the_check_path_imports_nothing_heavy(tmp_path: Path) -> None:
    (file,) = write_manifests(tmp_path, 1)
    script = (
        "import sys\nfrom trainergen.cli import main\n"
        "assert main(['check', sys.argv[1], '--release', '2.3']) == 0\n"
        "print('\\n'.join(sys.modules))\n"
    )
    modules = set(run("-c", script, str(file)).stdout.split())
    heavy = {"kubernetes", "pydantic", "celpy", "cel_expr_python", "jsonschema", "ruamel.yaml", "subprocess", "asyncio"}
    assert not modules & heavy
