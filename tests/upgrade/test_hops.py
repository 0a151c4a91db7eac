"""Every hop: a manifest before and after, and what is said about it."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from tests.upgrade.conftest import upgraded
from trainergen.admission.admit import admit
from trainergen.releases import get_release

JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: bert
  namespace: team-a
spec:
  runtimeRef:
    name: torch-distributed
"""
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: torch-distributed
spec:
  mlPolicy:
    torch:
{torch}
  template:
    spec:
      replicatedJobs:
        - name: node
          template:
            metadata:
              labels:
                trainer.kubeflow.org/trainjob-ancestor-step: trainer
            spec:
              template:
                spec:
                  containers:
                    - name: node
                      image: example.org/torch:1
"""


def job(spec: str) -> str:
    return JOB + indent(dedent(spec).lstrip("\n"), "  ")


def runtime(torch: str) -> str:
    return RUNTIME.format(torch=indent(dedent(torch).strip("\n"), "      "))


HOPS = {
    "2.0 to 2.1 renames and nests": (
        "2.1",
        """
        podSpecOverrides:
          - targetJobs: [{name: node}] # only this one
            serviceAccountName: 'sa'
            nodeSelector: {pool: a100}
        """,
        """
        podTemplateOverrides:
          - targetJobs: [{name: node}] # only this one
            spec:
              serviceAccountName: 'sa'
              nodeSelector: {pool: a100}
        """,
    ),
    "2.1 to 2.2 makes a patch": (
        "2.2",
        """
        podTemplateOverrides:
          - targetJobs:
              - name: node
            metadata:
              labels: {cost: "x"}
            spec:
              # where the disks are
              nodeSelector:
                pool: "a100" # big ones
        """,
        """
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
                            metadata:
                              labels: {cost: "x"}
                            spec:
                              # where the disks are
                              nodeSelector:
                                pool: "a100" # big ones
        """,
    ),
    "several targets are fanned out": (
        "2.3",
        """
        podTemplateOverrides:
          - targetJobs: [{name: node}, {name: dataset-initializer}]
            spec: {serviceAccountName: sa}
        """,
        """
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
                            spec: {serviceAccountName: sa}
                    - name: dataset-initializer
                      template:
                        spec:
                          template:
                            spec: {serviceAccountName: sa}
        """,
    ),
    "labels and annotations of the spec go to the template": (
        "2.2",
        """
        labels:
          team: ml # ours
        annotations: {a/b: c}
        trainer:
          numNodes: 2
        """,
        """
        runtimePatches:
          - manager: trainergen.io/upgrade
            trainingRuntimeSpec:
              template:
                metadata:
                  labels:
                    team: ml # ours
                  annotations: {a/b: c}
        trainer:
          numNodes: 2
        """,
    ),
    "several overrides of a job are merged": (
        "2.2",
        """
        podTemplateOverrides:
          - targetJobs: [{name: node}]
            spec:
              tolerations: [{key: a, operator: Exists}]
              containers: [{name: node, volumeMounts: [{name: x, mountPath: /x}]}]
          - targetJobs: [{name: node}]
            spec:
              tolerations: [{key: b, operator: Exists}]
              containers: [{name: node, volumeMounts: [{name: w, mountPath: /y}]}]
        """,
        """
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
                            spec:
                              tolerations:
                                - key: b
                                  operator: Exists
                              containers:
                                - name: node
                                  volumeMounts:
                                    - name: w
                                      mountPath: /y
                                    - name: x
                                      mountPath: /x
        """,
    ),
    "an override without jobs goes": (
        "2.2",
        """
        podTemplateOverrides:
          - targetJobs: []
            spec: {serviceAccountName: sa}
        trainer: {numNodes: 2}
        """,
        """
        trainer: {numNodes: 2}
        """,
    ),
    "auto goes from a job": (
        "2.2",
        """
        trainer:
          numNodes: 2
          numProcPerNode: auto
        """,
        """
        trainer:
          numNodes: 2
        """,
    ),
    "gpu becomes the number of GPUs": (
        "2.2",
        """
        trainer:
          numProcPerNode: gpu
          resourcesPerNode: {limits: {nvidia.com/gpu: 4}}
        """,
        """
        trainer:
          numProcPerNode: 4
          resourcesPerNode: {limits: {nvidia.com/gpu: 4}}
        """,
    ),
    "cpu becomes the number of CPUs": (
        "2.2",
        """
        trainer:
          numProcPerNode: "cpu"
          resourcesPerNode: {requests: {cpu: 3500m}}
        """,
        """
        trainer:
          numProcPerNode: 4
          resourcesPerNode: {requests: {cpu: 3500m}}
        """,
    ),
}


@pytest.mark.parametrize(("to", "before", "after"), HOPS.values(), ids=HOPS.keys())
def test_a_job_is_rewritten(to: str, before: str, after: str) -> None:
    found = upgraded(job(before), to=to)
    assert found.text == job(after)
    assert found.losses == []
    assert found.notes


@pytest.mark.parametrize(("to", "before", "after"), HOPS.values(), ids=HOPS.keys())
def test_an_upgraded_job_is_accepted_and_stays_as_it_is(to: str, before: str, after: str) -> None:
    text = upgraded(job(before), to=to).text
    assert upgraded(text, to=to).text == text
    refused = [one.message for one in admit(upgraded(text, to=to).objects[0], release=get_release(to)).findings]
    assert [one for one in refused if "runtime" not in one] == []


RUNTIMES = {
    "auto goes": ("numProcPerNode: auto", "{}", []),
    "a number goes to the jobs": ("numProcPerNode: 4", "{}", ["TG842"]),
    "an elastic policy goes": (
        "elasticPolicy: {minNodes: 1, maxNodes: 4, maxRestarts: 3}",
        "{}",
        ["TG832"],
    ),
}


@pytest.mark.parametrize(("torch", "after", "rules"), RUNTIMES.values(), ids=RUNTIMES.keys())
def test_the_torch_policy_of_a_runtime_is_emptied(torch: str, after: str, rules: list[str]) -> None:
    found = upgraded(runtime(torch), to="2.2")
    assert f"    torch: {after}\n" in found.text
    assert found.rules == rules
    assert not admit(found.objects[0], release=get_release("2.2")).refused


def test_an_elastic_runtime_keeps_its_one_node_and_is_told_of_restarts() -> None:
    found = upgraded(runtime("elasticPolicy: {minNodes: 1, maxNodes: 4, maxRestarts: 3}"), to="2.2")
    assert found.objects[0]["spec"]["mlPolicy"] == {"torch": {}, "numNodes": 1}  # type: ignore[index,call-overload]
    assert "template.spec.failurePolicy.maxRestarts: 3" in found.losses[0].help


FROM_RUNTIME = {
    "a number": ("4", "numNodes: 2", 4),
    "cpu without GPUs needs nothing": ("cpu", "resourcesPerNode: {requests: {cpu: 4}}", None),
    "cpu beside GPUs": ("cpu", "resourcesPerNode: {requests: {cpu: 4, nvidia.com/gpu: 1}}", 4),
    "gpu with GPUs needs nothing": ("gpu", "resourcesPerNode: {limits: {nvidia.com/gpu: 2}}", None),
    "a job with a number of its own": ("4", "numProcPerNode: 2", 2),
}


@pytest.mark.parametrize(("word", "trainer", "number"), FROM_RUNTIME.values(), ids=FROM_RUNTIME.keys())
def test_jobs_take_over_what_their_runtime_said(word: str, trainer: str, number: int | None) -> None:
    found = upgraded(f"{runtime(f'numProcPerNode: {word}')}---\n{job(f'trainer: {{{trainer}}}')}")
    assert found.objects[1]["spec"]["trainer"].get("numProcPerNode") == number  # type: ignore[index,call-overload,union-attr]


def test_a_job_without_trainer_does_not_get_one_for_a_number_without_effect() -> None:
    found = upgraded(f"{runtime('numProcPerNode: 4')}---\n{JOB}")
    assert found.text.endswith(JOB)
    assert "had no effect" in found.notes


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


def test_fields_newer_than_the_target_are_left_alone() -> None:
    text = job("runtimePatches: [{manager: a/b}]")
    found = upgraded(text, start="2.0", to="2.1")
    assert (found.text, found.rules) == (text, ["TG841"])


def test_half_migrated_manifests_go_on_from_where_they_are() -> None:
    text = job(
        """
        runtimePatches:
          - manager: a/b # theirs
        podTemplateOverrides:
          - targetJobs: [{name: node}]
            spec: {serviceAccountName: sa}
        podSpecOverrides:
          - targetJobs: [{name: node}]
            nodeSelector: {a: b}
        """
    )
    found = upgraded(text)
    (spec,) = [one["spec"] for one in found.objects]
    first, second = spec["runtimePatches"]  # type: ignore[index,call-overload]
    assert first == {"manager": "a/b"}
    assert second["manager"] == "trainergen.io/upgrade"  # type: ignore[index,call-overload]
    assert "# theirs" in found.text
    assert "Overrides" not in found.text


def test_a_taken_manager_gets_a_number() -> None:
    text = job(
        """
        runtimePatches: [{manager: a/b}]
        labels: {x: z}
        """
    )
    assert "a/b-2" in upgraded(text, manager="a/b").text
