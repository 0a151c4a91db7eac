"""What a document is recognised as, in a folder and when named."""

from __future__ import annotations

import pytest

from tests.source.reading import only, places, read
from trainergen.source import Category, SourceFile, classify, load, members, mentions_trainer

JOB = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\n"

FOUND = {
    "TrainJob": (JOB, Category.TRAINER),
    "runtime": ("apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\n", Category.TRAINER),
    "legacy job": ("apiVersion: kubeflow.org/v1\nkind: PyTorchJob\n", Category.LEGACY),
    "MPIJob v2beta1": ("apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\n", Category.LEGACY),
    "other kind of the legacy group": ("apiVersion: kubeflow.org/v1\nkind: Notebook\n", Category.OTHER),
    "core object": ("apiVersion: v1\nkind: ConfigMap\n", Category.OTHER),
    "Trainer's own settings": ("apiVersion: config.trainer.kubeflow.org/v1alpha1\nkind: Any\n", Category.OTHER),
    "kustomization": ("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", Category.KUSTOMIZATION),
    "kustomize component": ("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n", Category.KUSTOMIZATION),
    "JSON patch": ("- {op: replace, path: /spec/suspend, value: true}\n", Category.PATCH),
    "patch by directive": (JOB + "$patch: delete\n", Category.PATCH),
    "SOPS": (JOB + "sops: {mac: 'ENC[AES256_GCM,data:x]', lastmodified: '2026-01-01T00:00:00Z'}\n", Category.ENCRYPTED),
    "templated name": (JOB.replace("name: a", 'name: "{{ .Release.Name }}-a"'), Category.HELM_TEMPLATE),
    "templated kind": ('apiVersion: trainer.kubeflow.org/v1alpha1\nkind: "{{ .kind }}"\n', Category.HELM_TEMPLATE),
    "values file": ("image: x\nreplicas: 1\n", Category.NOT_KUBERNETES),
    "list": ("- a\n- b\n", Category.NOT_KUBERNETES),
    "empty list": ("[]\n", Category.NOT_KUBERNETES),
    "text": ("hello\n", Category.NOT_KUBERNETES),
    "chart": ("apiVersion: v2\nname: c\n", Category.NOT_KUBERNETES),
    "kind without apiVersion": ("kind: Pipeline\n", Category.NOT_KUBERNETES),
    "same kind of another project": ("apiVersion: sagemaker.example.com/v1\nkind: TrainJob\n", Category.OTHER),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FOUND.values(), ids=FOUND)
def test_a_document_of_a_folder_is_recognised_and_not_judged(text: str, expected: Category) -> None:
    classification = classify(only(text), explicit=False)
    assert classification.category is expected
    assert classification.findings == ()


JUDGED_ANYWHERE = {
    "kind in the plural": ("kind", "TrainJobs", ("unknown-kind", "kind"), "Write 'TrainJob'."),
    "kind in lower case": ("kind", "trainjob", ("unknown-kind", "kind"), "Write 'TrainJob'."),
    "kind far off": (
        "kind", "Banana", ("unknown-kind", "kind"), "The kinds are TrainJob, TrainingRuntime, ClusterTrainingRuntime.",
    ),
    "list kind without items": ("kind", "TrainJobList", ("unknown-kind", "kind"), "Write 'TrainJob'."),
    "version of the future": (
        "apiVersion", "trainer.kubeflow.org/v1", ("unsupported-version", "apiVersion"),
        "Write 'apiVersion: trainer.kubeflow.org/v1alpha1'.",
    ),
    "group of the legacy operator": (
        "apiVersion", "kubeflow.org/v1", ("wrong-group", "apiVersion"),
        "Write 'apiVersion: trainer.kubeflow.org/v1alpha1'.",
    ),
    "version only": (
        "apiVersion", "v1alpha1", ("wrong-group", "apiVersion"), "Write 'apiVersion: trainer.kubeflow.org/v1alpha1'.",
    ),
    "group misspelt": (
        "apiVersion", "trainer.kubeflw.org/v1alpha1", ("wrong-group", "apiVersion"),
        "Write 'apiVersion: trainer.kubeflow.org/v1alpha1'.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("explicit", [True, False], ids=["named", "in a folder"])
@pytest.mark.parametrize(("field", "text", "expected", "remedy"), JUDGED_ANYWHERE.values(), ids=JUDGED_ANYWHERE)
def test_what_claims_to_be_a_trainer_object_is_judged(
    field: str, text: str, expected: tuple[str, str], remedy: str, explicit: bool
) -> None:
    document = only(JOB.replace(f"{field}: {document_value(field)}", f"{field}: {text}"))
    classification = classify(document, explicit=explicit)
    (finding,) = classification.findings
    assert classification.category is Category.REFUSED
    assert (finding.name, finding.path) == expected
    assert text in finding.message
    assert finding.help == remedy


def document_value(field: str) -> str:
    return {"kind": "TrainJob", "apiVersion": "trainer.kubeflow.org/v1alpha1"}[field]


def test_a_trainer_object_without_kind_is_judged_in_a_folder() -> None:
    (finding,) = classify(only("apiVersion: trainer.kubeflow.org/v1alpha1\n"), explicit=False).findings
    assert (finding.name, finding.help) == ("missing-kind", "Add 'kind: TrainJob'.")


def test_a_trainer_kind_without_api_version_is_judged_in_a_folder() -> None:
    (finding,) = classify(only("kind: TrainingRuntime\n"), explicit=False).findings
    assert finding.name == "missing-api-version"
    assert finding.help == "Add 'apiVersion: trainer.kubeflow.org/v1alpha1'."


NAMED = {
    "values file": ("image: x\n", ["missing-api-version", "missing-kind"]),
    "chart": ("apiVersion: v2\nname: c\n", ["missing-kind"]),
    "kind without apiVersion": ("kind: Pod\n", ["missing-api-version"]),
    "apiVersion is a number": ("apiVersion: 1\nkind: Pod\n", ["missing-api-version"]),
    "kind is a boolean": ("apiVersion: v1\nkind: yes\n", ["missing-kind"]),
    "list": ("- a\n", ["not-an-object"]),
    "text": ("hello\n", ["not-an-object"]),
    "number": ("5\n", ["not-an-object"]),
    "core object": ("apiVersion: v1\nkind: Pod\n", []),
    "patch": (JOB + "$patch: delete\n", []),
}


@pytest.mark.parametrize(("text", "expected"), NAMED.values(), ids=NAMED)
def test_a_named_document_is_judged(text: str, expected: list[str]) -> None:
    findings = classify(only(text), explicit=True).findings
    assert [finding.name for finding in findings] == expected
    assert all(finding.refuses for finding in findings)


def test_a_wrong_type_is_named() -> None:
    (finding,) = classify(only("apiVersion: v1\nkind: yes\n"), explicit=True).findings
    assert finding.message == "kind is a boolean, but must be text"


def test_a_listed_patch_is_set_aside_unless_it_is_named() -> None:
    assert classify(only(JOB), explicit=False, listed_as_patch=True).category is Category.PATCH
    assert classify(only(JOB), explicit=True, listed_as_patch=True).category is Category.TRAINER


def test_another_release_may_serve_other_versions() -> None:
    served = {"TrainJob": frozenset({"v1alpha1", "v1beta1"})}
    job = only(JOB.replace("v1alpha1", "v1beta1"))
    assert classify(job, explicit=False, served=served).category is Category.TRAINER
    (finding,) = classify(only(JOB.replace("v1alpha1", "v2")), explicit=False, served=served).findings
    assert finding.message.endswith("but TrainJob is served as v1alpha1 and v1beta1")
    assert finding.help == "Write 'apiVersion: trainer.kubeflow.org/v1beta1'."


LIST = """\
apiVersion: v1
kind: List
items:
  - apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata: {name: a}
  - apiVersion: v1
    kind: List
    items:
      - {apiVersion: v1, kind: Pod, metadata: {name: b}}
  - apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata: {name: c}
"""


def test_a_list_is_taken_apart_in_order() -> None:
    objects, faults = members(only(LIST))
    assert [(one.name, one.prefix) for one in objects] == [
        ("a", ("items", 0)),
        ("b", ("items", 1, "items", 0)),
        ("c", ("items", 2)),
    ]
    assert faults == []


def test_a_member_is_located_in_its_file() -> None:
    pod = members(only(LIST))[0][1]
    where = pod.locate(("metadata", "name"))
    assert (where.line, where.column) == (10, 54)
    assert pod.locate(("spec",)).line == 10


def test_members_of_a_typed_list_take_its_kind() -> None:
    text = (
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJobList\nitems:\n  - metadata: {name: a}\n"
        "  - {kind: Other, metadata: {name: b}}\n"
    )
    document = only(text)
    first, second = members(document)[0]
    assert (first.api_version, first.kind, first.name) == ("trainer.kubeflow.org/v1alpha1", "TrainJob", "a")
    assert (second.api_version, second.kind) == ("", "Other")
    assert "kind" not in document.value["items"][0]  # type: ignore[index, call-overload, operator]


def test_what_is_no_list_stays_whole() -> None:
    objects, faults = members(only(JOB))
    assert [one.prefix for one in objects] == [()]
    assert faults == []


def test_members_that_are_no_objects_are_findings() -> None:
    loaded = load(SourceFile("x", explicit=True, data=b"apiVersion: v1\nkind: List\nitems:\n  - a\n  - \n"))
    assert [(one.name, one.line, one.path) for one in loaded.findings] == [
        ("not-an-object", 4, "items[0]"),
        ("not-an-object", 5, "items[1]"),
    ]


@pytest.mark.parametrize(("items", "count"), [("{}", 1), ("5", 1), ("", 0), ("[]", 0)])
def test_a_list_needs_items_that_are_a_list(items: str, count: int) -> None:
    loaded = load(SourceFile("x", explicit=True, data=f"apiVersion: v1\nkind: List\nitems: {items}\n".encode()))
    assert len(loaded.findings) == count
    assert loaded.objects == []


def test_the_name_of_a_group_of_ours_is_looked_for() -> None:
    assert mentions_trainer(b"apiVersion: kubeflow.org/v1")
    assert mentions_trainer(JOB.encode())
    assert not mentions_trainer(b"apiVersion: v1")


def test_places_of_refusals_are_filled_in() -> None:
    text = "# c\n" + JOB.replace("TrainJob", "TrainJobs")
    loaded = load(SourceFile("x", explicit=True, data=text.encode()))
    assert places(loaded.findings) == [("unknown-kind", 3, 7, "kind")]
    assert loaded.findings[0].object == read(text).documents[0].ref
    assert loaded.skipped == {Category.REFUSED: 1}
