"""Pods below the level 'restricted' of the Pod Security Standards."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.security.pod_security import enforced_level, violations


@rule(
    "TG611",
    "pods-not-restricted",
    severity="warning",
    profile="production",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    looks_up=("Namespace",),
    mirrors=("kubeflow/trainer#3702",),
    answers=("A97",),
)
def pods_not_restricted(job: Job) -> Findings:
    """The Pods of a job do not meet the level `restricted` of the Pod Security Standards.

    ## Why
    Training runs code, packages and models from everywhere. As `restricted` Pods do, it should run as another user than
    root, without a way up, without capabilities and with the default seccomp profile; then it also runs in namespaces
    that enforce the level one day. TG610 speaks where a namespace enforces a level already.

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
                    spec:  # <-
                      securityContext:
                        runAsNonRoot: true
                        runAsUser: 1000
                        seccompProfile:
                          type: RuntimeDefault
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
                      securityContext:
                        runAsNonRoot: true
                        runAsUser: 1000
                        seccompProfile:
                          type: RuntimeDefault
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          securityContext:
                            allowPrivilegeEscalation: false
                            capabilities:
                              drop: [ALL]
    ```
    """
    if enforced_level(job) == "restricted":
        return
    for pods in job.pods:
        words = [violation.words for violation in violations(pods, "restricted")]
        if words:
            more = f" and {len(words) - 4} more" if len(words) > 4 else ""
            yield pods.spec.at().key.report(
                f"the Pods of {pods.words} are not 'restricted': {'; '.join(words[:4])}{more}",
                help="Set the securityContext of Pod and containers in the runtime, such as in the recipe torch-ddp.",
            )
