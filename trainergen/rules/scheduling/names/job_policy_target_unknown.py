"""A policy of the JobSet for a job that does not exist."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.spelling import did_you_mean


@rule(
    "TG522",
    "job-policy-target-unknown",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("targetReplicatedJobs",),
    answers=("A42",),
)
def job_policy_target_unknown(job: Job) -> Findings:
    """The success or failure policy names a job that the template does not have.

    ## Why
    JobSet refuses such a policy when the controller creates it, so that runtime and TrainJob are accepted and nothing
    is ever created.

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
          successPolicy:
            operator: All
            targetReplicatedJobs:
              - trainer  # <-
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
          successPolicy:
            operator: All
            targetReplicatedJobs:
              - node
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
    names = [pods.name for pods in job.pods]
    spec = job.jobset.part("spec")
    for policy in (spec.part("successPolicy"), *spec.parts("failurePolicy.rules")):
        for number, name in enumerate(policy.texts("targetReplicatedJobs")):
            if name not in names:
                yield policy.at("targetReplicatedJobs", number).report(
                    f"there is no job '{name}'{did_you_mean(name, names)}, so JobSet refuses the policy",
                    help="Name one of the jobs of the template.",
                )
