"""The release that a repository pins, in every form that GitOps repositories have."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.datafiles import data_dir
from trainergen.releases import NEWEST, RELEASES
from trainergen.releases.detect import Detected, detect_release, pin_files
from trainergen.releases.pins import pins_in

UMBRELLA = """\
apiVersion: v2
name: platform
version: 7.1.0
dependencies:
- name: jobset
  version: 0.12.0
  repository: oci://registry.k8s.io/jobset/charts
- name: kubeflow-trainer
  repository: oci://ghcr.io/kubeflow/charts
  version: {version}
- name: lws
  version: 0.8.0
"""
VENDORED = """\
name: kubeflow-trainer
dependencies:
- name: jobset
  version: 0.12.0
version: 2.3.0
"""
KUSTOMIZE_CHART = """\
helmCharts:
- name: kubeflow-trainer
  repo: oci://ghcr.io/kubeflow/charts
  version: 2.2.0
"""
ARGO_CHART = """\
kind: Application
metadata:
  name: kubeflow-trainer
  labels:
    version: "9.9"
spec:
  source:
    repoURL: ghcr.io/kubeflow/charts
    chart: kubeflow-trainer
    targetRevision: 2.2.0
    helm:
      values: |
        jobset:
          image:
            tag: v0.11.0
"""
ARGO_GIT = """\
spec:
  sources:
  - repoURL: https://github.com/other/repo
    targetRevision: v1.0.0
  - repoURL: https://github.com/kubeflow/trainer.git
    path: manifests/overlays/manager
    targetRevision: v2.1.0
"""
HELM_RELEASE = """\
kind: HelmRelease
metadata:
  name: trainer
spec:
  chart:
    spec:
      chart: kubeflow-trainer
      sourceRef: {kind: HelmRepository, name: kubeflow}
      version: "~2.2.0"
"""
OCI_REPOSITORY = """\
kind: OCIRepository
spec:
  interval: 1h
  url: oci://ghcr.io/kubeflow/charts/kubeflow-trainer
  ref:
    tag: 2.1.0
"""
GIT_REPOSITORY = """\
kind: GitRepository
spec:
  url: https://github.com/kubeflow/trainer
  ref:
    tag: v2.0.1
"""
KUSTOMIZE_IMAGES = """\
# kubeflow
images:
- name: other
  newTag: v1.2.3
- name: ghcr.io/kubeflow/trainer/trainer-controller-manager
  newTag: v2.1.0
"""
HELM_VALUES = """\
trainer:
  image:
    registry: registry.example
    repository: kubeflow/trainer/trainer-controller-manager
    tag: v2.2.1
"""
JSON_APPLICATION = """\
{
  "spec": {
    "source": {
      "repoURL": "oci://ghcr.io/kubeflow/charts",
      "chart": "kubeflow-trainer",
      "targetRevision": "2.2.1"
    }
  }
}
"""

# sentence: (files, release, reason)
PINNED = {
    "a chart dependency": (
        {"Chart.yaml": UMBRELLA.format(version="2.2.1")},
        "2.2",
        "Chart.yaml:10 pins the chart kubeflow-trainer 2.2.1",
    ),
    "the lock file where the chart gives a range": (
        {"Chart.yaml": UMBRELLA.format(version='">=2.0.0"'), "Chart.lock": UMBRELLA.format(version="2.1.0")},
        "2.1",
        "Chart.lock:10 pins the chart kubeflow-trainer 2.1.0",
    ),
    "a vendored chart": (
        {"charts/kubeflow-trainer/Chart.yaml": VENDORED},
        "2.3",
        "charts/kubeflow-trainer/Chart.yaml:5 pins the chart kubeflow-trainer 2.3.0",
    ),
    "a chart of kustomize": (
        {"kustomization.yaml": KUSTOMIZE_CHART},
        "2.2",
        "kustomization.yaml:4 pins the chart kubeflow-trainer 2.2.0",
    ),
    "a remote resource of kustomize": (
        {
            "base/kustomization.yaml": "resources:\n- https://github.com/kubeflow/trainer.git/manifests/overlays/manager?timeout=90s&ref=v2.1.0\n"
        },
        "2.1",
        "base/kustomization.yaml:2 pins the kustomize reference v2.1.0",
    ),
    "a release file by link": (
        {
            "kustomization.yml": "resources:\n- https://raw.githubusercontent.com/kubeflow/trainer/v2.0.1/manifests/x.yaml\n"
        },
        "2.0",
        "kustomization.yml:2 pins the link v2.0.1",
    ),
    "images of kustomize": (
        {"kustomization.yaml": KUSTOMIZE_IMAGES},
        "2.1",
        "kustomization.yaml:6 pins the image trainer-controller-manager v2.1.0",
    ),
    "a chart of Argo CD": (
        {"apps/trainer.yaml": ARGO_CHART},
        "2.2",
        "apps/trainer.yaml:10 pins the chart kubeflow-trainer 2.2.0",
    ),
    "a folder in git of Argo CD": (
        {"app.yaml": ARGO_GIT},
        "2.1",
        "app.yaml:7 pins the repository kubeflow/trainer v2.1.0",
    ),
    "an application in JSON inside YAML": (
        {"app.yaml": JSON_APPLICATION},
        "2.2",
        "app.yaml:6 pins the chart kubeflow-trainer 2.2.1",
    ),
    "a HelmRelease of Flux": (
        {"release.yaml": HELM_RELEASE},
        "2.2",
        "release.yaml:9 pins the chart kubeflow-trainer ~2.2.0",
    ),
    "an OCIRepository of Flux": (
        {"source.yaml": OCI_REPOSITORY},
        "2.1",
        "source.yaml:6 pins the chart kubeflow-trainer 2.1.0",
    ),
    "a GitRepository of Flux": (
        {"source.yaml": GIT_REPOSITORY},
        "2.0",
        "source.yaml:5 pins the repository kubeflow/trainer v2.0.1",
    ),
    "the image of the controller": (
        {"deploy.yaml": "image: ghcr.io/kubeflow/trainer/trainer-controller-manager:v2.1.0@sha256:0\n"},
        "2.1",
        "deploy.yaml:1 pins the image trainer-controller-manager v2.1.0",
    ),
    "the values of a chart, whatever the registry": (
        {"values.yaml": HELM_VALUES},
        "2.2",
        "values.yaml:5 pins the image trainer-controller-manager v2.2.1",
    ),
    "the version that the installation publishes": (
        {"kustomization.yaml": "configMapGenerator:\n- literals: [kubeflow_trainer_version=v2.2.1]\n"},
        "2.2",
        "kustomization.yaml:2 pins kubeflow_trainer_version v2.2.1",
    ),
    "a mapping on one line": (
        {"Chart.yaml": "dependencies:\n- {name: kubeflow-trainer, version: 2.1.0, repository: x}\n"},
        "2.1",
        "Chart.yaml:2 pins the chart kubeflow-trainer 2.1.0",
    ),
    "the image of a runtime": (
        {"runtime.yaml": "image: ghcr.io/kubeflow/trainer/deepspeed-runtime:v2.2.1\n"},
        "2.2",
        "runtime.yaml:1 pins the image deepspeed-runtime v2.2.1",
    ),
    "the installation rather than more frequent images of runtimes": (
        {
            "a.yaml": "image: ghcr.io/kubeflow/trainer/mlx-runtime:v2.3.0\n" * 3,
            "z.yaml": "image: ghcr.io/kubeflow/trainer/trainer-controller-manager:v2.1.0\n",
        },
        "2.1",
        "z.yaml:1 pins the image trainer-controller-manager v2.1.0",
    ),
    "Windows line ends": (
        {"Chart.yaml": UMBRELLA.format(version="2.2.1").replace("\n", "\r\n")},
        "2.2",
        "Chart.yaml:10 pins the chart kubeflow-trainer 2.2.1",
    ),
    "a branch of a release": (
        {"source.yaml": "url: https://github.com/kubeflow/trainer\nref: {branch: release-2.1}\n"},
        "2.1",
        "source.yaml:2 pins the repository kubeflow/trainer release-2.1",
    ),
    "the most frequent of several, the others named": (
        {
            "dev/Chart.yaml": UMBRELLA.format(version="2.3.0"),
            "prod/Chart.yaml": UMBRELLA.format(version="2.2.1"),
            "test/Chart.yaml": UMBRELLA.format(version="2.2.0"),
        },
        "2.2",
        "prod/Chart.yaml:10 pins the chart kubeflow-trainer 2.2.1; also pinned: 2.3 by dev/Chart.yaml:10",
    ),
    "the older of two that are equally frequent": (
        {"dev/Chart.yaml": UMBRELLA.format(version="2.3.0"), "prod/Chart.yaml": UMBRELLA.format(version="2.1.0")},
        "2.1",
        "prod/Chart.yaml:10 pins the chart kubeflow-trainer 2.1.0; also pinned: 2.3 by dev/Chart.yaml:10",
    ),
    "the nearest to a release that is not known": (
        {"Chart.yaml": UMBRELLA.format(version="2.97.0")},
        NEWEST.name,
        f"Chart.yaml:10 pins the chart kubeflow-trainer 2.97.0, which is not known here; {NEWEST.name} is the nearest",
    ),
    "the newest where an operator without TrainJobs is pinned": (
        {"kustomization.yaml": "- github.com/kubeflow/trainer/manifests/overlays/standalone?ref=v1.9.0\n"},
        NEWEST.name,
        ("the newest release; kustomization.yaml:1 pins the kustomize reference v1.9.0, which has no TrainJob"),
    ),
    "the newest where there is nothing": ({}, NEWEST.name, "the newest release, for nothing here pins one"),
}

# Texts that name the Trainer and pin nothing.
OPEN = {
    "a range over releases": UMBRELLA.format(version='">=2.1 <2.4"'),
    "a caret range": UMBRELLA.format(version="^2.1.0"),
    "any version": UMBRELLA.format(version='"*"'),
    "a development build": UMBRELLA.format(version="0.0.0-sha-48e7a93"),
    "a branch": "- https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=master\n",
    "the latest image": "image: ghcr.io/kubeflow/trainer/trainer-controller-manager:latest\n",
    "a comment": "# image: ghcr.io/kubeflow/trainer/trainer-controller-manager:v2.1.0\n",
    "a comment behind a value": "resources: [] # github.com/kubeflow/trainer/manifests?ref=v2.1.0\n",
    "a commented block": "dependencies:\n# - name: kubeflow-trainer\n#   version: 2.1.0\n",
    "a label of a deployment of that name": "metadata:\n  name: kubeflow-trainer\n  labels:\n    version: '2.1'\n",
    "the version of the neighbour": "dependencies:\n- name: kubeflow-trainer\n- name: lws\n  version: 2.1.0\n",
    "the version of a neighbour on one line": "dependencies: [{name: kubeflow-trainer}, {name: lws}]\nversion: 2.1.0\n",
    "a chart of a similar name": "dependencies:\n- name: kubeflow-trainer-extras\n  version: 2.1.0\n",
    "another project of that owner": "image: ghcr.io/kubeflow/katib/katib-controller:v2.1.0\n",
}


def _tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


@pytest.mark.parametrize("sentence", PINNED)
def test_the_release_is_taken_from(sentence, tmp_path):
    files, release, reason = PINNED[sentence]
    _tree(tmp_path, files)

    detected = detect_release(tmp_path)

    assert (detected.release, detected.reason) == (release, reason)
    assert detected.pinned is not reason.startswith("the newest")


@pytest.mark.parametrize("sentence", OPEN)
def test_nothing_is_pinned_by(sentence, tmp_path):
    _tree(tmp_path, {"a.yaml": OPEN[sentence]})

    assert not detect_release(tmp_path).pinned


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_a_crd_in_the_tree_tells_its_release(release, tmp_path):
    _tree(tmp_path, {"crds/trainjobs.yaml": _crd(release.name)})

    detected = detect_release(tmp_path)

    assert detected == Detected(
        release.name,
        f"crds/trainjobs.yaml:8 is the TrainJob CRD of {release.name}",
        file="crds/trainjobs.yaml",
        line=8,
    )


def test_a_crd_yields_to_any_pin(tmp_path):
    _tree(
        tmp_path,
        {"a.yaml": _crd("2.1"), "b.yaml": "image: ghcr.io/kubeflow/trainer/mlx-runtime:v2.2.0\n"},
    )

    assert detect_release(tmp_path).release == "2.2"


def test_a_crd_that_fits_no_release_tells_nothing(tmp_path):
    _tree(tmp_path, {"a.yaml": "kind: CustomResourceDefinition\nmetadata:\n  name: trainjobs.trainer.kubeflow.org\n"})

    assert not detect_release(tmp_path).pinned


def test_given_files_are_taken_instead_of_the_folder(tmp_path):
    _tree(tmp_path, {"Chart.yaml": UMBRELLA.format(version="2.0.1")})

    def broken():
        raise PermissionError("no")

    files = [("broken.yaml", broken), ("given.yaml", lambda: UMBRELLA.format(version="2.1.0").encode())]

    assert detect_release(tmp_path, files).file == "given.yaml"


def test_the_walk_goes_near_first_and_skips_what_is_not_the_repository(tmp_path):
    names = ["z.yaml", "a/b.yml", "a/Chart.lock", "c/Kustomization", "a/x.txt"]
    skipped = [".git/a.yaml", "node_modules/p/a.yaml", ".venv/a.yaml"]
    _tree(tmp_path, dict.fromkeys(names + skipped, ""))
    (tmp_path / "loop").symlink_to(tmp_path)

    assert [name for name, _ in pin_files(tmp_path)] == ["z.yaml", "a/Chart.lock", "a/b.yml", "c/Kustomization"]


def test_a_large_tree_is_looked_at_in_part(tmp_path):
    for number in range(1_100):
        (tmp_path / f"{number:04}.yaml").touch()

    assert len(list(pin_files(tmp_path))) == 1_000


def test_a_folder_that_is_not_there_pins_nothing(tmp_path):
    assert not detect_release(tmp_path / "no").pinned


def test_a_link_that_leads_to_itself_pins_nothing(tmp_path):
    (tmp_path / "self.yaml").symlink_to("self.yaml")
    (tmp_path / "top.yaml").write_text("image: ghcr.io/kubeflow/trainer/trainer-controller-manager:v2.1.0\n")
    assert detect_release(tmp_path).release == "2.1"


def test_a_small_repository_takes_no_time(tmp_path):
    _tree(
        tmp_path,
        {f"jobs/{number}.yaml": "kind: TrainJob\napiVersion: trainer.kubeflow.org/v1alpha1\n" for number in range(20)},
    )
    _tree(tmp_path, {"Chart.yaml": UMBRELLA.format(version="2.2.1")})

    fastest = min(_seconds(tmp_path) for _ in range(5))

    # A few milliseconds in truth; the bound only notices work that grows out of proportion.
    assert fastest < 0.1


@given(
    st.binary(max_size=300)
    | st.lists(st.sampled_from([*sorted(OPEN.values()), ARGO_CHART, "\t- {", "kubeflow/trainer/x"]))
    .map("".join)
    .map(str.encode)
)
def test_no_bytes_are_too_odd_to_look_at(data):
    for pin in pins_in("a.yaml", data):
        assert 1 <= pin.line <= data.count(b"\n") + 1


def _seconds(root):
    start = time.perf_counter()
    detect_release(root)
    return time.perf_counter() - start


def _crd(release):
    """A CRD in the form that the API server takes, from the schemas of a release, between two other documents."""
    raw = json.loads((data_dir("schemas") / release / "structural.json").read_bytes())

    def expanded(node, depth=0):
        if isinstance(node, dict):
            content = {**raw["definitions"].get(node.get("$ref"), {}), **node}
            return {key: expanded(each, depth + 1) for key, each in content.items() if key != "$ref"}
        return node

    schema = json.dumps(expanded(raw["kinds"]["TrainJob"]["schema"]), indent=1)
    head = "kind: Namespace\nmetadata:\n  name: kubeflow\n---\napiVersion: apiextensions.k8s.io/v1\n"
    metadata = "kind: CustomResourceDefinition\nmetadata:\n  name: trainjobs.trainer.kubeflow.org\n"
    return f"{head}{metadata}spec: {schema}\n---\nterminationGracePeriodSeconds: 1\n"
