"""Patches of kustomize on runtimes: what they say of processes is gone, and that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.upgrade.manifests import job, runtime
from trainergen.engine.upgrading import UpgradeOptions, run_upgrade

PLACE = "/spec/mlPolicy/torch/numProcPerNode"
IMAGE = "- op: add\n  path: /metadata/labels\n  value: {a: b}\n"
HEAD = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata: {name: torch-distributed}\n"
CASES = {
    "an operation among others": (
        f"- op: add\n  path: {PLACE}\n  value: 8\n{IMAGE}",
        IMAGE,
        [("TG842", 2)],
    ),
    "what is the default": (f"- op: add\n  path: {PLACE}\n  value: auto\n{IMAGE}", IMAGE, []),
    "a whole policy": (
        "- op: add\n  path: /spec/mlPolicy\n  value: {numNodes: 2, torch: {numProcPerNode: 8}}\n",
        "- op: add\n  path: /spec/mlPolicy/numNodes\n  value: 2\n",
        [("TG842", 2)],
    ),
    "the only operation": (f"- op: add\n  path: {PLACE}\n  value: 8\n", "", [("TG836", 2)]),
    "a strategic merge": (
        f"{HEAD}spec:\n  mlPolicy:\n    numNodes: 2\n    torch:\n      numProcPerNode: 8\n",
        f"{HEAD}spec:\n  mlPolicy:\n    numNodes: 2\n    torch: {{}}\n",
        [("TG842", 8)],
    ),
}


@pytest.mark.parametrize(("before", "after", "rules"), CASES.values(), ids=CASES.keys())
def test_what_a_patch_said_of_processes_goes_with_a_word(
    before: str, after: str, rules: list[tuple[str, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("runtime.yaml").write_text(runtime("{}").replace("torch:\n      {}", "torch: {}"))
    target = "target: {kind: ClusterTrainingRuntime}" if before.startswith("-") else "options: {}"
    Path("kustomization.yaml").write_text(f"resources: [runtime.yaml]\npatches:\n  - path: p.yaml\n    {target}\n")
    Path("p.yaml").write_text(before)
    report = run_upgrade(UpgradeOptions((".",), "2.1", "2.3"))
    assert "".join(file.new.decode() for file in report.to_write) == after
    assert [(finding.rule, finding.line) for finding in report.findings] == rules


def test_a_kustomization_without_suffix_and_a_patch_in_json_are_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("job.yaml").write_text(job("labels: {a: b}"))
    inline = '  - target: {kind: TrainJob}\n    patch: \'[{"op": "remove", "path": "/spec/labels/a"}]\'\n'
    listed = "resources: [job.yaml]\npatches:\n  - {path: p.json, target: {kind: TrainJob}}\n"
    Path("Kustomization").write_text(listed + inline)
    Path("p.json").write_text('[\n  {"op": "replace", "path": "/spec/labels/a", "value": "c"}\n]\n')
    new = {file.name: file.new.decode() for file in run_upgrade(UpgradeOptions((".",), "2.1", "2.3")).to_write}
    place = "/spec/runtimePatches/0/trainingRuntimeSpec/template/metadata/labels/a"
    assert new["p.json"] == f'[\n  {{"op": "replace", "path": "{place}", "value": "c"}}\n]\n'
    assert '[{"op": "remove", "path": "/spec/runtimePatches"}]' in new["Kustomization"]
