"""From a file to its objects: what is reported, and what is only counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainergen.source import Category, Limits, Loaded, SourceFile, load
from trainergen.source.kustomizations import forget

JOB = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\n"


@pytest.fixture(autouse=True)
def _no_memory() -> None:
    forget()


def found(path: Path, text: str | bytes, **options: object) -> Loaded:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load(SourceFile(path.name, location=str(path)), **options)  # type: ignore[arg-type]


def named(path: Path, text: str | bytes) -> Loaded:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load(SourceFile(path.name, explicit=True, location=str(path)))


def test_objects_are_sorted_by_what_they_are(tmp_path: Path) -> None:
    text = f"{JOB}---\napiVersion: v1\nkind: Pod\n---\napiVersion: kubeflow.org/v1\nkind: TFJob\n---\na: 1\n---\n- x\n"
    loaded = found(tmp_path / "a.yaml", text)
    assert [category for category, _ in loaded.objects] == [Category.TRAINER, Category.OTHER, Category.LEGACY]
    assert [document.name for document in loaded.of(Category.TRAINER)] == ["a"]
    assert loaded.skipped == {Category.NOT_KUBERNETES: 2}
    assert loaded.documents == 5
    assert loaded.findings == []


def test_a_file_that_cannot_concern_us_is_not_parsed(tmp_path: Path) -> None:
    loaded = found(tmp_path / "a.yaml", "apiVersion: v1\nkind: [\n")
    assert loaded.skipped == {Category.UNRELATED: 1}
    assert loaded.documents == 0


def test_everything_is_parsed_on_request(tmp_path: Path) -> None:
    loaded = found(tmp_path / "a.yaml", "apiVersion: v1\nkind: Pod\n", everything=True)
    assert [document.kind for document in loaded.of(Category.OTHER)] == ["Pod"]


COUNTED = {
    "broken YAML about something else": ("a: [\n# kubeflow.org\n", Category.BROKEN),
    "broken template": (JOB + "spec: {{ toYaml .Values.spec | nindent 2 }}\n{{- end }}\n", Category.HELM_TEMPLATE),
    "template that parses as a mapping key": (JOB + "spec: {{ .Values.spec }}\n", Category.HELM_TEMPLATE),
    "encrypted": (JOB + "sops: {mac: x}\nspec: ENC[x]\n", Category.ENCRYPTED),
}


@pytest.mark.parametrize(("text", "category"), COUNTED.values(), ids=COUNTED)
def test_in_a_folder_it_is_only_counted(tmp_path: Path, text: str, category: Category) -> None:
    loaded = found(tmp_path / "a.yaml", text)
    assert loaded.findings == []
    assert loaded.skipped == {category: 1}


@pytest.mark.parametrize("case", [case for case in COUNTED if case != "encrypted"])
def test_named_it_is_judged(tmp_path: Path, case: str) -> None:
    assert named(tmp_path / "a.yaml", COUNTED[case][0]).findings


def test_a_named_encrypted_object_goes_on_to_admission(tmp_path: Path) -> None:
    assert len(named(tmp_path / "a.yaml", COUNTED["encrypted"][0]).of(Category.TRAINER)) == 1


def test_a_broken_trainer_document_is_reported_wherever_it_is(tmp_path: Path) -> None:
    loaded = found(tmp_path / "a.yaml", JOB + "spec: [\n---\nnot: [ours\n---\n" + JOB)
    assert [(one.name, one.document, one.line) for one in loaded.findings] == [("yaml-syntax", 0, 5)]
    assert loaded.skipped == {Category.BROKEN: 1}
    assert [failure.index for failure in loaded.broken] == [0, 1]
    assert len(loaded.of(Category.TRAINER)) == 1


@pytest.mark.parametrize("data", [JOB.encode() + b"\xff", JOB.encode() + b"\x00"], ids=["not UTF-8", "binary"])
def test_a_trainer_file_that_is_no_text_is_reported(tmp_path: Path, data: bytes) -> None:
    assert len(found(tmp_path / "a.yaml", data).findings) == 1


def test_what_reading_finds_is_reported_for_trainer_objects_only(tmp_path: Path) -> None:
    text = "apiVersion: v1\nkind: Pod\nkind: Pod\n---\n" + JOB + "spec: 1\nspec: 2\n"
    assert [one.line for one in found(tmp_path / "a.yaml", text).findings] == [9]
    assert [one.line for one in named(tmp_path / "a.yaml", text).findings] == [3, 9]


def test_other_categories_can_be_judged(tmp_path: Path) -> None:
    text = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nspec: 1\nspec: 2\n"
    assert found(tmp_path / "a.yaml", text).findings == []
    assert len(found(tmp_path / "a.yaml", text, judged=frozenset({Category.LEGACY})).findings) == 1


def test_too_many_documents_are_reported(tmp_path: Path) -> None:
    loaded = found(tmp_path / "a.yaml", f"{JOB}---\n" * 4, limits=Limits(documents=2))
    assert [one.name for one in loaded.findings] == ["too-many-documents"]
    assert len(loaded.of(Category.TRAINER)) == 2


def test_templates_of_a_chart_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "Chart.yaml").write_text("apiVersion: v2\n")
    template = JOB + 'spec: {trainer: {image: "{{ .Values.image }}"}}\n'
    assert found(tmp_path / "templates" / "jobs" / "a.yaml", template).skipped == {Category.HELM_TEMPLATE: 1}
    assert found(tmp_path / "templates" / "b.yaml", JOB).skipped == {}
    assert found(tmp_path / "other" / "c.yaml", template).skipped == {}


KUSTOMIZATION = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
patches:
  - path: patches/gpu.yaml
    target: {kind: TrainJob}
  - patch: |-
      - op: remove
        path: /spec
  - path: 5
patchesStrategicMerge:
  - ./more.yaml
  - |-
    kind: TrainJob
patchesJson6902:
  - {path: json.yaml}
resources:
  - job.yaml
"""


@pytest.mark.parametrize("name", ["kustomization.yaml", "kustomization.yml", "Kustomization"])
def test_files_that_a_kustomization_lists_as_patches_are_set_aside(tmp_path: Path, name: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_text(KUSTOMIZATION)
    for patch in ("patches/gpu.yaml", "more.yaml", "json.yaml"):
        assert found(tmp_path / patch, JOB).skipped == {Category.PATCH: 1}
    for manifest in ("job.yaml", "patches/other.yaml"):
        assert len(found(tmp_path / manifest, JOB).of(Category.TRAINER)) == 1
    assert len(named(tmp_path / "more.yaml", JOB).of(Category.TRAINER)) == 1


def test_a_kustomization_above_the_repository_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "kustomization.yaml").write_text("patches: [{path: repo/a.yaml}]\n")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    assert len(found(tmp_path / "repo" / "a.yaml", JOB).of(Category.TRAINER)) == 1


@pytest.mark.parametrize("text", ["patches: {a: b}\n", "- a\n", "patches: [\n", "\x00", "x" * 1_100_000])
def test_a_kustomization_that_cannot_be_used_lists_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "kustomization.yaml").write_text(text)
    assert len(found(tmp_path / "a.yaml", JOB).of(Category.TRAINER)) == 1


def test_standard_input_is_read_from_memory() -> None:
    loaded = load(SourceFile("stdin.yaml", data=JOB.encode()))
    assert [document.file for document in loaded.of(Category.TRAINER)] == ["stdin.yaml"]


def test_a_file_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    loaded = load(SourceFile("gone.yaml", location=str(tmp_path / "gone.yaml")))
    assert [(one.rule, one.file, one.message) for one in loaded.findings] == [
        ("TG002", "gone.yaml", "there is no such file")
    ]
