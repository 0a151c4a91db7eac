"""The rules on legacy jobs: what they leave alone, and that nobody else pays for them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.rules.running import described, scanned, told
from trainergen.engine.options import CheckOptions
from trainergen.engine.run import run_check
from trainergen.source.classify import LEGACY_KINDS

EXAMPLES = Path(__file__).parents[1] / "migrate" / "examples"
JOB = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: resnet
spec:
  {spec}
  pytorchReplicaSpecs:
    {role}:
      replicas: {replicas}
      template:
        spec:
          containers:
            - name: pytorch
              image: ghcr.io/example/train:1.0
              command: {command}
"""
QUIET = {
    "Workers that are told of the first": (
        "Worker",
        4,
        "[torchrun, '--rdzv_endpoint=resnet-worker-0:29400', a.py]",
        "",
    ),
    "Workers with a launcher of their own": ("Worker", 4, "[deepspeed, train.py]", ""),
    "Workers that run a script of the image": ("Worker", 4, "[bash, start.sh]", ""),
    "one Worker that needs nobody": ("Worker", 1, "[python, train.py]", ""),
    "an elastic job that torchrun starts": ("Worker", 4, "[torchrun, a.py]", "elasticPolicy: {minReplicas: 1}"),
    "an elastic job that Python starts torchrun in": (
        "Worker",
        4,
        "[python, -m, torch.distributed.run, a.py]",
        "elasticPolicy: {minReplicas: 1}",
    ),
    "processes that a module starts": (
        "Master",
        1,
        "[python, -m, accelerate.commands.launch, a.py]",
        'nprocPerNode: "8"',
    ),
    "one process on each node": ("Master", 1, "[python, train.py]", 'nprocPerNode: "1"'),
    "as many processes as there are GPUs": ("Master", 1, "[python, train.py]", "nprocPerNode: auto"),
}


def found_in(folder: Path) -> list[str]:
    (folder / ".git").mkdir()
    return described(told(run_check(CheckOptions(paths=(str(folder),), release="2.3", jobs=1))))


@pytest.mark.parametrize("case", QUIET)
def test_what_works_is_left_alone(case: str, tmp_path: Path) -> None:
    role, replicas, command, spec = QUIET[case]
    text = JOB.format(role=role, replicas=replicas, command=command, spec=spec or "runPolicy: {}")
    (tmp_path / "job.yaml").write_text(text)
    assert found_in(tmp_path) == []


def test_the_worked_examples_of_migrations_have_nothing_but_dead_variables(tmp_path: Path) -> None:
    for file in EXAMPLES.glob("*.v1.yaml"):
        # The one that is for another operator than the rest is a case of its own.
        if file.name != "E07.v1.yaml":
            shutil.copy(file, tmp_path)
    found = found_in(tmp_path)
    assert {line.split()[1] for line in found} == {"TG450"}, found


def test_rules_on_legacy_jobs_are_called_for_no_other_kind() -> None:
    rules = [rule for rule in scanned().values() if rule.family == "frameworks.legacy"]
    assert len(rules) > 10
    assert [rule.id for rule in rules if not set(rule.kinds) <= LEGACY_KINDS] == []
