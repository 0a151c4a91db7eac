"""A Kustomization of Flux that is meant to wait for training and does not."""

from __future__ import annotations

from trainergen.rules import Findings, FluxObject, rule

_KUSTOMIZE = "kustomize.toolkit.fluxcd.io"


@rule(
    "TG785",
    "wait-passes-at-once",
    severity="warning",
    kinds=("Kustomization",),
    triggers=("wait", "healthChecks"),
    mirrors="fluxcd/kustomize-controller#373",
    answers=("A117", "F006"),
)
def wait_passes_at_once(flux: FluxObject) -> Findings:
    """A Kustomization of Flux waits for TrainJobs without saying when one is done.

    ## Why
    Flux knows an object to be ready by its conditions `Ready` and `Stalled`, which TrainJobs do not have; so they count
    as ready at once, and even when they fail. What depends on the Kustomization starts before the training is over.
    `healthCheckExprs` tell Flux about `Complete` and `Failed`.

    ## Bad
    ```yaml title="training.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: training
      namespace: flux-system
    spec:
      interval: 10m
      path: ./jobs
      prune: false
      sourceRef:
        kind: GitRepository
        name: flux-system
      healthChecks:  # <-
        - apiVersion: trainer.kubeflow.org/v1alpha1
          kind: TrainJob
          name: bert
          namespace: team-a
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
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
      timeout: 48h
      path: ./jobs
      prune: false
      sourceRef:
        kind: GitRepository
        name: flux-system
      healthChecks:
        - apiVersion: trainer.kubeflow.org/v1alpha1
          kind: TrainJob
          name: bert
          namespace: team-a
      healthCheckExprs:
        - apiVersion: trainer.kubeflow.org/v1alpha1
          kind: TrainJob
          failed: "status.conditions.exists(c, c.type == 'Failed' && c.status == 'True')"
          current: "status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')"
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
    ```
    """
    if any(one.text("kind") == "TrainJob" for one in flux.parts("spec.healthCheckExprs")):
        return
    named = any(one.text("kind") == "TrainJob" for one in flux.parts("spec.healthChecks"))
    job = next((entry for entry in flux.delivers if entry.kind == "TrainJob"), None)
    waits = flux.get("spec.wait") is True and job is not None and _is_depended_on(flux)
    if named or waits:
        name = f" '{job.name}'" if job is not None else ""
        yield flux.at("spec.healthChecks" if named else "spec.wait").key.report(
            f"TrainJob{name} counts as ready as soon as it is created, and even when it fails",
            help="Add healthCheckExprs for TrainJob with the conditions Complete and Failed, and a timeout that is "
            "longer than the training.",
        )


def _is_depended_on(flux: FluxObject) -> bool:
    """Whether another Kustomization waits for this one."""
    for entry in flux.objects.of("Kustomization"):
        for part in entry.object.parts("spec.dependsOn") if entry.group == _KUSTOMIZE else ():
            namespace = part.text("namespace") or entry.namespace
            if (part.text("name"), namespace) == (flux.entry.name, flux.entry.namespace):
                return True
    return False
