"""Which runtime a TrainJob refers to, and what its initializers need of it."""

from __future__ import annotations

from tests.admission.webhooks.world import GROUP, job, runtime, said_by, train_job

ALL = "2.0 2.1 2.2 2.3"
DEPRECATED = {"trainer.kubeflow.org/support": "deprecated"}
MOUNT = [{"name": "initializer", "mountPath": "/workspace"}]


def initializing(name="dataset-initializer", *, job_name=None, mounts=None, init=False):
    """A runtime with a job that runs that container."""
    container = {"name": name} | ({} if mounts is None else {"volumeMounts": mounts})
    mine = {"containers": [{"name": "x"}], "init": [container]} if init else {"containers": [container]}
    return runtime(jobs=[job(), job(job_name or name, ancestor=None, **mine)])


def named_runtime(name="rt", **ref):
    """A reference to a runtime of another kind or group."""
    return {"more": {"ref": {"name": name, **ref}}}


NAMESPACED = named_runtime(kind="TrainingRuntime")
DATASET = {"initializer": {"dataset": {"storageUri": "hf://a/b"}}}
MODEL = {"initializer": {"model": {"storageUri": "hf://a/b"}}}

BAD_DIRECTIVE = {"podSpecOverrides": [{"targetJobs": [{"name": "node"}], "nodeSelector": {"$patch": "merge"}}]}

CASES = {
    "a cluster runtime that exists": {"runtime": runtime(), "release": ALL},
    "kustomize may stamp a namespace on it": {"runtime": runtime(namespace="kubeflow"), "release": ALL},
    "a cluster runtime that does not": {
        "release": ALL,
        "said": ["missing-cluster-runtime spec.runtimeRef.name"],
    },
    "a namespaced runtime in the namespace of the TrainJob": {
        **NAMESPACED,
        "runtime": runtime(kind="TrainingRuntime", namespace="team-a"),
        "release": ALL,
    },
    "one in another namespace does not count": {
        **NAMESPACED,
        "runtime": runtime(kind="TrainingRuntime", namespace="team-b"),
        "release": ALL,
        "said": ["missing-training-runtime spec.runtimeRef.name"],
    },
    "nor does a cluster runtime of that name": {
        **NAMESPACED,
        "runtime": runtime(),
        "release": ALL,
        "said": ["missing-training-runtime spec.runtimeRef.name"],
    },
    "an update is refused once the runtime is gone": {
        "old": {},
        "release": ALL,
        "said": ["missing-cluster-runtime spec.runtimeRef.name"],
    },
    "an unknown group": {
        **named_runtime(apiGroup="example.org"),
        "runtime": runtime(),
        "release": ALL,
        "said": ["unsupported-runtime-kind spec.runtimeRef"],
    },
    "an unknown kind": {
        **named_runtime(kind="Runtime"),
        "runtime": runtime(),
        "release": ALL,
        "said": ["unsupported-runtime-kind spec.runtimeRef"],
    },
    "an empty group": {
        **named_runtime(apiGroup=""),
        "runtime": runtime(),
        "release": ALL,
        "said": ["unsupported-runtime-kind spec.runtimeRef"],
    },
    "kind and group are one text to the webhook": {
        **named_runtime(kind=f"ClusterTrainingRuntime.{GROUP.partition('.')[0]}", apiGroup=GROUP.partition(".")[2]),
        "runtime": runtime(),
        "release": ALL,
    },
    "no spec at all passes the schema": {
        "spec": {key: value for key, value in train_job().items() if key != "spec"},
        "runtime": runtime(),
        "release": ALL,
        "said": ["unsupported-runtime-kind"],
    },
    "a deprecated cluster runtime": {
        "runtime": runtime(labels=DEPRECATED),
        "said": {"2.0": []} | said_by(("2.1", "2.2", "2.3"), ["(warning) deprecated-runtime-ref spec.runtimeRef.name"]),
    },
    "a deprecated namespaced runtime is nobody's business": {
        **NAMESPACED,
        "runtime": runtime(kind="TrainingRuntime", namespace="team-a", labels=DEPRECATED),
        "release": ALL,
    },
    "a runtime of an unknown cluster may be the release's own": {
        "known": False,
        "more": {"ref": "torch-distributed"},
        "release": ALL,
        "undecided": [],
    },
    "or is left undecided": {
        "known": False,
        "release": "2.2",
        "undecided": [
            (
                "ClusterTrainingRuntime 'rt' is neither among the given objects nor among the runtimes that Trainer 2.2"
                " ships, so nothing was checked against it"
            )
        ],
    },
    "a known cluster has only what it has": {
        "more": {"ref": "torch-distributed"},
        "release": ALL,
        "said": ["missing-cluster-runtime spec.runtimeRef.name"],
    },
    "a given runtime hides the release's own": {
        "known": False,
        "more": {"ref": "torch-distributed"},
        "runtime": runtime({"torch": {}}, name="torch-distributed", labels=DEPRECATED),
        "said": ["(warning) deprecated-runtime-ref spec.runtimeRef.name"],
    },
    "a runtime with values of the wrong type is not looked into": {
        "runtime": runtime(jobs=[job(replicas="many")]),
        "spec": DATASET,
        "undecided": [
            (
                "runtime 'rt' is itself broken: replicas is the string 'many', but must be an integer,"
                " so the webhook's checks of it were not made"
            )
        ],
    },
    "a dataset needs the job": {
        "runtime": runtime(),
        "spec": DATASET,
        "release": ALL,
        "said": ["missing-dataset-job spec.runtimeRef.name"],
    },
    "and the container in it": {
        "runtime": initializing("main", job_name="dataset-initializer"),
        "spec": DATASET,
        "release": ALL,
        "said": ["missing-dataset-container spec.runtimeRef.name"],
    },
    "and since 2.3 the mount": {
        "runtime": initializing(mounts=[{"name": "other", "mountPath": "/x"}]),
        "spec": DATASET,
        "said": {"2.0": [], "2.1": [], "2.2": [], "2.3": ["missing-dataset-mount spec.runtimeRef.name"]},
    },
    "with all of them it is fine": {"runtime": initializing(mounts=MOUNT), "spec": DATASET, "release": ALL},
    "an init container passes for the container but its mount does not": {
        "runtime": initializing(mounts=MOUNT, init=True),
        "spec": DATASET,
        "said": {"2.0": [], "2.1": [], "2.2": [], "2.3": ["missing-dataset-mount spec.runtimeRef.name"]},
    },
    "a model needs the job": {
        "runtime": runtime(),
        "spec": MODEL,
        "release": ALL,
        "said": ["missing-model-job spec.runtimeRef.name"],
    },
    "and its container": {
        "runtime": initializing("main", job_name="model-initializer"),
        "spec": MODEL,
        "release": ALL,
        "said": ["missing-model-container spec.runtimeRef.name"],
    },
    "and its mount": {
        "runtime": initializing("model-initializer"),
        "spec": MODEL,
        "said": {"2.2": [], "2.3": ["missing-model-mount spec.runtimeRef.name"]},
    },
    "both at once are both said": {
        "runtime": runtime(),
        "spec": {"initializer": {"dataset": {}, "model": {}}},
        "said": ["missing-dataset-job spec.runtimeRef.name", "missing-model-job spec.runtimeRef.name"],
    },
    "2.0 checks the name of a new TrainJob in the webhook": {
        "runtime": runtime(),
        "more": {"name": "1-digit"},
        "release": "2.0",
        "said": ["invalid-job-name metadata.name"],
    },
    "and its length": {
        "runtime": runtime(),
        "more": {"name": "a" * 64},
        "release": "2.0",
        "said": ["invalid-job-name metadata.name"],
    },
    "but not on update": {"runtime": runtime(), "old": {}, "more": {"name": "1-digit"}, "release": "2.0"},
    "overrides that cannot be merged crash the webhook": {
        "runtime": runtime(jobs=[job(pod={"nodeSelector": {"a": "b"}})]),
        "spec": BAD_DIRECTIVE,
        "release": "2.0",
        "said": ["unmergeable-overrides spec.podSpecOverrides"],
    },
    "but only where there is something to merge them with": {
        "runtime": runtime(),
        "spec": BAD_DIRECTIVE,
        "release": "2.0",
    },
}


def test_a_train_job_and_its_runtime(case, check_case):
    """What the webhook says of the table's cases."""
    check_case(case)
