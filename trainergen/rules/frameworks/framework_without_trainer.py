"""A TrainJob without a trainer, for which the framework's variables are not set."""

from __future__ import annotations

from trainergen.rules import Findings, Job, fix, rule
from trainergen.source.edits import insert_entry

_PREFIXES = {"torch": "PET_", "jax": "JAX_", "xgboost": "DMLC_"}


@rule(
    "TG406",
    "framework-without-trainer",
    severity="warning",
    triggers=("torch", "jax", "xgboost"),
    answers=("A10", "T2"),
    fix="unsafe",
)
def framework_without_trainer(job: Job) -> Findings:
    """A TrainJob without spec.trainer gets none of the framework's variables.

    ## Why
    The plugins for torch, JAX and XGBoost set their variables and the port only when the TrainJob has a `trainer`, be
    it empty. Without it the nodes of the runtime start all the same, each by itself, and on each one process instead of
    one for each GPU.

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
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          resources:
                            limits:
                              cpu: 8
                              memory: 32Gi
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:  # <-
      runtimeRef:
        name: team-torch
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
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          resources:
                            limits:
                              cpu: 8
                              memory: 32Gi
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-torch
      trainer: {}
    ```
    """
    if job.has("spec.trainer") or job.is_probe or job.trainer is None:
        return
    container = job.trainer.container("node")
    gpus = max(container.devices.values(), default=0) if container else 0
    prefix = next((prefix for policy, prefix in _PREFIXES.items() if job.runtime.policy(policy) is not None), "")
    if prefix and (job.nodes > 1 or gpus > 1):
        much = f"{job.nodes} nodes" if job.nodes > 1 else f"{gpus} GPUs"
        yield job.at("spec").key.report(
            f"there is no spec.trainer, so the runtime's {much} get no {prefix}* variables",
            help="Add 'trainer: {}', which is enough to get them.",
            fix=fix("add an empty trainer", insert_entry(job.document, ("spec",), "trainer", {})),
        )
