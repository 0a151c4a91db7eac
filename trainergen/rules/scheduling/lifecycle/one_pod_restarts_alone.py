"""A Pod that is started again while the others of a training go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule

if TYPE_CHECKING:
    from trainergen.rules import Pods, Spot

_MEETING = ("torch", "jax", "xgboost")
_HELP = "Set restartPolicy Never and backoffLimit 0 in the job, and failurePolicy.maxRestarts in the template."


@rule(
    "TG531",
    "one-pod-restarts-alone",
    severity="warning",
    profile="strict",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("torch", "jax", "xgboost"),
    mirrors=("kubeflow/trainer#2000", "kubeflow/trainer#2269"),
    answers=("A84", "A85"),
)
def one_pod_restarts_alone(job: Job) -> Findings:
    """A Pod that fails is started again by itself, while the other nodes wait for the old one.

    ## Why
    JobSet's default is restartPolicy OnFailure and Kubernetes' is six retries. Processes that met once do not take back
    one that comes anew: the others hang until they time out, with all their GPUs. With restartPolicy Never,
    backoffLimit 0 and `failurePolicy.maxRestarts` the whole JobSet starts again together.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  backoffLimit: 6  # <-
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch: {}
      template:
        spec:
          failurePolicy:
            maxRestarts: 3
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  backoffLimit: 0
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ```
    """
    trainer = job.trainer
    if trainer is None or job.nodes < 2 or not any(job.runtime.policy(name) is not None for name in _MEETING):
        return
    spec = trainer.part("template.spec")
    policy = trainer.spec.text("restartPolicy") or "OnFailure"
    limit = spec.integer("backoffLimit")
    if policy != "Never":
        place = trainer.spec.at("restartPolicy") if trainer.spec.has("restartPolicy") else _limit(trainer)
        yield place.report(
            f"restartPolicy is {policy}, so a container that fails starts again without the other nodes", help=_HELP
        )
    elif limit != 0:
        yield _limit(trainer).report(
            f"backoffLimit is {6 if limit is None else limit}, so a Pod that fails starts again without the others",
            help=_HELP,
        )


def _limit(trainer: Pods) -> Spot:
    spec = trainer.part("template.spec")
    return spec.at("backoffLimit") if spec.has("backoffLimit") else trainer.at("name")
