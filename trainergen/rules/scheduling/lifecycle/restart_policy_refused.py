"""A restart policy that Kubernetes refuses for a Job."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_DEFAULT = "the default OnFailure"


@rule(
    "TG532",
    "restart-policy-refused",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("restartPolicy", "podFailurePolicy"),
    mirrors="GoogleCloudPlatform/cluster-toolkit#6306",
    answers=("A42",),
)
def restart_policy_refused(job: Job) -> Findings:
    """The restart policy of a job is refused by Kubernetes.

    ## Why
    A Job takes restartPolicy Never or OnFailure, and with a `podFailurePolicy` only Never; JobSet fills in OnFailure
    where nothing is said. Runtime and TrainJob are accepted, and the Jobs are refused one level below: Kueue has given
    the quota, and nothing runs.

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
                  podFailurePolicy:  # <-
                    rules:
                      - action: FailJob
                        onExitCodes:
                          operator: In
                          values: [42]
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
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  podFailurePolicy:
                    rules:
                      - action: FailJob
                        onExitCodes:
                          operator: In
                          values: [42]
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ```
    """
    for pods in job.pods:
        policy = pods.spec.text("restartPolicy")
        if policy == "Always":
            yield pods.spec.at("restartPolicy").report(
                f"restartPolicy of {pods.words} is Always, but a Job takes OnFailure or Never",
                help="Use Never, and failurePolicy.maxRestarts of the template to start again.",
            )
        elif pods.has("template.spec.podFailurePolicy") and policy != "Never":
            place = pods.spec.at("restartPolicy") if policy else pods.at("template.spec.podFailurePolicy").key
            yield place.report(
                f"{pods.words} has a podFailurePolicy, which needs restartPolicy Never, not {policy or _DEFAULT}",
                help="Set restartPolicy of the Pod template to Never.",
            )
