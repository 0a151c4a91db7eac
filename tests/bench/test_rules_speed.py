"""What all rules cost, as a ratio to the run that asks for the cluster's verdict only."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

import pytest

from tests.bench.manifests import write_manifests
from tests.bench.test_speed import ADMISSION, best_ratio, run, seconds
from trainergen.engine.options import CheckOptions, layer_named
from trainergen.engine.run import run_check
from trainergen.rules.settings import RuleSettings

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.bench
AIM, BOUND = 3.0, 3.5
"""The aim holds on a machine that does nothing else; caches that others use, too, hit rules more than schemas."""


def test_all_rules_cost_at_most_three_times_the_admission_alone(tmp_path: Path) -> None:
    write_manifests(tmp_path, 1000)
    asked = CheckOptions((str(tmp_path),), "2.3", jobs=1, rules=RuleSettings("production"))
    report = run_check(asked)
    assert report.files == 1000
    # What rules find has to be placed, which composes the text again; how much there is to find is not their doing.
    silent = replace(asked, ignore=tuple(sorted({finding.rule for finding in report.findings})))
    assert run_check(silent).findings == ()
    alone = replace(asked, layers=frozenset(map(layer_named, ADMISSION)))
    # The middle one of many pairs, in processor time: both take long enough that a busy moment hits one of them.
    pairs = [
        (seconds(lambda: run_check(silent), time.process_time), seconds(lambda: run_check(alone), time.process_time))
        for _ in range(12)
    ]
    ratio = median(rules / admission for rules, admission in pairs)
    found = best_ratio(lambda: run_check(asked), lambda: run_check(alone), rounds=2)
    print(f"\nall rules / admission alone: {ratio:.2f} (aim {AIM}); with {len(report.findings)} findings: {found:.2f}")
    assert ratio <= BOUND


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
