"""What is refused in the overrides of a TrainJob, in the field that each release has for them."""

from __future__ import annotations

import pytest

from tests.admission.webhooks.world import OVERRIDES, job, override, runtime
from trainergen.admission.webhooks.overrides import manager_fault

ALL = ("2.0", "2.1", "2.2", "2.3")
RT = runtime(jobs=[job(), job("dataset-initializer", ancestor=None, containers=[{"name": "dataset-initializer"}])])
JOB_PATH = "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0]"
NODE_ENV = f"{JOB_PATH}.template.spec.template.spec.containers[0].env"


def with_overrides(*pods, suspend=None, jobs=("node",)):
    """A TrainJob with one override for each Pod spec, as a function of the release."""

    def spec(release: str):
        names = jobs if len(jobs) == len(pods) else jobs * len(pods)
        entries = [
            override(release, name, pod, manager=f"acme.io/{at}")
            for at, (name, pod) in enumerate(zip(names, pods, strict=True))
        ]
        return {OVERRIDES[release]: entries} | ({} if suspend is None else {"suspend": suspend})

    return spec


def job_set(**active: int):
    """The live JobSet with so many active Pods in its jobs."""
    status = [{"name": name, "active": number} for name, number in active.items()]
    metadata = {"name": "job-a", "namespace": "team-a"}
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": metadata,
        "status": {"replicatedJobsStatus": status},
    }


GOLD, SILVER = {"nodeSelector": {"tier": "gold"}}, {"nodeSelector": {"tier": "silver"}}
ENV = {"containers": [{"name": "node", "env": [{"name": "A", "value": "1"}]}]}
INIT_ENV = {
    "initContainers": [{"name": "node", "env": [{"name": "A", "value": "1"}]}],
    "containers": [{"name": "node", "env": []}, {"name": "side", "env": [{"name": "A", "value": "1"}]}],
}


def each(text: str) -> dict[str, list[str]]:
    """That finding at the field of each release."""
    return {release: [f"{text} spec.{OVERRIDES[release]}"] for release in ALL}


CASES = {
    "an override of a known job is fine": {"runtime": RT, "spec": with_overrides(GOLD), "release": " ".join(ALL)},
    "an unknown job is refused until the merge adds it": {
        "runtime": RT,
        "spec": with_overrides(GOLD, jobs=("ghost",)),
        "said": {
            "2.0": ["unknown-target-job spec.podSpecOverrides[0].targetJobs[0].name"],
            "2.1": ["unknown-target-job spec.podTemplateOverrides[0].targetJobs[0].name"],
            "2.2": [f"unknown-target-job {JOB_PATH}.name"],
            "2.3": [],
        },
    },
    "an unknown container passes, since the merge adds it": {
        "runtime": RT,
        "spec": with_overrides({"containers": [{"name": "ghost"}], "initContainers": [{"name": "spirit"}]}),
        "release": " ".join(ALL),
    },
    "one job may be targeted twice except in 2.0": {
        "runtime": RT,
        "spec": with_overrides(GOLD, SILVER),
        "said": {
            "2.0": ["repeated-target-job spec.podSpecOverrides[1].targetJobs[0].name"],
            "2.1": [],
            "2.2": [],
            "2.3": [],
        },
    },
    "env of the containers with a section of their own is reserved": {
        "runtime": RT,
        "spec": with_overrides(ENV),
        "said": {
            "2.0": ["reserved-container-env spec.podSpecOverrides[0].containers[0].env"],
            "2.1": ["reserved-container-env spec.podTemplateOverrides[0].spec.containers[0].env"],
            "2.2": [f"reserved-container-env {NODE_ENV}"],
            "2.3": [f"reserved-container-env {NODE_ENV}"],
        },
    },
    "env of other containers and of init containers is not": {
        "runtime": RT,
        "spec": with_overrides(INIT_ENV),
        "release": " ".join(ALL),
    },
    "a new override on a running job is refused": {
        "runtime": RT,
        "old": with_overrides(suspend=False),
        "spec": with_overrides(GOLD, suspend=False),
        "said": each("overrides-changed-running"),
    },
    "so is a changed one": {
        "runtime": RT,
        "old": with_overrides(GOLD),
        "spec": with_overrides(SILVER),
        "said": each("overrides-changed-running"),
    },
    "and a removed one": {
        "runtime": RT,
        "old": with_overrides(GOLD),
        "spec": {},
        "said": each("overrides-changed-running"),
    },
    "and one that moves": {
        "runtime": RT,
        "old": with_overrides(GOLD, SILVER, jobs=("node", "dataset-initializer")),
        "spec": lambda release: {
            OVERRIDES[release]: with_overrides(GOLD, SILVER, jobs=("node", "dataset-initializer"))(release)[
                OVERRIDES[release]
            ][::-1]
        },
        "said": each("overrides-changed-running"),
    },
    "unchanged overrides may stay while other things change": {
        "runtime": RT,
        "old": with_overrides(GOLD),
        "spec": lambda release: {**with_overrides(GOLD)(release), "suspend": True},
        "release": " ".join(ALL),
    },
    "an empty list instead of none is no change": {
        "runtime": RT,
        "old": with_overrides(GOLD),
        "spec": with_overrides({**GOLD, "tolerations": []}),
        "release": " ".join(ALL),
    },
    "a suspended job may get other overrides": {
        "runtime": RT,
        "old": with_overrides(GOLD, suspend=True),
        "spec": with_overrides(SILVER, suspend=True),
        "release": " ".join(ALL),
    },
    "and one that is suspended with the change": {
        "runtime": RT,
        "old": with_overrides(GOLD, suspend=False),
        "spec": with_overrides(SILVER, suspend=True),
        "release": " ".join(ALL),
    },
    "one that is resumed with the change only since 2.2": {
        "runtime": RT,
        "old": with_overrides(GOLD, suspend=True),
        "spec": with_overrides(SILVER, suspend=False),
        "said": {**each("overrides-changed-running"), "2.2": [], "2.3": []},
    },
    "active Pods forbid the change even then": {
        "runtime": RT,
        "objects": [job_set(node=2, launcher=0)],
        "old": with_overrides(GOLD, suspend=True),
        "spec": with_overrides(SILVER, suspend=True),
        "said": each("overrides-changed-active"),
    },
    "Pods that are gone do not": {
        "runtime": RT,
        "objects": [job_set(node=0)],
        "old": with_overrides(GOLD, suspend=True),
        "spec": with_overrides(SILVER, suspend=True),
        "release": " ".join(ALL),
    },
    "of an unknown JobSet nothing is said": {
        "runtime": RT,
        "known": False,
        "old": with_overrides(GOLD, suspend=True),
        "spec": with_overrides(SILVER, suspend=True),
        "undecided": [
            "runtimePatches changes, which the JobSet 'job-a' may forbid, and that is not among the given objects"
        ],
    },
    "the manager of a patch needs a domain": {
        "runtime": RT,
        "spec": {"runtimePatches": [{"manager": "acme.io/ok"}, {"manager": "user"}]},
        "release": "2.2 2.3",
        "said": ["invalid-patch-manager spec.runtimePatches"],
    },
}


def test_a_train_job_with_overrides(case, check_case):
    """What the webhook says of the table's cases."""
    check_case(case)


@pytest.mark.parametrize(
    ("manager", "fault"),
    [
        ("acme.io/user", ""),
        ("acme.io/a/b/c", ""),
        ("a/!$&'()*+,;=:~%", ""),
        ("user", "it must be a domain and a path with a slash between them"),
        ("", "it must be a domain and a path with a slash between them"),
        ("/user", "it must be a domain and a path with a slash between them"),
        ("acme.io/", "it must be a domain and a path with a slash between them"),
        ("Acme.io/x", "'Acme.io' is no DNS-1123 subdomain"),
        ("a_b.io/x", "'a_b.io' is no DNS-1123 subdomain"),
        ("-a/x", "'-a' is no DNS-1123 subdomain"),
        ("a..b/x", "'a..b' is no DNS-1123 subdomain"),
        (f"{'a' * 254}/x", f"'{'a' * 254}' is no DNS-1123 subdomain"),
        ("acme.io/ü", "'ü' has a character that no path may have"),
        ("acme.io/a b", "'a b' has a character that no path may have"),
    ],
)
def test_a_manager_is_a_domain_and_a_path(manager, fault):
    """As Kubernetes checks such paths."""
    assert manager_fault(manager) == fault
