"""A runtime whose nodes are told an address that no Pod has."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_POLICIES = ("torch", "jax", "xgboost", "flux")
_SUBDOMAIN = "spec.template.spec.network.subdomain"


@rule(
    "TG204",
    "rendezvous-unreachable",
    severity="error",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=_POLICIES,
    answers=("T12",),
)
def rendezvous_unreachable(job: Job) -> Findings:
    """The nodes of a runtime are told to meet at an address that no Pod has.

    ## Why
    Torch, JAX, XGBoost and Flux write the address `<trainjob>-node-0-0.<trainjob>` as it is, whatever the job that
    trains and the subdomain are really called. Under any other name the Pods start, find nobody, and time out.

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
            - name: worker  # <-
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
    ```
    """
    policy = next((name for name in _POLICIES if job.runtime.policy(name)), "")
    if not policy or job.trainer is None:
        return
    if all(pods.name != "node" for pods in job.pods):
        yield job.trainer.at("name").report(
            f"the job that trains is called '{job.trainer.name}', but {policy} sends all nodes to a Pod of job 'node'",
            help="Call the job 'node'.",
        )
    subdomain = job.runtime.text(_SUBDOMAIN)
    if subdomain and policy != "flux":
        yield job.runtime.at(_SUBDOMAIN).report(
            f"the subdomain is '{subdomain}', but {policy} sends all nodes to the subdomain called like the TrainJob",
            help="Remove the subdomain: that of the TrainJob's name is the default.",
        )
