"""The findings about live objects are those of ``check`` about their manifests."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from trainergen_controller.audit import Auditor, audit, events_of

import trainergen
from tests.controller.passes.cluster import created
from tests.render.builders import container, runtime, trainer_job
from trainergen.finding import Severity
from trainergen.source.reader import read_documents

ROOT = Path(__file__).parents[3]
FILES = [*sorted((ROOT / "examples" / "valid").glob("*.yaml")), ROOT / "examples" / "faulty" / "resnet.yaml"]
SERVED = {
    "uid": "u-1",
    "resourceVersion": "5",
    "generation": 2,
    "creationTimestamp": "2026-03-01T11:59:00Z",
    "managedFields": [{"manager": "kubectl", "operation": "Apply", "fieldsV1": {}}],
}


def objects_of(path: Path) -> list[dict[str, Any]]:
    return [dict(each.object) for each in read_documents(path.read_bytes(), file=str(path)).documents]


def live(manifest: dict[str, Any]) -> dict[str, Any]:
    """As the API server shows it."""
    shown = deepcopy(manifest)
    shown["metadata"] |= SERVED
    shown["metadata"].setdefault("annotations", {})["kubectl.kubernetes.io/last-applied-configuration"] = "{}"
    return {**shown, "status": {"conditions": []}}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("profile", ["recommended", "strict"])
def test_an_audit_finds_what_a_check_of_the_file_finds(path: Path, profile: str, tmp_path: Path) -> None:
    objects = objects_of(path)
    auditor = Auditor(profile=profile)
    for number, each in enumerate(objects):
        if each["kind"] not in ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"):
            continue
        (tmp_path / "lookup").mkdir(exist_ok=True)
        (tmp_path / "lookup" / "all.yaml").write_text(yaml.safe_dump_all([o for o in objects if o is not each]))
        file = tmp_path / f"{number}.yaml"
        file.write_text(yaml.safe_dump(each, sort_keys=False))
        report = trainergen.check(file, release="2.3", profile=profile, runtimes=[tmp_path / "lookup"])
        mine = auditor.audit(live(each), [live(other) for other in objects if other is not each])
        wanted = sorted((found.rule, found.path, found.message) for found in report.findings)
        assert sorted((found.rule, found.path, found.message) for found in mine.findings) == wanted


def faulty() -> dict[str, Any]:
    """A TrainJob with errors."""
    return next(each for each in objects_of(FILES[-1]) if each["kind"] == "TrainJob")


def test_some_of_the_compared_files_have_findings() -> None:
    job = faulty()
    assert audit(live(job)).findings


def test_what_the_server_writes_into_an_object_is_no_fault_of_it() -> None:
    assert audit(live(created({"numNodes": 1})), [live(runtime())]).findings == ()


def test_runtimes_are_audited_too() -> None:
    found = audit(live(runtime(trainer_job(container("wrong")))))
    assert found.ref.kind == "ClusterTrainingRuntime"
    assert any(each.severity is Severity.ERROR for each in found.findings)
    assert (found.drift, found.failure) == ((), "")


def test_errors_and_warnings_are_told_in_one_event() -> None:
    job = faulty()
    told = [event for event in events_of(audit(live(job))) if event.reason == "FindingsReported"]
    [event] = told
    assert (event.type, event.action) == ("Warning", "Auditing")
    assert "error" in event.note
    assert len(event.note.encode()) <= 1024


def test_a_selection_of_rules_holds() -> None:
    job = faulty()
    every = audit(live(job)).findings
    one = every[0].rule
    assert {each.rule for each in Auditor(select=(one,)).audit(live(job)).findings} == {one}
    assert one not in {each.rule for each in Auditor(ignore=(one,)).audit(live(job)).findings}


def test_nothing_that_is_audited_is_changed() -> None:
    job, others = live(created()), [live(runtime())]
    before = deepcopy((job, others))
    audit(job, others)
    assert (job, others) == before
