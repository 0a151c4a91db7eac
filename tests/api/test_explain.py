"""What ``explain`` knows of a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trainergen.api.explain import Explanation, explain
from trainergen.api.explanation import render_explanation
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion


def test_a_retyped_field_tells_its_types_by_release() -> None:
    found = explain("trainjob.spec.trainer.numProcPerNode")
    assert [(releases, facts.type) for releases, facts in found.spans] == [
        ("2.0 and 2.1", "integer or string"),
        ("2.2 and 2.3", "integer (int32)"),
    ]
    assert found.release == "2.3"
    assert found.facts.format == "int32"


def test_a_limit_that_changed_is_told_by_release() -> None:
    limits = {release: facts.limits for release, facts in explain("tj.spec.trainer.command").by_release.items()}
    assert limits == {
        "2.0": (),
        "2.1": (),
        "2.2": ("at most 128 items", "each item at most 65536 characters"),
        "2.3": ("at most 128 items", "each item at most 1048576 characters"),
    }


def test_facts_of_a_field() -> None:
    facts = explain("trainjob.spec.managedBy").facts
    assert (facts.type, facts.required, facts.default) == ("string", False, "trainer.kubeflow.org/trainjob-controller")
    assert facts.immutable
    assert [rule.rule for rule in facts.rules] == [
        "self in ['trainer.kubeflow.org/trainjob-controller', 'kueue.x-k8s.io/multikueue']",
        "self == oldSelf",
    ]
    jobs = explain("ctr.spec.template.spec.replicatedJobs").facts
    assert (jobs.list_type, jobs.list_keys, jobs.merge_key) == ("map", ("name",), "name")
    assert explain("tr.spec.mlPolicy.mpi.mpiImplementation").facts.enum == ("OpenMPI", "")
    assert not explain("tr.spec.mlPolicy.mpi").facts.has_default


def test_requiredness_by_release() -> None:
    found = explain("tr.spec.template")
    assert {release: facts.required for release, facts in found.by_release.items()} == {
        "2.0": True,
        "2.1": False,
        "2.2": False,
        "2.3": False,
    }


SAME_FIELD = {
    "kind in lower case": "trainjob.spec.runtimePatches.manager",
    "kind as written in manifests": "TrainJob.spec.runtimePatches.manager",
    "plural": "trainjobs.spec.runtimePatches.manager",
    "short form": "tj.spec.runtimePatches.manager",
    "brackets": "trainjob.spec.runtimePatches[].manager",
    "an index": "trainjob.spec.runtimePatches[0].manager",
    "a key": "trainjob.spec.runtimePatches[manager=example.com/x].manager",
}


@pytest.mark.parametrize("path", SAME_FIELD.values(), ids=SAME_FIELD)
def test_ways_to_write_a_path(path: str) -> None:
    assert explain(path) == explain("trainjob.spec.runtimePatches.manager")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("tr", "TrainingRuntime"), ("CTR", "ClusterTrainingRuntime"), ("trainingruntimes", "TrainingRuntime")],
)
def test_names_of_kinds(name: str, kind: str) -> None:
    assert explain(name).kind == kind


def test_a_field_that_is_gone_is_explained_as_it_last_was() -> None:
    found = explain("trainjob.spec.podTemplateOverrides.spec.volumes")
    assert (found.release, found.since, found.until, found.successor) == ("2.1", "2.1", "2.1", "runtimePatches")
    assert found.facts.type == "list of core.v1.Volume"


def test_a_field_of_today_has_neither_an_end_nor_a_successor() -> None:
    found = explain("trainjob.spec.runtimePatches")
    assert (found.since, found.until, found.successor) == ("2.2", "", "")
    assert explain("trainjob.spec.suspend").since == ""


def test_children_are_those_of_the_release_asked_for() -> None:
    names = {
        release: [child.name for child in explain("tr.spec.mlPolicy", release=release).children]
        for release in ("2.1", "2.3")
    }
    assert names == {
        "2.1": ["numNodes", "torch", "mpi"],
        "2.3": ["numNodes", "torch", "mpi", "jax", "xgboost", "flux"],
    }


def test_metadata_and_embedded_types_are_explained_too() -> None:
    owner = explain("trainjob.metadata.ownerReferences.uid")
    assert (owner.description, owner.facts.required) == ("UID of the owner.", True)
    assert explain("tj.metadata.labels.team").facts.type == "string"
    pod = "tr.spec.template.spec.replicatedJobs.template.spec.template.spec"
    assert explain(f"{pod}.containers.resources.limits").facts.type == "map of quantity"
    assert "schedulingGroup" in {child.name for child in explain(pod).children}


ERRORS = {
    "a misspelt field": ("trainjob.spec.trainerr", None, "no release has a field 'trainerr' in trainjob.spec",
                         "Did you mean trainjob.spec.trainer?"),
    "a field in the wrong case": ("tj.spec.trainer.numprocpernode", None,
                                  "no release has a field 'numprocpernode' in trainjob.spec.trainer",
                                  "Did you mean trainjob.spec.trainer.numProcPerNode?"),
    "a field like no other": ("tj.spec.runtimeRef.qqq", None,
                              "no release has a field 'qqq' in trainjob.spec.runtimeRef",
                              "Fields of trainjob.spec.runtimeRef: name, apiGroup, kind."),
    "a field of a scalar": ("tj.spec.suspend.x", None, "no release has a field 'x' in trainjob.spec.suspend",
                            "trainjob.spec.suspend has no fields of its own."),
    "a misspelt kind": ("trainjop.spec", None, "unknown kind 'trainjop'", "Did you mean trainjob?"),
    "a strange kind": ("pod.spec", None, "unknown kind 'pod'",
                       "Known kinds: ClusterTrainingRuntime, TrainJob, TrainingRuntime."),
    "nothing": ("", None, "no field to explain", "Write a kind and a field, as in trainjob.spec.trainer.image."),
    "a field that was replaced": ("tj.spec.podTemplateOverrides.metadata", "2.3",
                                  "trainjob.spec.podTemplateOverrides is not in Trainer 2.3: gone since 2.2",
                                  "It was last in 2.1; use runtimePatches."),
    "a field that came later": ("tj.spec.runtimePatches", "2.0", "trainjob.spec.runtimePatches is not in Trainer 2.0",
                                "It came with 2.2."),
    "an unknown release": ("tj.spec", "1.9", "unknown Trainer release '1.9'", "Known releases: 2.0, 2.1, 2.2, 2.3."),
}  # fmt: skip


@pytest.mark.parametrize(("path", "release_name", "message", "hint"), ERRORS.values(), ids=ERRORS)
def test_what_cannot_be_explained(path: str, release_name: str | None, message: str, hint: str) -> None:
    with pytest.raises(TrainergenError) as error:
        explain(path, release=release_name)
    assert (error.value.message, error.value.hint) == (message, hint)


RENDERED = {
    "a retyped field": explain("trainjob.spec.trainer.numProcPerNode"),
    "a field that is gone": explain("trainjob.spec.podTemplateOverrides"),
    "a field with rules and fields": explain("ctr.spec.mlPolicy"),
    "a list with limits": explain("tr.spec.mlPolicy.torch.envInjection.targets.containerNames"),
    "a kind": explain("trainjob"),
    "a field with values and a default": explain("ctr.spec.mlPolicy.mpi.mpiImplementation"),
    "an immutable field": explain("trainjob.spec.managedBy"),
    "a list that other fields patch": explain("trainjob.status.conditions"),
}


@pytest.mark.parametrize("explanation", RENDERED.values(), ids=RENDERED)
def test_as_text(explanation: Explanation, snapshot: SnapshotAssertion) -> None:
    assert render_explanation(explanation) == snapshot
