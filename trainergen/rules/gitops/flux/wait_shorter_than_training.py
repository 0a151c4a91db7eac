"""A Kustomization of Flux that gives up before the training is over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.rules import Findings, FluxObject, rule

if TYPE_CHECKING:
    from trainergen.rules import Entry

_DAY = 24 * 3600
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_STEP = re.compile(r"([0-9.]+)(ms|h|m|s)")


@rule(
    "TG786",
    "wait-shorter-than-training",
    severity="warning",
    kinds=("Kustomization",),
    triggers=("healthCheckExprs",),
    looks_up=("TrainJob",),
    answers=("A117", "F007"),
)
def wait_shorter_than_training(flux: FluxObject) -> Findings:
    """A Kustomization of Flux waits for the end of training with a timeout for deployments.

    ## Why
    With `healthCheckExprs` for TrainJobs a Kustomization is ready when the training is done. When `timeout` (by default
    the interval) ends before, it fails, sends alerts and starts over, while the TrainJob runs well; what depends on it
    never starts. The timeout has to be longer than the TrainJob may take.

    ## Bad
    ```yaml title="training.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: training
      namespace: flux-system
    spec:
      interval: 10m
      timeout: 5m  # <-
      path: ./jobs
      prune: false
      wait: true
      sourceRef:
        kind: GitRepository
        name: flux-system
      healthCheckExprs:
        - apiVersion: trainer.kubeflow.org/v1alpha1
          kind: TrainJob
          current: "status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')"
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      activeDeadlineSeconds: 7200
      runtimeRef:
        name: torch-distributed
    ```

    ## Good
    ```yaml title="training.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: training
      namespace: flux-system
    spec:
      interval: 10m
      timeout: 3h
      path: ./jobs
      prune: false
      wait: true
      sourceRef:
        kind: GitRepository
        name: flux-system
      healthCheckExprs:
        - apiVersion: trainer.kubeflow.org/v1alpha1
          kind: TrainJob
          current: "status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')"
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      activeDeadlineSeconds: 7200
      runtimeRef:
        name: torch-distributed
    ```
    """
    if not any(one.text("kind") == "TrainJob" for one in flux.parts("spec.healthCheckExprs")):
        return
    if flux.get("spec.wait") is not True and not flux.values("spec.healthChecks"):
        return
    place = "spec.timeout" if flux.has("spec.timeout") else "spec.interval"
    timeout = _seconds(flux.text(place))
    longest = max(((_longest(entry), entry.name) for entry in flux.delivers if entry.kind == "TrainJob"), default=None)
    if timeout and longest is not None and timeout < longest[0]:
        seconds, name = longest
        may = f"may take {seconds} seconds" if seconds != _DAY else "has no shorter deadline than a day"
        yield flux.at(place).report(
            f"the Kustomization waits for '{flux.text(place)}' and fails then, but TrainJob '{name}' {may}",
            help="Set a timeout that is longer than the training, or do not wait for TrainJobs.",
        )


def _longest(job: Entry) -> int:
    """How long a TrainJob may take in seconds; a day when nothing says so."""
    return job.object.integer("spec.activeDeadlineSeconds") or _DAY


def _seconds(duration: str) -> float:
    """A duration as Go writes it (``1h30m``) in seconds; 0 for anything else."""
    steps = _STEP.findall(duration)
    if not duration or "".join(number + unit for number, unit in steps) != duration:
        return 0
    return sum(float(number) * _SECONDS[unit] for number, unit in steps)
