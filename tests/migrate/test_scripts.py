"""Scripts and programs beside the manifests are searched, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.migrate.test_dependents import JOB
from trainergen.engine.migrating import MigrateOptions, run_migrate

FILES = {
    "run.sh": (
        (
            "#!/bin/sh\nkubectl wait pytorchjob/mnist --for=condition=Succeeded\nkubectl wait pytorchjob/x --for=y\n"
            "kubectl logs mnist-worker-0\nkubectl get pods -l training.kubeflow.org/job-name=mnist\n"
        ),
        [
            (2, "it runs 'kubectl wait pytorchjob'"),
            (4, "it names 'mnist-worker-0', a Pod of a legacy job"),
            (5, "it goes by 'training.kubeflow.org/job-name', a label of legacy Pods"),
        ],
    ),
    "submit.py": (
        (
            "from kubeflow.training import TrainingClient\nTrainingClient().create_job(job)\n"
            'api.create(group="kubeflow.org", plural="pytorchjobs")\njob = {"spec": {"tfReplicaSpecs": {}}}\n'
        ),
        [
            (1, "it uses 'kubeflow.training' of legacy jobs"),
            (3, "it uses 'pytorchjobs' of legacy jobs"),
            (4, "it uses 'tfReplicaSpecs' of legacy jobs"),
        ],
    ),
    "Makefile": ("wait:\n\tkubectl get tfjobs\n", [(2, "it runs 'kubectl get tfjobs'")]),
    "notes.md": ("kubectl get tfjobs\n", []),
    "other.py": ("from kubeflow.trainer import TrainerClient\n", []),
    "node_modules/a.sh": ("kubectl get tfjobs\n", []),
}


@pytest.mark.parametrize("name", FILES)
def test_lines_that_go_by_legacy_jobs_are_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("job.yaml").write_text(JOB)
    text, expected = FILES[name]
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text)
    report = run_migrate(MigrateOptions(paths=(".",), target="2.3"))
    found = [one for one in report.findings if one.rule == "TG805"]
    assert [(one.file, one.line, one.message) for one in found] == [(name, *each) for each in expected]
    assert run_migrate(MigrateOptions(paths=(".",), target="2.3", exclude=(name,))).findings == []


def test_a_file_is_said_to_go_by_them_ten_times_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("job.yaml").write_text(JOB)
    Path("run.sh").write_text("".join(f"kubectl logs mnist-worker-{at}\n" for at in range(30)))
    report = run_migrate(MigrateOptions(paths=(".",), target="2.3"))
    assert len(report.findings) == 10
