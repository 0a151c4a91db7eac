"""What an upgrade of many files costs, as a ratio to checking them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bench.manifests import write_manifests
from tests.bench.test_speed import best_ratio
from trainergen.engine.options import CheckOptions
from trainergen.engine.run import run_check
from trainergen.engine.upgrading import UpgradeOptions, run_upgrade

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.bench

OVERRIDES = """\
  labels: {part: search}
  podTemplateOverrides:
    # where the GPUs are
    - targetJobs: [{name: node}]
      spec:
        nodeSelector: {pool: a100}
        tolerations:
          - key: nvidia.com/gpu # all of them
            operator: Exists
"""


def test_500_files_are_upgraded_in_at_most_five_times_the_time_of_a_check(tmp_path: Path) -> None:
    files = write_manifests(tmp_path, 667)
    for file in files:
        text = file.read_text()
        if "runtimePatches" in text:
            file.unlink()
        else:
            file.write_text(text + OVERRIDES)
    asked = UpgradeOptions((str(tmp_path),), "2.1", "2.3")
    report = run_upgrade(asked)
    assert len(report.to_write) == len(report.proofs) == 501
    check = CheckOptions((str(tmp_path),), "2.1", jobs=1)
    ratio = best_ratio(lambda: run_upgrade(asked), lambda: run_check(check), rounds=2)
    print(f"\nupgrade / check: {ratio:.2f}")
    assert ratio <= 5


def test_500_files_of_overlays_are_upgraded_in_at_most_five_times_the_time_of_a_check(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    job = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: job}\nspec:\n"
    job += "  runtimeRef: {name: torch-distributed}\n" + OVERRIDES
    for number in range(167):
        folder = tmp_path / f"team-{number}"
        folder.mkdir()
        (folder / "job.yaml").write_text(job.replace("name: job", f"name: job-{number}"))
        patches = "patches: [{path: pool.yaml, target: {kind: TrainJob}}]\n"
        (folder / "kustomization.yaml").write_text(f"resources: [job.yaml]\n{patches}")
        path = "/spec/podTemplateOverrides/0/spec/nodeSelector/pool"
        (folder / "pool.yaml").write_text(f"- op: replace\n  path: {path}\n  value: pool-{number}\n")
    asked = UpgradeOptions((str(tmp_path),), "2.1", "2.3")
    assert len(run_upgrade(asked).to_write) == 334
    check = CheckOptions((str(tmp_path),), "2.1", jobs=1)
    ratio = best_ratio(lambda: run_upgrade(asked), lambda: run_check(check), rounds=2)
    print(f"\nupgrade / check of overlays: {ratio:.2f}")
    assert ratio <= 5
