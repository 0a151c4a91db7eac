"""Jobs of the Training Operator in a run of check."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import trainergen
from tests.manifests import GOOD

LEGACY = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: mnist
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
            - name: pytorch
              image: example.org/mnist:1
"""


def found(tmp_path: Path, text: str, **options: object) -> list[tuple[str, str, int]]:
    (tmp_path / "job.yaml").write_text(text)
    report = trainergen.check(tmp_path, release="2.3", **options)  # type: ignore[arg-type]
    return [(each.rule, str(each.severity), each.line) for each in report.findings]


def test_a_legacy_job_gets_one_quiet_finding_that_it_can_be_migrated(tmp_path: Path) -> None:
    assert found(tmp_path, LEGACY) == [("TG189", "info", 2)]


def test_what_the_operator_would_refuse_is_found(tmp_path: Path) -> None:
    renamed = LEGACY.replace("replicas: 1", "replicas: 2").replace("name: pytorch", "name: main")
    faulty = renamed.replace("spec:\n", "spec:\n  replicas: 1\n", 1)
    rules = {rule for rule, severity, _ in found(tmp_path, faulty) if severity == "error"}
    assert rules == {"TG101", "TG182", "TG183"}


def test_the_layers_of_the_operator_can_be_chosen(tmp_path: Path) -> None:
    faulty = LEGACY.replace("replicas: 1", "replicas: 2").replace("spec:\n", "spec:\n  replicas: 1\n", 1)
    assert [rule for rule, _, _ in found(tmp_path, faulty, layers=["schema"])] == ["TG101"]
    assert [rule for rule, _, _ in found(tmp_path, faulty, layers=["webhook"])] == ["TG182"]


def test_a_check_without_legacy_jobs_loads_nothing_of_them(tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(GOOD)
    script = (
        "import sys, trainergen\n"
        f"trainergen.check({str(tmp_path)!r}, release='2.3')\n"
        "assert not [name for name in sys.modules if 'legacy' in name or 'migrate' in name]\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
