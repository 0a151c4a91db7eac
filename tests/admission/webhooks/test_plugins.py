"""What the MPI, XGBoost, Flux and Volcano plugins refuse in a TrainJob."""

from __future__ import annotations

from tests.admission.webhooks.world import job, runtime, said_by

ALL = ("2.0", "2.1", "2.2", "2.3")
MPI_JOBS = [job(), job("launcher", ancestor=None)]
QUEUE = "scheduling.volcano.sh/queue-name"
PRIORITY = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}}


def mpi(*, launcher_counts: bool, jobs=None):
    """An MPI runtime."""
    return runtime({"mpi": {"runLauncherAsNode": launcher_counts}}, jobs=jobs or MPI_JOBS)


def flux(processes: int = 1, *, init=None):
    """A Flux runtime."""
    return runtime({"flux": {"numProcPerNode": processes}}, jobs=[job(init=init)])


def volcano(*jobs, annotations=None):
    """A runtime with gang scheduling by Volcano."""
    return runtime(jobs=list(jobs), podGroupPolicy={"volcano": {}}, metadata={"annotations": annotations or {}})


def queue(release: str, name: str):
    """A TrainJob that names a Volcano queue in the way of the release."""
    if release == "2.1":
        return {"annotations": {QUEUE: name}}
    template = {"metadata": {"annotations": {QUEUE: name}}}
    return {"runtimePatches": [{"manager": "acme.io/a", "trainingRuntimeSpec": {"template": template}}]}


def with_priority(name: str, job_name: str = "node"):
    """A job of that priority class."""
    return job(job_name, pod={"priorityClassName": name}, ancestor=None)


ENV = {
    name: [{"name": "OTHER", "value": "x"}, {"name": name, "value": "x"}]
    for name in ("OMPI_MCA_plm_rsh_args", "DMLC_TASK_ID")
}

CASES = {
    "MPI takes numProcPerNode only as an integer": {
        "runtime": mpi(launcher_counts=False),
        "spec": {"trainer": {"numProcPerNode": "auto"}},
        "said": said_by(("2.0", "2.1"), ["mpi-process-word spec.trainer.numProcPerNode"]),
    },
    "an integer is fine": {
        "runtime": mpi(launcher_counts=False),
        "spec": {"trainer": {"numProcPerNode": 8}},
        "release": "2.0 2.1 2.2 2.3",
    },
    "several nodes with the launcher as one need both jobs": {
        "runtime": mpi(launcher_counts=True, jobs=[job()]),
        "spec": {"trainer": {"numNodes": 2}},
        "said": said_by(ALL, ["mpi-missing-job spec.trainer.numNodes"]),
    },
    "one node does not": {
        "runtime": mpi(launcher_counts=True, jobs=[job()]),
        "spec": {"trainer": {"numNodes": 1}},
        "release": "2.0 2.1 2.2 2.3",
    },
    "nor does a launcher that is no node": {
        "runtime": mpi(launcher_counts=False, jobs=[job()]),
        "spec": {"trainer": {"numNodes": 2}},
        "release": "2.0 2.1 2.2 2.3",
    },
    "with both jobs it is fine": {"runtime": mpi(launcher_counts=True), "spec": {"trainer": {"numNodes": 2}}},
    "an MPI job without trainer is fine": {"runtime": mpi(launcher_counts=True, jobs=[job()])},
    "variables of Open MPI are reserved since 2.3": {
        "runtime": mpi(launcher_counts=False),
        "spec": {"trainer": {"env": ENV["OMPI_MCA_plm_rsh_args"]}},
        "said": {"2.0": [], "2.1": [], "2.2": [], "2.3": ["reserved-mpi-env spec.trainer.env[1].name"]},
    },
    "variables of XGBoost are reserved": {
        "runtime": runtime({"xgboost": {}}),
        "spec": {"trainer": {"env": ENV["DMLC_TASK_ID"]}},
        "said": said_by(("2.2", "2.3"), ["reserved-xgboost-env spec.trainer.env[1].name"]),
    },
    "but free on other runtimes": {
        "runtime": runtime({"torch": {}}),
        "spec": {"trainer": {"env": ENV["DMLC_TASK_ID"]}},
        "release": "2.2 2.3",
    },
    "variables of JAX are free everywhere": {
        "runtime": runtime({"jax": {}}),
        "spec": {"trainer": {"env": [{"name": "JAX_NUM_PROCESSES", "value": "9"}]}},
        "release": "2.2 2.3",
    },
    "Flux wants a process on each node of its policy": {
        "runtime": flux(0),
        "said": said_by(("2.2", "2.3"), ["flux-processes spec.trainer.numProcPerNode"]),
    },
    "the TrainJob's number wins over the policy since 2.3": {
        "runtime": flux(1),
        "spec": {"trainer": {"numProcPerNode": 0}},
        "said": {"2.2": [], "2.3": ["flux-processes spec.trainer.numProcPerNode"]},
    },
    "and mends it": {
        "runtime": flux(0),
        "spec": {"trainer": {"numProcPerNode": 2}},
        "said": {"2.2": ["flux-processes spec.trainer.numProcPerNode"], "2.3": []},
    },
    "the init container of Flux is reserved in the runtime": {
        "runtime": flux(init=[{"name": "flux-installer"}]),
        "said": said_by(("2.2", "2.3"), ["reserved-flux-container spec.trainer"]),
    },
    "an older release knows no Flux": {"runtime": flux(0), "release": "2.0 2.1"},
    "an empty Volcano queue is refused": {
        "runtime": volcano(job()),
        "spec": lambda release: queue(release, ""),
        "said": {
            "2.1": [f"empty-volcano-queue spec.annotations[{QUEUE}]"],
            "2.2": ["empty-volcano-queue spec"],
            "2.3": ["empty-volcano-queue spec"],
        },
    },
    "also when the runtime leaves it empty": {
        "runtime": volcano(job(), annotations={QUEUE: ""}),
        "said": said_by(("2.1", "2.2", "2.3"), ["empty-volcano-queue spec"]),
    },
    "the TrainJob can name one": {
        "runtime": volcano(job(), annotations={QUEUE: ""}),
        "spec": lambda release: queue(release, "gold"),
        "release": "2.1 2.2 2.3",
    },
    "a release without Volcano looks at no queue": {
        "runtime": volcano(job(), annotations={QUEUE: ""}),
        "release": "2.0",
    },
    "the priority class of a job must exist": {
        "runtime": volcano(with_priority("high"), with_priority("low", "b")),
        "objects": [PRIORITY],
        "said": said_by(("2.1", "2.2", "2.3"), ["missing-priority-class spec"]),
    },
    "a system class ends the check": {
        "runtime": volcano(with_priority("system-node-critical"), with_priority("low", "b")),
        "release": "2.1 2.2 2.3",
    },
    "a priority class of an unknown cluster is left undecided": {
        "runtime": volcano(with_priority("low")),
        "known": False,
        "undecided": ["the priority class 'low' is not among the given objects"],
    },
    "without Volcano nobody asks for the class": {"runtime": runtime(jobs=[with_priority("low")])},
}


def test_a_train_job_on_the_runtime_of_a_plugin(case, check_case):
    """What the webhook says of the table's cases."""
    check_case(case)
