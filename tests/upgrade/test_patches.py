"""Patches of kustomize: edited so that the build of the upgraded files is what the upgrade of the build would be."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent
from typing import TYPE_CHECKING

import pytest

from trainergen.engine.upgrading import UpgradeOptions, run_upgrade

if TYPE_CHECKING:
    from trainergen.upgrade.report import UpgradeReport

JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: mnist}
spec:
  runtimeRef: {name: torch-distributed}
"""
HEAD = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: mnist}\nspec:\n"
OVERRIDES = """\
  podTemplateOverrides:
    - targetJobs: [{name: node}]
      spec: {serviceAccountName: sa, nodeSelector: {pool: a}}
"""
PATCHED = "/spec/runtimePatches/0/trainingRuntimeSpec/template"
POD = f"{PATCHED}/spec/replicatedJobs/0/template/spec/template"


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def run(files: dict[str, str]) -> UpgradeReport:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(text.encode())
    return run_upgrade(UpgradeOptions((".",), "2.1", "2.3"))


def overlay(patch: str, *, base: str = JOB + OVERRIDES, target: str = "") -> dict[str, str]:
    return {
        "base/kustomization.yaml": "resources: [job.yaml]\n",
        "base/job.yaml": base,
        "prod/kustomization.yaml": f"resources: [../base]\npatches:\n  - path: p.yaml\n{target}",
        "prod/p.yaml": patch,
    }


def base_of(spec: str) -> str:
    return (JOB.replace("torch", "deepspeed") if "launcher" in spec else JOB) + spec


def written(report: UpgradeReport, name: str) -> str:
    return next((file.new.decode() for file in report.to_write if file.name == name), "")


TARGET = "    target: {kind: TrainJob}\n"
OPERATIONS = {
    "a field of the Pod": (
        OVERRIDES,
        "- op: replace\n  path: /spec/podTemplateOverrides/0/spec/nodeSelector/pool # the big ones\n  value: 'b' # b\n",
        f"- op: replace\n  path: {POD}/spec/nodeSelector/pool # the big ones\n  value: 'b' # b\n",
    ),
    "a mapping of the Pod with its text": (
        OVERRIDES,
        "- op: add\n  path: /spec/podTemplateOverrides/0/spec/affinity\n  value:\n    # why\n    nodeAffinity: {}\n",
        f"- op: add\n  path: {POD}/spec/affinity\n  value:\n    # why\n    nodeAffinity: {{}}\n",
    ),
    "several jobs by one operation": (
        OVERRIDES.replace("[{name: node}]", "[{name: node}, {name: launcher}]"),
        "# both\n- op: remove\n  path: /spec/podTemplateOverrides/0/spec/nodeSelector # away\n",
        (
            f"# both\n# away\n- op: remove\n  path: {POD}/spec/nodeSelector\n"
            f"- op: remove\n  path: {POD.replace('Jobs/0', 'Jobs/1')}/spec/nodeSelector\n"
        ),
    ),
    "an override more": (
        OVERRIDES + "  # launcher\n",
        (
            "- op: add\n  path: /spec/podTemplateOverrides/-\n"
            "  value: {targetJobs: [{name: launcher}], spec: {nodeSelector: {b: c}}}\n"
        ),
        (
            f"- op: add\n  path: {PATCHED}/spec/replicatedJobs/-\n"
            "  value:\n    name: launcher\n    template:\n      spec:\n"
            "        template:\n          spec:\n            nodeSelector:\n              b: c\n"
        ),
    ),
    "a label of the JobSet": (
        "  labels: {team: a}\n",
        "- {op: add, path: /spec/labels/team, value: b}\n- {op: add, path: /spec/suspend, value: true}\n",
        (
            f"- {{op: replace, path: {PATCHED}/metadata/labels/team, value: b}}\n"
            "- {op: add, path: /spec/suspend, value: true}\n"
        ),
    ),
    "the first label": (
        "",
        '[{"op": "add", "path": "/spec/labels", "value": {"a": "b"}}, {"op": "remove", "path": "/spec/runtimeRef"}]',
        (
            '[{"op": "add", "path": "/spec/runtimePatches", "value": [{"manager": "trainergen.io/upgrade", '
            '"trainingRuntimeSpec": {"template": {"metadata": {"labels": {"a": "b"}}}}}]}, '
            '{"op": "remove", "path": "/spec/runtimeRef"}]'
        ),
    ),
    "a test of what moved": (
        OVERRIDES,
        (
            "- op: test\n  path: /spec/podTemplateOverrides/0/targetJobs/0/name\n  value: node\n"
            "- op: replace\n  path: /spec/podTemplateOverrides/0/spec/serviceAccountName\n  value: other\n"
        ),
        (
            f"- op: test\n  path: {PATCHED}/spec/replicatedJobs/0/name\n  value: node\n"
            f"- op: replace\n  path: {POD}/spec/serviceAccountName\n  value: other\n"
        ),
    ),
    "processes by a word": (
        "  trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}\n",
        "- op: add\n  path: /spec/trainer/numProcPerNode\n  value: gpu\n",
        "- op: add\n  path: /spec/trainer/numProcPerNode\n  value: 4\n",
    ),
}


@pytest.mark.parametrize(("spec", "before", "after"), OPERATIONS.values(), ids=OPERATIONS.keys())
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_operations_go_where_the_upgrade_puts_what_they_change(
    spec: str, before: str, after: str, newline: str
) -> None:
    report = run(overlay(before.replace("\n", newline), base=base_of(spec), target=TARGET))
    assert written(report, "prod/p.yaml") == after.replace("\n", newline)
    assert report.findings == ()


@pytest.mark.parametrize(("spec", "before", "after"), OPERATIONS.values(), ids=OPERATIONS.keys())
def test_operations_in_a_kustomization_stay_in_their_block(spec: str, before: str, after: str) -> None:
    files = overlay("", base=base_of(spec))
    del files["prod/p.yaml"]
    head = "# ours\nresources: [../base]\npatches:\n  - target: {kind: TrainJob} # all\n    patch: |-\n"
    files["prod/kustomization.yaml"] = head + indent(before.rstrip("\n"), "        ") + "\nnamePrefix: x-\n"
    report = run(files)
    wanted = head + indent(after.rstrip("\n"), "        ") + "\nnamePrefix: x-\n"
    assert written(report, "prod/kustomization.yaml") == wanted
    assert report.findings == ()


MERGES = {
    "an override in place of that of the base": (
        OVERRIDES,
        "podTemplateOverrides:\n  - targetJobs: [{name: node}]\n    spec: {serviceAccountName: other} # prod\n",
        """\
        runtimePatches:
          - manager: trainergen.io/upgrade
            trainingRuntimeSpec:
              template:
                spec:
                  replicatedJobs:
                    - name: node
                      template:
                        spec:
                          template:
                            spec: {serviceAccountName: other} # prod
        """,
    ),
    "a label beside the override of the base": (
        OVERRIDES,
        "# a label\nlabels: {a: b}\n",
        """\
        # a label
        runtimePatches:
          - manager: trainergen.io/upgrade
            trainingRuntimeSpec:
              template:
                metadata:
                  labels:
                    a: b
                spec:
                  replicatedJobs:
                    - name: node
                      template:
                        spec:
                          template:
                            spec:
                              serviceAccountName: sa
                              nodeSelector:
                                pool: a
        """,
    ),
    "an override taken away": (OVERRIDES, "podTemplateOverrides: null\n", "runtimePatches: null\n"),
    "more GPUs for what counted them": (
        "  trainer: {numProcPerNode: gpu, resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}\n",
        "trainer:\n  resourcesPerNode:\n    limits: {nvidia.com/gpu: 8}\n",
        "trainer:\n  resourcesPerNode:\n    limits: {nvidia.com/gpu: 8}\n  numProcPerNode: 8\n",
    ),
    "nothing of what moves": (OVERRIDES, "suspend: true\n", ""),
}


@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize(("spec", "before", "after"), MERGES.values(), ids=MERGES.keys())
def test_strategic_merge_patches_give_what_the_patched_job_would_become(
    spec: str, before: str, after: str, inline: bool
) -> None:
    patch, wanted = HEAD + indent(before, "  "), HEAD + indent(dedent(after), "  ") if after else ""
    files = overlay(patch, base=base_of(spec))
    if inline:
        del files["prod/p.yaml"]
        head = "resources: [../base]\npatches:\n  - patch: |\n"
        files["prod/kustomization.yaml"] = head + indent(patch, "      ")
        wanted = head + indent(wanted, "      ") if wanted else ""
    report = run(files)
    assert written(report, "prod/kustomization.yaml" if inline else "prod/p.yaml") == wanted
    assert report.findings == ()


def test_a_patch_whose_base_is_elsewhere_is_edited_and_its_list_warned_of() -> None:
    report = run(
        {
            "kustomization.yaml": "resources: [https://example.org/base?ref=v1]\npatches: [{path: p.yaml}]\n",
            "p.yaml": HEAD + OVERRIDES,
        }
    )
    assert "runtimePatches" in written(report, "p.yaml")
    assert [(finding.rule, finding.file, finding.line) for finding in report.findings] == [("TG843", "p.yaml", 5)]


def test_a_base_that_is_not_among_the_paths_is_named() -> None:
    run(overlay(OPERATIONS["a field of the Pod"][1], target=TARGET))
    report = run_upgrade(UpgradeOptions(("prod",), "2.1", "2.3"))
    (file,) = report.to_write
    assert file.objects[0].notes[-1] == "upgrade base/job.yaml with it, which is not among the paths"


def test_patches_of_patched_bases_count_with_what_was_patched_before() -> None:
    files = overlay(HEAD + "  labels: {a: b}\n", base=JOB)
    files["top/kustomization.yaml"] = "resources: [../prod]\npatches:\n  - path: l.yaml\n" + TARGET
    files["top/l.yaml"] = "- op: add\n  path: /spec/labels/c\n  value: d\n"
    report = run(files)
    assert f"path: {PATCHED}/metadata/labels/c" in written(report, "top/l.yaml")
    assert report.findings == ()


def test_a_patch_that_means_different_things_to_two_jobs_is_reported() -> None:
    files = overlay(
        "- op: add\n  path: /spec/labels\n  value: {a: b}\n",
        base=JOB + "---\n" + JOB.replace("mnist", "x"),
        target=TARGET,
    )
    assert written(run(files), "prod/p.yaml")
    files["base/job.yaml"] += OVERRIDES
    report = run(files)
    assert written(report, "prod/p.yaml") == ""
    assert [(finding.rule, finding.file, finding.line) for finding in report.findings] == [("TG836", "prod/p.yaml", 2)]


def test_a_patch_that_takes_away_what_moved_is_no_longer_clear_once_the_base_is_upgraded() -> None:
    files = overlay(HEAD + "  podTemplateOverrides: null\n")
    files["prod/kustomization.yaml"] += "  - path: p.yaml\n"
    report = run(files)
    assert [finding.rule for finding in report.findings] == ["TG836"]
    for file in report.to_write:
        Path(file.name).write_bytes(file.new)
    again = run_upgrade(UpgradeOptions((".",), "2.1", "2.3"))
    assert again.files == ()
    assert [(finding.rule, finding.file, finding.line) for finding in again.findings] == [("TG836", "prod/p.yaml", 5)]


def test_an_upgraded_overlay_is_left_alone() -> None:
    files = overlay(OPERATIONS["a field of the Pod"][1], target=TARGET)
    for file in run(files).to_write:
        Path(file.name).write_bytes(file.new)
    again = run_upgrade(UpgradeOptions((".",), "2.1", "2.3"))
    assert (again.files, again.findings) == ((), ())


BROKEN = {
    "an operation that does not suit": "- op: remove\n  path: /spec/podTemplateOverrides/7\n",
    "no path": "- op: add\n",
    "a path that is a number": "- op: add\n  path: 3\n",
    "no operation": "- op: [x]\n  path: /spec/labels\n",
    "text": "just text\n",
    "no YAML": "- op: {\n",
    "nothing": "",
    "a directive": "$patch: delete\n" + HEAD + "  labels: {a: b}\n",
    "a list of numbers": "[1, 2]\n",
}


@pytest.mark.parametrize("patch", BROKEN.values(), ids=BROKEN.keys())
def test_patches_that_are_broken_are_left_as_they_are(patch: str) -> None:
    report = run(overlay(patch, target=TARGET))
    assert [file.name for file in report.to_write] == ["base/job.yaml"]
