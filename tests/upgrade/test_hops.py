"""Every hop: a manifest before and after, and what is said about it."""

from __future__ import annotations

import pytest

from tests.upgrade.conftest import upgraded
from tests.upgrade.manifests import job
from trainergen.admission.admit import admit
from trainergen.releases import get_release

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
