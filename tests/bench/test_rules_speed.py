"""What all rules cost, as a ratio to the run that asks for the cluster's verdict only."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import trainergen
from tests.bench.manifests import write_manifests
from tests.bench.test_speed import ADMISSION, best_ratio, run

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.bench


def test_all_rules_cost_at_most_three_times_the_admission_alone(tmp_path: Path) -> None:
    write_manifests(tmp_path, 1000)
    report = trainergen.check(tmp_path, release="2.3", jobs=1, profile="production")
    assert report.files == 1000
    ratio = best_ratio(
        lambda: trainergen.check(tmp_path, release="2.3", jobs=1, profile="production"),
        lambda: trainergen.check(tmp_path, release="2.3", jobs=1, layers=ADMISSION),
        rounds=5,
    )
    print(f"\nall rules / admission alone, 1,000 TrainJobs: {ratio:.2f}")
    assert ratio <= 3


def test_a_cold_check_imports_only_rules_that_can_apply(tmp_path: Path) -> None:
    (file,) = write_manifests(tmp_path, 1)
    script = (
        "import json, sys\nfrom trainergen.cli import main\n"
        "main(['check', sys.argv[1], '--release', '2.3', '--format', 'json', '--profile', 'minimal'])\n"
        "sys.stderr.write(json.dumps([name for name in sys.modules if name.startswith('trainergen.rules.')]))\n"
    )
    ran = subprocess.run([sys.executable, "-c", script, str(file)], capture_output=True, text=True, check=True)
    loaded = json.loads(ran.stderr)
    assert not [name for name in loaded if ".gitops." in name or ".upgrade." in name or name.endswith(".pages")]


def test_a_run_without_advice_loads_none_of_it(tmp_path: Path) -> None:
    (file,) = write_manifests(tmp_path, 1)
    script = (
        "import sys\nfrom trainergen.cli import main\n"
        "assert main(['check', sys.argv[1], '--release', '2.3', '--layer', 'yaml,schema,cel,webhook']) == 0\n"
        "print([n for n in sys.modules if n.startswith(('trainergen.rules.', 'trainergen.render'))])\n"
    )
    assert run("-c", script, str(file)).stdout.endswith("['trainergen.rules.settings']\n")
