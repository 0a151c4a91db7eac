"""The notes of a job name what the migrated job really is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import trainergen
from trainergen.migrate import migrate

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.v1.yaml"))
SUBJECTS = (
    *("condition=Complete", "Condition Failed", "condition Running", "startTime", "status.jobsStatus", "events"),
    *("jobset.sigs.k8s.io/jobset-name=", "jobset.sigs.k8s.io/replicatedjob-name=", "job-completion-index="),
    *("five random characters", "headless Service", "kubectl logs -l", "kubectl exec", "TrainerClient"),
    *("jobsets.jobset.x-k8s.io", "count/trainjobs.trainer.kubeflow.org", "NetworkPolicies", "training_operator_jobs_*"),
    *("A finished TrainJob stays",),
)
"""What a script or dashboard can go by."""


def pods(objects: tuple[Any, ...]) -> dict[str, dict[str, Any]]:
    job = next(each for each in objects if each["kind"] == "TrainJob")
    rendered = trainergen.render(job, [each for each in objects if each is not job])
    return {
        pod.hostname: {"kind": kind.name, "index": pod.index, "containers": {each.name for each in kind.containers}}
        for kind in rendered.pods().kinds
        for pod in kind.pods()
    }


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_everything_that_watches_a_job_is_told(path: Path) -> None:
    notes = "\n".join(migrate(yaml.safe_load(path.read_text())).notes)
    assert [subject for subject in SUBJECTS if subject not in notes] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_pods_that_notes_name_are_rendered(path: Path) -> None:
    migration = migrate(yaml.safe_load(path.read_text()))
    known = pods(migration.objects)
    for note in migration.notes:
        for index in range(2):
            named = note.replace("I+1", str(index + 1)).replace("-I", f"-{index}")
            match = re.search(r"the address '([^'.]+)\.", named)
            if match is not None and (index == 0 or match[1] in known):
                assert match[1] in known
                assert f"replicatedjob-name={known[match[1]]['kind']}," in named
    (logs,) = [note for note in migration.notes if note.startswith("Logs: ")]
    job = re.search(r"replicatedjob-name=([\w-]+)", logs)
    assert job is not None
    name = migration.objects[-1]["metadata"]["name"]  # type: ignore[index, call-overload]
    assert logs.rpartition(" -c ")[2] in known[f"{name}-{job[1]}-0-0"]["containers"]
