"""Two gang schedulers that wait for the same Pods."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG501",
    "two-gang-schedulers",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.1",
    triggers=("podGroupPolicy",),
    answers=("A69", "A71"),
)
def two_gang_schedulers(job: Job) -> Findings:
    """A runtime asks two gang schedulers to schedule its Pods.

    ## Why
    Nothing checks that `podGroupPolicy` has one member only. With both, the controller makes two PodGroups of one name,
    for the coscheduling plugin and for Volcano, and marks the Pods for both; but a Pod has one `schedulerName`, so one
    of the groups never fills and the other may be scheduled by a scheduler that does not know it.

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
      podGroupPolicy:
        coscheduling:
          scheduleTimeoutSeconds: 120
        volcano: {}  # <-
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
      podGroupPolicy:
        coscheduling:
          scheduleTimeoutSeconds: 120
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
    ```
    """
    groups = job.rendered_objects("PodGroup")
    if len(groups) < 2:
        return
    versions = " and ".join(f"'{group.text('apiVersion')}'" for group in groups)
    second = job.runtime.gang("volcano") or job.runtime
    yield second.at().key.report(
        f"the Pods get two PodGroups of one name, of {versions}",
        help="Keep the policy of the gang scheduler that the cluster runs.",
    )
