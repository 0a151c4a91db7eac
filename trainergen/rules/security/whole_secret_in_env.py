"""Secrets that training code gets as a whole."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_INITIALIZERS = ("dataset-initializer", "model-initializer")


@rule(
    "TG643",
    "whole-secret-in-env",
    severity="info",
    profile="strict",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("envFrom",),
)
def whole_secret_in_env(job: Job) -> Findings:
    """A training container gets all keys of a Secret as variables.

    ## Why
    Training code, its dependencies and every process that it starts see all keys, also those added to the Secret later,
    and dumps of the environment land in logs and experiment trackers. A key can also replace a variable that the
    framework reads. Initializers are left out: `secretRef` of a TrainJob works that way.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
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
                          envFrom:
                            - secretRef:
                                name: team-a-keys  # <-
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
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
                          env:
                            - name: WANDB_API_KEY
                              valueFrom:
                                secretKeyRef:
                                  name: team-a-keys
                                  key: wandb
    ```
    """
    for pods in job.pods:
        for container in pods.all_containers if pods.ancestor not in _INITIALIZERS else ():
            for source in container.parts("envFrom"):
                if source.has("secretRef"):
                    yield source.at("secretRef.name").report(
                        f"{container.words} gets all keys of the Secret '{source.text('secretRef.name')}' as variables",
                        help="Name the keys that it needs, each by valueFrom.secretKeyRef.",
                    )
