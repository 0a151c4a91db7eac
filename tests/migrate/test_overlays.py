"""Kustomizations are written anew with their legacy jobs: what is built migrated is what the built job becomes."""

from __future__ import annotations

import json
import shutil
import subprocess
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.migrate.overlay_trees import (
    BASE,
    HEAD,
    HELD,
    SELECTOR,
    SETTINGS,
    SPECS,
    TREES,
    WORKERS,
    inline,
    migrated,
    roles,
    tree,
)
from tests.migrate.test_nothing_is_lost import jobs
from trainergen.built.tools import find_kustomize
from trainergen.engine.migrating import MigrateOptions, run_migrate
from trainergen.migrate.overlays.difference import merge_patch, operations
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.migrate.report import MigrateReport


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


IN_2_1 = ("a field of the Pods of all roles", "fields of a configuration", "a field of one role")
"""Cases in which Trainer 2.1 has other fields."""


@pytest.mark.skipif(find_kustomize() is None, reason="no kustomize")
@pytest.mark.parametrize(("case", "target"), [*((case, "2.3") for case in TREES), *((case, "2.1") for case in IN_2_1)])
def test_what_is_built_migrated_is_what_the_built_job_becomes(case: str, target: str) -> None:
    report = migrated(TREES[case], target=target)
    said = [finding for finding in report.warnings if finding.rule in ("TG811", "TG899")]
    assert [f"{one.file}:{one.line}: {one.message}" for one in said if one.severity != "warning"] == []
    assert all(file.new is not None for file in report.files)
    assert len(report.files) > 1 or not any("patch" in one for one in TREES[case].values())


E14 = Path(__file__).parent / "kustomizations" / "E14"


def built(folder: str) -> object:
    tool = find_kustomize()
    assert tool is not None
    text = subprocess.run([*tool.command, folder], capture_output=True, check=True).stdout
    return [each.value for each in read_documents(text, file="").documents]


@pytest.mark.skipif(find_kustomize() is None, reason="no kustomize")
@pytest.mark.parametrize("target", ["2.2", "2.3"])
def test_the_worked_example_is_built_to_what_is_written_down(target: str) -> None:
    shutil.copytree(E14 / "v1", "tree")
    report = run_migrate(MigrateOptions(paths=("tree",), target=target))
    for file in report.files:
        assert file.new is not None
        Path(file.name).write_bytes(file.new)
    assert built("tree/overlays/prod") == built(str(E14 / "v2/overlays/prod"))
    assert built("tree/base") == built(str(E14 / "v2/base"))


def test_the_worked_example_comes_with_the_warnings_listed_for_it() -> None:
    shutil.copytree(E14 / "v1", "tree")
    report = run_migrate(MigrateOptions(paths=("tree",), target="2.3"))
    said = [(one.name, one.line, one.message) for one in report.warnings if one.file.startswith("tree/overlays")]
    assert said == [
        (
            "overlay-rewritten",
            12,
            (
                "the patch of PyTorchJob 'ranker' is written for TrainJob /spec/trainer/numNodes (8 nodes),"
                " TrainJob /spec/runtimePatches"
            ),
        ),
        (
            "patches-used",
            12,
            (
                "with it, settings of the Pods are runtimePatches of the manager 'trainergen.dev/v1-migration', which"
                " the webhook stamps with a time"
            ),
        ),
        (
            "overlay-rewritten",
            8,
            "images does not know spec/trainer/image, so that a configuration with it is added",
        ),
        (
            "overlay-rewritten",
            8,
            "a changed name does not reach spec/runtimeRef/name, so that a configuration with it is added",
        ),
    ]
    assert {"retries-counted-differently", "clean-pod-policy"} <= {one.name for one in report.warnings}


def text_of(report: MigrateReport, name: str) -> str:
    (file,) = [file for file in report.files if file.name == name]
    assert file.new is not None
    return file.new.decode()


def test_what_is_not_rewritten_stays_as_it_is_written() -> None:
    patches = """\
        # of the platform
        patches:
          - target: {kind: Deployment}   # not ours
            patch: '[]'
          # more workers
          - target:
              kind: PyTorchJob  # ours
            patch: |-
              # seven
              - {op: replace, path: /spec/pytorchReplicaSpecs/Worker/replicas, value: 7}
          - path: other.yaml # neither

        labels: [{pairs: {a: b}}]   # at the end
        """
    files = tree(patches, {"prod/other.yaml": SETTINGS, "base/kustomization.yaml": "resources: [job.yaml, s.yaml]\n"})
    report = migrated({**files, "base/s.yaml": SETTINGS})
    assert text_of(report, "prod/kustomization.yaml") == HEAD + textwrap.dedent("""\
        # of the platform
        patches:
          - target: {kind: Deployment}   # not ours
            patch: '[]'
          # more workers
          # ours
          - target:
              group: trainer.kubeflow.org
              kind: TrainJob
            patch: |
              # seven
              - op: replace
                path: /spec/trainer/numNodes
                value: 8
          - path: other.yaml # neither

        labels: [{pairs: {a: b}}]   # at the end
        """)


def test_a_file_whose_patch_goes_elsewhere_says_so() -> None:
    patches = inline(roles("template/spec/nodeSelector", "{pool: a100}", "Worker")).removeprefix("patches:\n")
    files = {"prod/master.yaml": roles("template/spec/nodeSelector", "{pool: a100}", "Master")}
    report = migrated(tree("patches:\n  - target: {kind: PyTorchJob}\n    path: master.yaml\n" + patches, files))
    kustomization = text_of(report, "prod/kustomization.yaml")
    assert kustomization.count("- target:") == 1
    assert "path: master.yaml" not in kustomization
    assert text_of(report, "prod/master.yaml").startswith("# What was here is part of the kustomizations")


def test_a_file_that_overlays_share_is_written_once_where_all_want_the_same() -> None:
    patch = "patches:\n  - target: {kind: PyTorchJob}\n    path: ../shared.yaml\n"
    files = {
        **BASE,
        "shared.yaml": SELECTOR,
        "one/kustomization.yaml": "resources: [../base]\n" + patch,
        "two/kustomization.yaml": "resources: [../base]\n" + patch,
    }
    report = migrated(files)
    assert "path: /spec/runtimePatches\n" in text_of(report, "shared.yaml")
    assert "path: ../shared.yaml\n" in text_of(report, "one/kustomization.yaml")
    first = inline(
        f"- {{op: add, path: {SPECS}/Master/template/spec/nodeSelector, value: {{a: b}}}}\n"
        f"- {{op: add, path: {SPECS}/Worker/template/spec/nodeSelector, value: {{a: b}}}}\n"
    )
    files["two/kustomization.yaml"] = "resources: [../base]\n" + first + patch.removeprefix("patches:\n")
    report = migrated(files)
    assert text_of(report, "shared.yaml").startswith("# What was here is part of the kustomizations")
    assert "path: /spec/runtimePatches\n" in text_of(report, "one/kustomization.yaml")
    assert "/0/template/spec/template/spec/nodeSelector/pool\n" in text_of(report, "two/kustomization.yaml")


@pytest.mark.parametrize("case", HELD)
def test_a_job_that_cannot_be_followed_stays_with_all_that_goes_with_it(case: str) -> None:
    files, line, words = HELD[case]
    report = migrated(files)
    assert all(file.new is None for file in report.files)
    errors = [one for one in report.warnings if one.rule == "TG811" and one.severity == "error"]
    assert any((one.file, one.line) == ("prod/kustomization.yaml", line) and words in one.message for one in errors)
    (base,) = [file for file in report.files if file.name == "base/job.yaml"]
    assert "it goes with 'prod/kustomization.yaml:" in base.findings[0].message
    accepted = MigrateOptions(paths=(".",), target="2.3", accepted=frozenset({"overlay-rewritten"}))
    (base,) = [file for file in run_migrate(accepted).files if file.name == "base/job.yaml"]
    assert base.new is not None


def test_a_patch_of_a_job_that_is_not_there_is_said() -> None:
    report = migrated({"prod/kustomization.yaml": inline(WORKERS)})
    (file,) = report.files
    (finding,) = file.findings
    assert (file.name, file.new) == ("prod/kustomization.yaml", None)
    assert (finding.rule, finding.line) == ("TG899", 2)
    assert finding.message == "the patch is for a PyTorchJob that is not among the jobs migrated here"


def test_kustomizations_that_refer_to_each_other_end() -> None:
    files = tree(inline(WORKERS), {"base/kustomization.yaml": "resources: [job.yaml, ../prod]\n"})
    assert migrated(files).files


@pytest.mark.skipif(find_kustomize() is None, reason="no kustomize")
def test_what_would_be_built_otherwise_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    from trainergen.migrate.overlays import patches

    wrong = [{"op": "replace", "path": "/spec/trainer/numNodes", "value": 9}]
    monkeypatch.setattr(patches, "content", lambda *_: wrong)
    report = migrated(TREES["the number of workers"])
    (finding,) = [one for one in report.warnings if one.severity == "error" and one.rule == "TG811"]
    assert finding.message.startswith("TrainJob 'ranker-prod' would not be what the built job becomes; what is")
    assert "/JobSet ranker-prod/spec/replicatedJobs/0/template/spec/parallelism" in finding.message
    assert all(file.new is None for file in report.files)


def test_without_kustomize_it_is_said_that_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trainergen.engine.migrating_proof.find_kustomize", lambda: None)
    report = migrated(TREES["the number of workers"])
    assert all(file.new is not None for file in report.files)
    assert any("it is not proved" in one.message for one in report.warnings)


@pytest.mark.skipif(find_kustomize() is None, reason="no kustomize")
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_patch_of_any_job_is_written_for_what_it_becomes(data: st.DataObject) -> None:
    job = data.draw(jobs())
    other = data.draw(
        jobs().filter(lambda each: (each["apiVersion"], each["kind"]) == (job["apiVersion"], job["kind"]))
    )
    other["metadata"] = job["metadata"] = {"name": "job", "namespace": "ns"}
    changes = operations(job, other)
    if data.draw(st.booleans()):
        entry: dict[str, Any] = {"target": {"kind": job["kind"]}, "patch": json.dumps(changes)}
    else:
        kept = {key: job[key] for key in ("apiVersion", "kind", "metadata")}
        entry = {"patch": yaml.safe_dump({**merge_patch(job, other), **kept})}
    patches = [entry] if changes else []
    report = migrated(
        {
            "base/job.yaml": json.dumps(job),
            "base/kustomization.yaml": "resources: [job.yaml]\n",
            "prod/kustomization.yaml": yaml.safe_dump(
                {"resources": ["../base"], "patches": patches, "nameSuffix": "-a"}
            ),
        }
    )
    said = [one.message for one in report.warnings if one.rule == "TG811" and one.severity != "warning"]
    # What is lost on the way, such as a rank that no shell can count, keeps all of it from being written.
    assert [message for message in said if "cannot be written" not in message] == []
    assert all(file.new is not None for file in report.files) or said


def test_an_overlay_waits_for_its_base() -> None:
    elastic = BASE["base/job.yaml"].replace("spec:\n", "spec:\n  elasticPolicy: {maxReplicas: 4}\n", 1)
    files = tree(inline(WORKERS), {"base/job.yaml": elastic})
    report = migrated(files)
    assert {file.name for file in report.files} == {"base/job.yaml", "prod/kustomization.yaml"}
    assert all(file.new is None for file in report.files)
    (kustomization,) = [file for file in report.files if file.name == "prod/kustomization.yaml"]
    assert kustomization.findings[-1].message.startswith("it is left alone, since it goes with 'base/job.yaml'")
    options = MigrateOptions(paths=(".",), target="2.3", accepted=frozenset({"elastic-size-fixed"}))
    assert all(file.new is not None for file in run_migrate(options).files)


def test_fields_of_a_configuration_are_those_of_the_release() -> None:
    for target, path in (
        ("2.1", "spec/podTemplateOverrides/spec/containers"),
        ("2.3", "replicatedJobs/template/spec/te"),
    ):
        report = migrated(TREES["fields of a configuration"], target=target)
        text = text_of(report, "prod/fields.yaml")
        assert text.startswith("# names\nnameReference:\n")
        assert path in text
        assert "PyTorchJob" not in text
