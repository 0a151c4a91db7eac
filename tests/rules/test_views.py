"""What rules are given to look at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.manifests import GOOD, RUNTIME, USES_RUNTIME
from trainergen.admission.admit import admit
from trainergen.api.quantity import parse_quantity
from trainergen.engine.jobs import Renderer
from trainergen.engine.workspace import Workspace as Index
from trainergen.releases import get_release
from trainergen.rules.objects import Entry, Objects
from trainergen.rules.part import DocumentRoot, Part
from trainergen.rules.tree import DiskTree, TextFile
from trainergen.rules.views.argo import ArgoApplication
from trainergen.rules.views.chart import Chart
from trainergen.rules.views.flux import FluxObject
from trainergen.rules.views.job import Job
from trainergen.rules.views.kustomization import Kustomization, is_remote, read_folder
from trainergen.rules.views.source import Source
from trainergen.rules.views.workspace import Workspace
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.finding import Finding
    from trainergen.rules.found import Spot

RELEASE = get_release("2.3")


def entry(text: str, file: str = "x.yaml") -> Entry:
    return Entry(read_documents(text.encode(), file=file).documents[0])


def line(spot: Spot) -> tuple[str, int, int]:
    from trainergen.finding import Finding, Layer, Severity

    found: Finding = spot.where.document.place(
        Finding("TG300", "a-b", Severity.INFO, Layer.LINT, "m", at=spot.path, on_key=spot.on_key)
    )
    return found.file, found.line, found.column


def job(text: str = GOOD, runtime: str = RUNTIME) -> Job:
    index = Index(objects=(objects := Objects()))
    index.add_file("runtime.yaml", runtime.encode())
    one = entry(text, "job.yaml")
    stored = admit(one.value, objects=[entry(runtime).value], release=RELEASE).object
    made = Renderer(RELEASE, index, objects).job(one, stored or one.value)
    assert isinstance(made, Job)
    return made


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path = path if path.suffix else path.with_suffix(".yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


PART: dict[str, Any] = {
    "a": {"b": [{"name": "x"}, 3, {"name": "y"}], "n": 5, "t": True, "s": "text", "k.e/y": "v", "z": None}
}


def test_a_part_reads_what_is_there_and_nothing_where_it_is_not() -> None:
    part = Part(PART, DocumentRoot(entry("a: 1\n")))
    assert part.text("a.s") == "text"
    assert part.text("a", "k.e/y") == "v"
    assert part.integer("a.n") == 5
    assert part.integer("a.t") is None
    assert part.get("a.b", 0, "name") == "x"
    assert part.get("a.b", 7, "name") is None
    assert part.get("a.b", -1) is None
    assert part.get("a.s.deeper") is None
    assert part.mapping("a.s") == {}
    assert part.values("a.missing") == []
    assert part.texts("a.b") == []
    assert part.has("a.t")
    assert not part.has("a.z")
    assert [item.path for item in part.parts("a.b")] == [("a", "b", 0), ("a", "b", 2)]
    assert [item.text("name") for item in part.part("a").parts("b")] == ["x", "y"]
    assert dict(part.entries("a"))["n"].value == 5


def test_a_report_points_at_the_value_its_key_or_the_nearest_parent() -> None:
    source = Source(entry(GOOD, "job.yaml"), release=RELEASE, objects=Objects())
    assert line(source.at("spec.trainer.numNodes")) == ("job.yaml", 10, 15)
    assert line(source.at("spec.trainer.numNodes").key) == ("job.yaml", 10, 5)
    assert line(source.at("spec.trainer.env", 0, "name")) == ("job.yaml", 9, 3)
    assert line(source.part("spec.trainer").at("numNodes")) == ("job.yaml", 10, 15)


def test_an_entry_is_read_again_when_its_text_was_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pickle

    monkeypatch.chdir(tmp_path)
    Path("two.yaml").write_text("kind: A\n---\nkind: List\napiVersion: v1\nitems:\n- kind: B\n")
    from trainergen.source.lists import members

    second = read_documents(Path("two.yaml").read_bytes(), file="two.yaml").documents[1]
    (member,), _ = members(second)
    again = pickle.loads(pickle.dumps(Entry(member)))
    assert line(again.object.at("kind")) == ("two.yaml", 6, 9)
    assert (again.kind, again.value) == ("B", {"kind": "B"})


def test_the_nearest_of_several_objects_comes_first() -> None:
    texts = {name: entry(RUNTIME, f"{name}/runtime.yaml") for name in ("a", "b", "b/c")}
    objects = Objects(texts.values())
    found = objects.near("b/job.yaml").find("TrainingRuntime", "team-torch", "team-a")
    assert found is texts["b"]
    assert objects.near("b/c/job.yaml").places("TrainingRuntime", "team-torch", "team-a")[0] is texts["b/c"]
    assert objects.find("TrainingRuntime", "team-torch", "team-b") is None
    assert objects.names("TrainingRuntime", "Secret") == ["team-torch"]
    assert len(objects.of("TrainingRuntime", namespace="team-a")) == 3


def test_a_job_has_defaults_its_runtime_and_its_pods() -> None:
    made = job(USES_RUNTIME)
    assert made.text("spec.runtimeRef.apiGroup") == "trainer.kubeflow.org"
    assert (made.runtime.kind, made.runtime.name, made.runtime.is_shipped) == ("TrainingRuntime", "team-torch", False)
    assert made.runtime.policy("torch") is not None
    assert made.runtime.policy("mpi") is None
    assert made.runtime.gang("volcano") is None
    assert [(pods.name, pods.ancestor, pods.count) for pods in made.pods] == [("node", "trainer", 2)]
    assert made.trainer is made.pods[0]
    assert made.nodes == 2
    assert not made.is_probe


def test_a_container_has_its_effective_settings() -> None:
    text = USES_RUNTIME + (
        "    command: [torchrun]\n    args: [train.py]\n    resourcesPerNode:\n"
        "      limits: {nvidia.com/gpu: 4, cpu: 500m}\n      requests: {cpu: 250m}\n"
        "    env:\n      - {name: A, value: '1'}\n"
        "      - {name: B, valueFrom: {secretKeyRef: {name: s, key: k}}}\n"
    )
    made = job(text)
    (container,) = made.pods[0].containers
    assert (container.image, container.command, container.args) == ("example.org/torch:1", ["torchrun"], ["train.py"])
    assert (container.variable("A"), container.variable("B"), container.variable("C")) == ("1", None, None)
    assert container.variable("PET_NPROC_PER_NODE") == "auto"
    assert container.devices == {"nvidia.com/gpu": 4}
    assert container.requests["cpu"] == parse_quantity("250m")
    assert container.requests["nvidia.com/gpu"] == parse_quantity(4)
    assert container.words == "container 'node' of job 'node'"
    assert line(container.env["B"].at("valueFrom.secretKeyRef.name"))[:2] == ("job.yaml", 19)
    assert line(container.at("image"))[:2] == ("runtime.yaml", 22)
    assert line(container.env["PET_NNODES"].at("value"))[0] == "job.yaml"


def test_what_a_plugin_made_is_reported_in_the_job_with_the_plugin_named() -> None:
    made = job(USES_RUNTIME)
    spot = made.pods[0].containers[0].env["PET_MASTER_PORT"].at("value")
    assert line(spot)[0] == "job.yaml"
    assert spot.suffix == ", set by the Torch plugin"


def test_a_shipped_runtime_is_reported_at_the_reference() -> None:
    made = job(GOOD)
    assert made.runtime.is_shipped
    assert line(made.runtime.at("spec.mlPolicy.torch")) == ("job.yaml", 8, 11)


BASE = "resources: [job.yaml]\n"
OVERLAY = """\
resources: [../base, https://example.org/x.yaml]
components: [../schema]
patches:
- path: patch.yaml
- target: {kind: Train.*, labelSelector: "a=b"}
  patch: |-
    - op: replace
      path: /spec/suspend
      value: true
patchesStrategicMerge:
- |-
  apiVersion: trainer.kubeflow.org/v1alpha1
  kind: TrainJob
  metadata:
    name: mnist
"""
PATCH = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: mnist
spec:
  suspend: true
"""
SCHEMA = (
    '{"definitions": {"x": {"x-kubernetes-group-version-kind": [{"kind": "TrainJob", "group": "g", "version": "v"}]}}}'
)


@pytest.fixture
def overlay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kustomization:
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        base__kustomization=BASE,
        base__job=GOOD.replace("metadata:", "metadata:\n  labels: {a: b}"),
        overlay__kustomization=OVERLAY,
        overlay__patch=PATCH,
        schema__kustomization="kind: Component\nopenapi: {path: schema.json}\nconfigurations: [names.yaml]\n",
        schema__schema_dot_json=SCHEMA,
        schema__names="images: []\n",
    )
    found = read_folder("overlay", tree=DiskTree(), release=RELEASE, objects=Objects())
    assert found is not None
    return found


def test_a_kustomization_knows_what_it_refers_to(overlay: Kustomization) -> None:
    assert [one.folder for one in overlay.bases] == ["base"]
    assert [one.folder for one in overlay.components] == ["schema"]
    assert {one.folder for one in overlay.closure} == {"overlay", "base", "schema"}
    assert [one.name for one in overlay.input_objects] == ["mnist"]
    assert [one.value for one in overlay.remotes] == ["https://example.org/x.yaml"]
    assert [path for _, path, _ in overlay.openapi] == ["schema.json"]
    assert overlay.merge_keys_known("TrainJob")
    assert not overlay.merge_keys_known("TrainingRuntime")
    assert overlay.configurations == [{"images": []}]


def test_patches_come_from_files_and_texts_and_select_objects(overlay: Kustomization) -> None:
    inline, from_file, json_patch = overlay.patches
    assert [patch.is_json_patch for patch in overlay.patches] == [False, False, True]
    assert [[one.name for one in patch.selected()] for patch in overlay.patches] == [["mnist"], ["mnist"], ["mnist"]]
    assert line(from_file.documents[0].at("spec.suspend")) == ("overlay/patch.yaml", 6, 12)
    assert line(inline.documents[0].at("metadata.name")) == ("overlay/kustomization.yaml", 15, 11)
    assert line(json_patch.operations[0].at("path")) == ("overlay/kustomization.yaml", 8, 13)
    assert line(json_patch.spot) == ("overlay/kustomization.yaml", 5, 3)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("{kind: TrainJob}", True),
        ("{kind: Train}", False),
        ("{name: 'mn.*'}", True),
        ("{group: apps}", False),
        ("{labelSelector: 'a=c'}", False),
        ("{labelSelector: 'a!=c'}", True),
        ("{annotationSelector: 'a=b'}", False),
        ("{name: '('}", False),
    ],
)
def test_a_target_selects_by_whole_regular_expressions_and_labels(
    overlay: Kustomization, target: str, expected: bool
) -> None:
    Path("overlay/kustomization.yaml").write_text(
        f"resources: [../base]\npatches:\n- target: {target}\n  patch: '[]'\n"
    )
    found = read_folder("overlay", tree=DiskTree(), release=RELEASE, objects=Objects())
    assert found is not None
    assert bool(found.patches[0].selected()) is expected


def test_kustomizations_that_include_each_other_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, a__kustomization="resources: [../b]", b__kustomization="resources: [../a, missing.yaml]")
    found = read_folder("a", tree=DiskTree(), release=RELEASE, objects=Objects())
    assert found is not None
    assert [one.folder for one in found.closure] == ["a", "b"]
    assert found.input_objects == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [("../base", False), ("a/b.yaml", False), ("https://x/y", True), ("github.com/a/b//c?ref=v1", True)],
)
def test_a_remote_is_told_by_its_form(name: str, expected: bool) -> None:
    assert is_remote(name) is expected


def test_a_chart_has_values_and_templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        chart__Chart="name: a\ndependencies:\n- {name: jobset, version: 0.12.0}\n",
        chart__values="runtimes: {defaultEnabled: true}\n",
        **{"chart__values-prod": "runtimes: {}\n", "chart__templates__sub__job": "a\n{{ x }}\n"},
    )
    chart = Chart(
        Entry(read_documents(Path("chart/Chart.yaml").read_bytes(), file="chart/Chart.yaml").documents[0]),
        tree=DiskTree(),
        release=RELEASE,
        objects=Objects(),
    )
    assert (chart.name, sorted(chart.values_files)) == ("a", ["values-prod.yaml", "values.yaml"])
    assert chart.values_part.get("runtimes.defaultEnabled") is True
    dependency = chart.dependency("jobset")
    assert dependency is not None
    assert dependency.text("version") == "0.12.0"
    assert chart.dependency("lws") is None
    (template,) = chart.templates
    assert line(template.at(2, 9)) == ("chart/templates/sub/job.yaml", 2, 1)


APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a}
spec:
  source: {path: jobs}
  syncPolicy:
    automated: {}
    syncOptions: [Replace=true, Prune=false]
"""


def test_an_application_delivers_what_lies_below_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    objects = Objects([entry(GOOD, "jobs/a/job.yaml"), entry(GOOD, "other/job.yaml")])
    app = ArgoApplication(entry(APPLICATION, "apps/a.yaml"), tree=DiskTree(), release=RELEASE, objects=objects)
    assert [one.file for one in app.delivers] == ["jobs/a/job.yaml"]
    assert app.option_on("Replace")
    assert not app.option_on("Prune")
    assert not app.option_on("Force")
    assert app.automated is not None
    assert line(app.sync_options["Prune"][1].at())[:2] == ("apps/a.yaml", 8)


def test_the_template_of_a_set_reads_like_an_application() -> None:
    text = (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  template:\n    spec:\n"
        "      sources: [{path: a}, {chart: b}]\n"
    )
    app = ArgoApplication(entry(text), tree=DiskTree(), release=RELEASE, objects=Objects())
    assert app.is_set
    assert [source.get() for source in app.sources] == [{"path": "a"}, {"chart": "b"}]
    assert app.automated is None
    assert line(app.at("spec.sources"))[1] == 7
    assert app.whole.text("metadata.name") == "s"


def test_a_flux_kustomization_delivers_through_the_kustomization_in_its_folder(
    overlay: Kustomization, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    source = entry("kind: GitRepository\nmetadata: {name: repo, namespace: flux-system}\n")
    text = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k, namespace: flux-system}\n"
        "spec: {path: ./overlay, sourceRef: {kind: GitRepository, name: repo}}\n"
    )
    made = FluxObject(entry(text, "flux/k.yaml"), tree=DiskTree(), release=RELEASE, objects=Objects([source]))
    assert [one.file for one in made.delivers] == ["base/job.yaml"]
    assert made.source is source


def test_the_workspace_ties_jobs_to_runtimes() -> None:
    runtime, user = entry(RUNTIME, "r.yaml"), entry(USES_RUNTIME, "j.yaml")
    other = entry(USES_RUNTIME.replace("team-a", "team-b"), "k.yaml")
    space = Workspace(Objects([runtime, user, other]), tree=DiskTree(), release=RELEASE)
    assert space.runtime_of(user) is runtime
    assert space.runtime_of(other) is None, "another namespace"
    assert space.users_of(runtime.object) == [user]


def test_a_text_is_placed_by_characters() -> None:
    text = TextFile("t.tpl", "ü\r\nab".encode())
    assert line(text.at(3, 5)) == ("t.tpl", 2, 1)
