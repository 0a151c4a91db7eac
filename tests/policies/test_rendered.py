"""Policies about what a TrainJob becomes: JobSets, Jobs, Pods and companions, told at the TrainJob."""

from __future__ import annotations

from typing import Any

import pytest

from tests.policies.asking import JOB, ask, policies_of
from tests.policies.policies import bound

CUSTOM = JOB + "    image: example.org/torch:1\n    env:\n      - name: A\n        value: b\n"
CONTAINER = "spec.template.spec.containers[0]"


def about(group: str, resource: str, **fields: Any) -> dict[str, Any]:
    """Constraints on one resource."""
    rule = {"apiGroups": [group], "apiVersions": ["*"], "operations": ["CREATE"], "resources": [resource]}
    return {"matchConstraints": {"resourceRules": [rule], **fields}}


HOLDS: dict[str, tuple[dict[str, Any], str]] = {
    "the JobSet": (about("jobset.x-k8s.io", "jobsets"), "object.spec.replicatedJobs.size() == 1"),
    "its owner": (about("jobset.x-k8s.io", "jobsets"), "object.metadata.ownerReferences[0].kind == 'TrainJob'"),
    "its namespace": (about("jobset.x-k8s.io", "jobsets"), "object.metadata.namespace == request.namespace"),
    "the snapshot": (about("", "configmaps"), "object.metadata.name.endsWith('-runtime-snapshot')"),
    "the Job": (about("batch", "jobs"), "object.metadata.name == 'mnist-node-0' && object.spec.parallelism == 2"),
    "the Pods": (about("", "pods"), "object.spec.containers[0].image == 'example.org/torch:1'"),
    "their labels": (
        about("", "pods", objectSelector={"matchLabels": {"jobset.sigs.k8s.io/jobset-name": "mnist"}}),
        "object.metadata.labels['batch.kubernetes.io/job-completion-index'] == '0'",
    ),
    "their names": (about("", "pods"), "object.metadata.name.startsWith('mnist-node-0-0')"),
}


@pytest.mark.parametrize("case", HOLDS)
def test_is_seen(engine: str, case: str) -> None:
    constraints, expression = HOLDS[case]
    assert ask(CUSTOM, bound(expression, **constraints)).findings == []
    [finding] = ask(CUSTOM, bound(f"!({expression})", **constraints)).findings
    assert finding.rule == "TG171"
    assert ", which it becomes: policy 'p' (binding 'b') refuses it" in finding.message


PLACES: dict[str, tuple[dict[str, Any], str, str]] = {
    "an image that the TrainJob sets": (
        about("", "pods"),
        "object.spec.containers[0].image == 'x'",
        "spec.trainer.image",
    ),
    "a variable that it sets": (
        about("", "pods"),
        "object.spec.containers[0].env[0].value == 'x'",
        "spec.trainer.env[0].value",
    ),
    "the image in a Job": (about("batch", "jobs"), f"object.{CONTAINER}.image == 'x'", "spec.trainer.image"),
    "what comes from the runtime": (
        about("jobset.x-k8s.io", "jobsets"),
        "object.spec.replicatedJobs[0].name == 'x'",
        "metadata.name",
    ),
}


@pytest.mark.parametrize("case", PLACES)
def test_place(case: str) -> None:
    constraints, expression, path = PLACES[case]
    [finding] = ask(CUSTOM, bound(expression, **constraints)).findings
    assert finding.path == path


def test_a_field_that_only_the_cluster_would_fill_in_is_not_evaluated(engine: str) -> None:
    review = ask(JOB, bound("object.spec.dnsPolicy == 'ClusterFirst'", **about("", "pods")))
    assert review.findings == []
    [undecided] = review.not_evaluated
    assert "no such key: dnsPolicy" in undecided.reason
    assert "Pod 'mnist-node-0-0'" in undecided.reason


def test_a_job_that_cannot_be_rendered_is_not_evaluated() -> None:
    manifest = JOB.replace("torch-distributed", "nowhere")
    review = ask(manifest, bound("false", **about("", "pods")))
    assert review.findings == []
    assert ["wait until it can be rendered" in entry.reason for entry in review.not_evaluated] == [True]


@pytest.mark.parametrize(
    ("constraints", "wanted"),
    [
        (about("trainer.kubeflow.org", "*"), False),
        (about("*", "trainjobs"), False),
        (about("", "pods"), True),
        (about("*", "*"), True),
    ],
)
def test_nothing_is_rendered_unless_a_policy_could_be_about_it(constraints: dict[str, Any], wanted: bool) -> None:
    assert policies_of(bound("true", **constraints)).wants_rendered is wanted
