"""What the Torch plugin refuses in a TrainJob."""

from __future__ import annotations

from tests.admission.webhooks.world import job, override, runtime, said_by

TORCH = runtime({"torch": {}})
RESERVED = [
    {"name": "A", "value": "1"},
    {"name": "PET_NNODES", "value": "2"},
    {"name": "PET_MASTER_PORT", "value": "1"},
]
RESERVED_SAID = [
    "reserved-torch-env spec.trainer.env[1].name",
    "reserved-torch-env spec.trainer.env[2].name",
]


def injecting(job_name: str, *containers: str):
    """A runtime that injects the torch variables into further containers."""
    jobs = [job(containers=[{"name": "node"}, {"name": "side"}], init=[{"name": "warm"}])]
    targets = [{"jobName": job_name, "containerNames": list(containers)}]
    return runtime({"torch": {"envInjection": {"targets": targets}}}, jobs=jobs)


CASES = {
    "variables that torch sets are reserved": {
        "runtime": TORCH,
        "spec": {"trainer": {"env": RESERVED}},
        "said": {"2.0": [], "2.1": [], "2.2": RESERVED_SAID, "2.3": RESERVED_SAID},
    },
    "before 2.2 they are reserved only beside numProcPerNode": {
        "runtime": TORCH,
        "spec": {"trainer": {"env": RESERVED, "numProcPerNode": 2}},
        "said": said_by(("2.0", "2.1", "2.2", "2.3"), RESERVED_SAID),
    },
    "other variables are free": {
        "runtime": TORCH,
        "spec": {"trainer": {"env": [{"name": "PET_RDZV_BACKEND", "value": "c10d"}], "numProcPerNode": 2}},
        "release": "2.0 2.1 2.2 2.3",
    },
    "without a torch policy nothing is reserved": {
        "runtime": runtime(),
        "spec": {"trainer": {"env": RESERVED, "numProcPerNode": 2}},
        "release": "2.0 2.1 2.2 2.3",
    },
    "a word for numProcPerNode must be one that torch knows": {
        "runtime": TORCH,
        "spec": {"trainer": {"numProcPerNode": "tpu"}},
        "release": "2.0 2.1",
        "said": ["invalid-process-word spec.trainer.numProcPerNode"],
    },
    "a number in quotes is such a word": {
        "runtime": TORCH,
        "spec": {"trainer": {"numProcPerNode": "4"}},
        "release": "2.0 2.1",
        "said": ["invalid-process-word spec.trainer.numProcPerNode"],
    },
    "auto, cpu and gpu are known words": {
        "runtime": TORCH,
        "spec": {"trainer": {"numProcPerNode": "gpu"}},
        "release": "2.0 2.1",
    },
    "an update is checked like a new job": {
        "runtime": TORCH,
        "old": {},
        "spec": {"trainer": {"env": RESERVED}},
        "release": "2.2 2.3",
        "said": RESERVED_SAID,
    },
    "containers and init containers can be injected into": {"runtime": injecting("node", "side", "warm")},
    "an unknown container cannot, even without a trainer": {
        "runtime": injecting("node", "side", "ghost"),
        "said": ["missing-injection-target spec.runtimeRef.name"],
    },
    "an unknown job cannot, and is said for each container": {
        "runtime": injecting("other", "a", "b"),
        "said": ["missing-injection-target spec.runtimeRef.name"] * 2,
    },
    "a container that only an override adds is found": {
        "runtime": injecting("node", "ghost"),
        "spec": {"runtimePatches": [override("2.3", "node", {"containers": [{"name": "ghost"}]})]},
    },
}


def test_a_train_job_on_a_torch_runtime(case, check_case):
    """What the webhook says of the table's cases."""
    check_case(case)
