"""What the webhooks say of runtimes themselves."""

from __future__ import annotations

from typing import Any

import pytest

import trainergen
from tests.admission.webhooks.world import job, runtime, said_by, says
from trainergen.finding import Layer

JOBS = "spec.template.spec.replicatedJobs"
ALL = ("2.0", "2.1", "2.2", "2.3")
TWICE = runtime(jobs=[job(replicas=2)])
OPT_OUT = {"trainer.kubeflow.org/webhook-validation": "disabled"}
DEPRECATED = {"trainer.kubeflow.org/support": "deprecated"}
REPLICAS = [f"runtime-job-replicas {JOBS}[0].replicas"]
CONTAINER = [f"runtime-job-container {JOBS}[0].template.spec.template.spec.containers"]

CASES: dict[str, tuple[dict[str, Any], dict[str, list[str]]]] = {
    "one replica each is fine": (runtime(jobs=[job(), job("x", ancestor=None)]), said_by(ALL, [])),
    "a labelled job has one replica": (TWICE, said_by(ALL, REPLICAS)),
    "a job with an unknown label may have more": (
        runtime(jobs=[job(replicas=2, ancestor="evaluator")]),
        said_by(ALL, []),
    ),
    "a launcher without label must have one in 2.0": (
        runtime(jobs=[job("launcher", replicas=2, ancestor=None)]),
        {**said_by(ALL, []), "2.0": [f"runtime-launcher-replicas {JOBS}[0].replicas"]},
    ),
    "a labelled job has the container that its section configures, since 2.1": (
        runtime(jobs=[job(containers=[{"name": "main"}])]),
        {**said_by(ALL, CONTAINER), "2.0": []},
    ),
    "an init container of that name is not enough": (
        runtime(jobs=[job(containers=[{"name": "main"}], init=[{"name": "node"}])]),
        {**said_by(ALL, CONTAINER), "2.0": []},
    ),
    "an initializer has a container of its own name": (
        runtime(jobs=[job("get", ancestor="model-initializer", containers=[{"name": "node"}])]),
        {**said_by(ALL, CONTAINER), "2.0": []},
    ),
    "a label keeps the webhook away since 2.3": (
        runtime(jobs=[job(replicas=2)], labels={**OPT_OUT, **DEPRECATED}),
        {
            "2.0": REPLICAS,
            "2.1": ["(warning) deprecated-runtime metadata.labels[trainer.kubeflow.org/support]", *REPLICAS],
            "2.2": ["(warning) deprecated-runtime metadata.labels[trainer.kubeflow.org/support]", *REPLICAS],
            "2.3": [],
        },
    ),
    "a deprecated runtime gives a warning": (
        runtime(labels=DEPRECATED),
        {
            **said_by(ALL, ["(warning) deprecated-runtime metadata.labels[trainer.kubeflow.org/support]"]),
            "2.0": [],
        },
    ),
    "a runtime without template is fine": (
        {**runtime(), "spec": {"mlPolicy": {"numNodes": 2}}},
        {"2.1": [], "2.2": [], "2.3": []},
    ),
}


@pytest.mark.parametrize(
    ("runtime_object", "release", "said"),
    [
        pytest.param(runtime_object, release, said, id=f"{sentence} ({release})")
        for sentence, (runtime_object, outcomes) in CASES.items()
        for release, said in outcomes.items()
    ],
)
def test_a_new_cluster_runtime(runtime_object, release, said):
    """What the webhook says of the table's cases."""
    assert says(trainergen.admit(runtime_object, release=release)) == said


@pytest.mark.parametrize("release", ALL)
def test_updates_of_a_cluster_runtime_are_checked_but_not_warned_of(release):
    """The deprecation was said when it was created."""
    new = runtime(jobs=[job(replicas=2)], labels=DEPRECATED)
    assert says(trainergen.admit(new, release=release, old=runtime())) == REPLICAS


@pytest.mark.parametrize("release", ALL)
def test_updates_of_a_namespaced_runtime_are_never_checked(release):
    """Though new ones are."""
    new = runtime(jobs=[job(replicas=2)], kind="TrainingRuntime", namespace="team-a")
    assert says(trainergen.admit(new, release=release)) == REPLICAS
    old = runtime(kind="TrainingRuntime", namespace="team-a")
    assert says(trainergen.admit(new, release=release, old=old)) == []


def test_a_namespaced_runtime_is_not_warned_of():
    """The webhook of that kind knows no warnings."""
    new = runtime(kind="TrainingRuntime", namespace="team-a", labels=DEPRECATED)
    assert says(trainergen.admit(new, release="2.3")) == []


def test_opting_out_takes_effect_with_the_next_update():
    """The server asks the selector about the old and the new object, and one that matches is enough."""
    silent = runtime(jobs=[job(replicas=2)], labels=OPT_OUT)
    assert says(trainergen.admit(silent, release="2.3", old=TWICE)) == REPLICAS
    assert says(trainergen.admit(silent, release="2.3", old=silent)) == []


def test_a_value_that_the_webhook_cannot_read_is_refused_unless_the_webhook_is_not_called():
    """The schema does not know how many bits a number has."""
    parallel = {"metadata": {"labels": {}}, "spec": {"parallelism": 2**31, "template": {"spec": {"containers": []}}}}
    new = runtime(jobs=[{"name": "node", "template": parallel}])
    admission = trainergen.admit(new, release="2.3")
    assert [(finding.name, finding.layer) for finding in admission.findings] == [("undecodable-value", Layer.WEBHOOK)]
    new["metadata"]["labels"] = OPT_OUT
    assert trainergen.admit(new, release="2.3").findings == ()
