"""What is not carried over, and what a person has to decide."""

from __future__ import annotations

import pytest

from tests.upgrade.conftest import upgraded
from tests.upgrade.manifests import JOB, job, runtime

LOST = {
    "gpu of which nobody knows the number": ("trainer: {numProcPerNode: gpu}", "TG831", "'gpu'"),
    "a store without scheme": ("initializer: {model: {storageUri: org/llama}}", "TG839", "no scheme"),
    "metadata that was ignored": (
        "podTemplateOverrides: [{targetJobs: [{name: node}], metadata: {name: x, labels: {a: b}}}]",
        "TG833",
        "metadata 'name'",
    ),
    "an override with an unknown key": (
        "podTemplateOverrides: [{targetJobs: [{name: node}], specc: {}}]",
        "TG834",
        "'specc'",
    ),
}


@pytest.mark.parametrize(("spec", "rule", "words"), LOST.values(), ids=LOST.keys())
def test_what_is_not_carried_over_is_a_finding(spec: str, rule: str, words: str) -> None:
    (finding,) = upgraded(job(spec)).losses
    assert finding.rule == rule
    assert words in finding.message
    assert finding.line == 9
    assert finding.help.strip()


def test_a_bare_repository_gets_the_text_to_write() -> None:
    (finding,) = upgraded(job("initializer: {model: {storageUri: org/llama}}")).losses
    assert "hf://org/llama" in finding.help


def test_a_runtime_that_is_no_longer_shipped_is_missed() -> None:
    text = JOB.replace("torch-distributed", "mpi-distributed")
    assert upgraded(text, start="2.0", to="2.1").rules == ["TG830"]
    assert upgraded(text, start="2.2", to="2.3").rules == ["TG830"]


def test_a_runtime_of_the_tree_is_not_missed() -> None:
    own = runtime("{}").replace("name: torch-distributed", "name: mpi-distributed")
    assert "TG830" not in upgraded(f"{own}---\n{JOB.replace('torch-distributed', 'mpi-distributed')}").rules


MOUNTED = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata: {name: llm, namespace: team-a}
spec:
  template:
    spec:
      replicatedJobs:
        - name: model-initializer
          template:
            metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: model-initializer}}
            spec:
              template:
                spec:
                  containers:
                    - name: model-initializer
                      image: a:1 # theirs
                  volumes:
                    - name: VOLUME
                      emptyDir: {}
"""


def test_an_initializer_mounts_the_volume_that_is_there_for_it() -> None:
    found = upgraded(MOUNTED.replace("VOLUME", "initializer"), to="2.3")
    mount = " " * 22 + "volumeMounts:\n" + " " * 24 + "- name: initializer\n" + " " * 26 + "mountPath: /workspace\n"
    assert found.text == MOUNTED.replace("VOLUME", "initializer").replace("# theirs\n", f"# theirs\n{mount}")
    assert found.losses == []


def test_a_volume_of_another_name_is_left_to_its_owner() -> None:
    found = upgraded(MOUNTED.replace("VOLUME", "workspace"), to="2.3")
    assert found.text == MOUNTED.replace("VOLUME", "workspace")
    assert found.rules == ["TG840"]
