"""Katib: an Experiment whose trials are TrainJobs.

What Katib looks for in a trial follows kubeflow/katib pkg/apis/controller/experiments/v1beta1/constants.go @ v0.19.0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.api.access import object_at
from trainergen.generate.names import content_hash

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.resolved import ResolvedJob
    from trainergen.generate.spec import Experiment, Range

TRIAL_SUFFIX = 9
"""How many characters Katib adds to the name of an Experiment for that of a trial."""
ALGORITHMS = (
    *("random", "grid", "bayesianoptimization", "tpe", "multivariate-tpe", "cmaes", "sobol", "hyperband", "pbt"),
    *("enas", "darts"),
)
_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def experiment(spec: Experiment, job: ResolvedJob) -> JsonObject:
    """The Experiment; like a run it cannot be changed, so its name has a hash of all it consists of."""
    whole = _spec(spec, job)
    metadata = object_at(job.train_job, "metadata")
    named: JsonObject = {"name": f"{job.key}-{content_hash(whole)}", "namespace": job.namespace}
    if "labels" in metadata:
        named["labels"] = {
            key: value for key, value in object_at(metadata, "labels").items() if not key.startswith("kueue.")
        }
    return {"apiVersion": "kubeflow.org/v1beta1", "kind": "Experiment", "metadata": named, "spec": whole}


def _spec(spec: Experiment, job: ResolvedJob) -> JsonObject:
    objective: JsonObject = {"type": spec.goal, "objectiveMetricName": spec.metric}
    if spec.target is not None:
        objective["goal"] = spec.target
    return {
        "objective": objective,
        "algorithm": {"algorithmName": spec.algorithm},
        "metricsCollectorSpec": {"collector": {"kind": "StdOut"}},
        "maxTrialCount": spec.trials,
        "parallelTrialCount": spec.parallel,
        "maxFailedTrialCount": spec.failed,
        "parameters": [_parameter(name, each) for name, each in spec.parameters.items()],
        "trialTemplate": _trial(spec, job),
    }


def _trial(spec: Experiment, job: ResolvedJob) -> JsonObject:
    trial: JsonObject = {"apiVersion": job.train_job["apiVersion"], "kind": job.train_job["kind"]}
    labels = object_at(job.train_job, "metadata", "labels")
    if labels:
        trial["metadata"] = {"labels": dict(labels)}
    trial["spec"] = _filled(job.train_job["spec"], frozenset(spec.parameters))
    return {
        "primaryContainerName": "node",
        "primaryPodLabels": {
            "jobset.sigs.k8s.io/replicatedjob-name": "node",
            "batch.kubernetes.io/job-completion-index": "0",
        },
        "successCondition": 'status.conditions.#(type=="Complete")#|#(status=="True")#',
        "failureCondition": 'status.conditions.#(type=="Failed")#|#(status=="True")#',
        "trialParameters": [{"name": name, "reference": name} for name in spec.parameters],
        "trialSpec": trial,
    }


def _parameter(name: str, given: Range) -> JsonObject:
    if given.values:
        return {"name": name, "parameterType": "categorical", "feasibleSpace": {"list": [*given.values]}}
    space: JsonObject = {
        key: _number(value, whole=given.whole)
        for key, value in (("min", given.min), ("max", given.max), ("step", given.step))
        if value is not None
    }
    return {"name": name, "parameterType": "int" if given.whole else "double", "feasibleSpace": space}


def _number(value: float, *, whole: bool) -> str:
    """A number as Katib has it: a text without an exponent, which its services do not all read."""
    if whole or value == int(value):
        return str(int(value))
    return f"{value:.15f}".rstrip("0")


def _filled(value: JsonValue, names: frozenset[str]) -> JsonValue:
    """``value`` with references to parameters as Katib writes them."""
    if isinstance(value, str):
        return _REFERENCE.sub(
            lambda match: f"${{trialParameters.{match[1]}}}" if match[1] in names else match[0], value
        )
    if isinstance(value, dict):
        return {key: _filled(each, names) for key, each in value.items()}
    return [_filled(each, names) for each in value] if isinstance(value, list) else value


def references(value: JsonValue) -> set[str]:
    """The names in ``${…}`` anywhere in a value."""
    if isinstance(value, str):
        return set(_REFERENCE.findall(value))
    if isinstance(value, dict):
        return {name for each in value.values() for name in references(each)}
    return {name for each in value for name in references(each)} if isinstance(value, list) else set()
